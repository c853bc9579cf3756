"""The table of flavors says that pods may also run on other nodes, since llmaz leaves a flavor's labels to its scheduler plugin."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import run

MODEL = """\
apiVersion: llmaz.io/v1alpha1
kind: OpenModel
metadata: {name: qwen}
spec:
  familyName: qwen2
  source: {modelHub: {modelID: Qwen/Qwen2.5-1.5B-Instruct}}
  inferenceConfig: {flavors: [{name: l4, limits: {nvidia.com/gpu: 1}, nodeSelector: {gpu: l4}}]}
"""
PLAYGROUND = """\
apiVersion: inference.llmaz.io/v1alpha1
kind: Playground
metadata: {name: qwen, namespace: prod}
spec: {replicas: 1, modelClaim: {modelName: qwen}}
"""
SERVICE = """\
apiVersion: inference.llmaz.io/v1alpha1
kind: Service
metadata: {name: qwen, namespace: prod}
spec:
  modelClaims: {models: [{name: qwen}]}
  workloadTemplate:
    size: 1
    workerTemplate: {spec: {containers: [{name: model-runner, image: "vllm/vllm-openai:v0.7.3"}]}}
"""
NODE = """\
apiVersion: v1
kind: Node
metadata: {{name: {name}, labels: {{kubernetes.io/hostname: {name}, gpu: {name}}}}}
status: {{allocatable: {{cpu: "64", memory: 512Gi, pods: "110", nvidia.com/gpu: "8"}}, conditions: [{{type: Ready, status: "True"}}]}}
"""
ELSEWHERE = "; the pod doesn't carry gpu=l4, so without llmaz's scheduler plugin any node with the limits may take it"


@pytest.mark.parametrize("text", [PLAYGROUND, SERVICE], ids=["Playground", "Service"])
@pytest.mark.parametrize(("scheduler", "is_told"), [(None, True), ("default-scheduler", True), ("llmaz-scheduler", False)])
def test_the_default_scheduler_may_take_other_nodes(text: str, scheduler: str | None, is_told: bool, tmp_path: Path) -> None:
    cluster, config = tmp_path / "cluster.yaml", tmp_path / "config.yaml"
    cluster.write_text("---\n".join(NODE.format(name=name) for name in ("l4", "h100")))
    setting = "{}" if scheduler is None else f"{{schedulerName: {scheduler}}}"
    config.write_text(f"apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\nllmaz: {setting}\n")
    said = run("dry-run", "-", "--cluster", str(cluster), "--config", str(config), text=f"{MODEL}---\n{text}").stdout
    model, workload = said.split(f"\n{text.split()[3]} prod/qwen")
    assert "fits     node l4\n" in model
    assert (f"fits     node l4{ELSEWHERE}\n" in workload) is is_told
    assert ("fits     node l4\n" in workload) is not is_told
