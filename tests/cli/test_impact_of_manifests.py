"""`weighbridge impact` on manifests in place of a cluster: they get the values that will be filled in, and stored objects keep theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import run

TAINTED = """
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: chat, namespace: team-a%s}
spec: {modelRef: llama, replicas: 1}
---
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: llama, namespace: team-a}
spec: {source: "https://example.com/llama.gguf", hardware: {accelerator: cuda, gpu: {count: 1}}}
---
apiVersion: v1
kind: Node
metadata: {name: l4-1}
spec: {taints: [{key: nvidia.com/gpu, value: "true", effect: NoSchedule}]}
status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "4"}}
---
apiVersion: v1
kind: Node
metadata: {name: cpu-1}
status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110"}}
"""


@pytest.mark.parametrize(("stored", "code"), [("", 1), (", uid: u", 0)])
def test_a_manifest_has_what_is_filled_in_and_a_stored_object_what_it_has(stored: str, code: int, tmp_path: Path) -> None:
    cluster = tmp_path / "cluster.yaml"
    cluster.write_text(TAINTED % stored)
    done = run("impact", "--delete", "Node/l4-1", "--cluster", str(cluster))
    assert (done.returncode, done.stderr) == (code, "")
    # No node could run the stored service before, since it lacks the toleration.
    assert ("InferenceService team-a/chat: breaks" in done.stdout) is bool(code)


def test_a_manifest_breaks_by_a_value_of_a_policy(tmp_path: Path) -> None:
    cluster, config = tmp_path / "cluster.yaml", tmp_path / "config.yaml"
    pool = TAINTED.rpartition("---")[2].replace("cpu-1", "l4-2, labels: {pool: gpu}").replace('"110"', '"110", nvidia.com/gpu: "4"')
    cluster.write_text(f"{TAINTED % ''}---\n{pool}")
    fill = "{fieldPath: .spec.nodeSelector, expression: \"{'pool': 'gpu'}\"}"
    policy = f"{{id: POLICY-001, name: pool, match: {{kinds: [InferenceService.inference.llmkube.dev]}}, fillIns: [{fill}]}}"
    config.write_text(f"apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\npolicies: [{policy}]\n")
    delete = ("impact", "--delete", "Node/l4-2", "--cluster", str(cluster))
    assert run(*delete).returncode == 0
    assert run(*delete, "--config", str(config)).returncode == 1
