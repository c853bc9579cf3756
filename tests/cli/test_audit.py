"""The output of `weighbridge audit` for a snapshot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.command_line import run

_GOOD = "https://example.com/m.gguf"


def model(name: str, source: str, namespace: str = "a", **metadata: Any) -> dict[str, Any]:
    """A stored Model."""
    stored = {"name": name, "namespace": namespace, "uid": name, "resourceVersion": "1", **metadata}
    return {"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": "Model", "metadata": stored, "spec": {"source": source}}


def snapshot(folder: Path, *objects: dict[str, Any]) -> str:
    """A file with these objects."""
    path = folder / "cluster.yaml"
    path.write_text(yaml.safe_dump({"apiVersion": "v1", "kind": "List", "items": list(objects)}))
    return str(path)


def test_nothing_to_refuse_is_exit_code_0(tmp_path: Path) -> None:
    done = run("audit", "--cluster", snapshot(tmp_path, model("m", _GOOD)))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("1 object: mode deny would refuse 0 as they are and 0 if they were created anew")


def test_refusals_are_counted_by_namespace_rule_and_owner(tmp_path: Path) -> None:
    helm: dict[str, Any] = {"annotations": {"meta.helm.sh/release-name": "chat"}}
    cluster = snapshot(
        tmp_path, model("m", "pvc://x", **helm), model("second", "pvc://x", **helm), model("m", "pvc://x", "b"), model("o", _GOOD)
    )
    done = run("audit", "--cluster", cluster)
    assert done.returncode == 1
    assert [line.split() for line in done.stdout.splitlines()[:3]] == [
        ["NAMESPACE", "RULE", "OWNER", "UPDATES", "CREATIONS"],
        ["a", "LLMKUBE-009", "helm/chat", "0", "2"],
        ["b", "LLMKUBE-009", "-", "0", "1"],
    ]
    assert "4 objects: mode deny would refuse 0 as they are and 3 if they were created anew" in done.stdout


@pytest.mark.parametrize(
    ("metadata", "owner"),
    [
        ({"ownerReferences": [{"kind": "Stack", "name": "s", "controller": True, "apiVersion": "x/v1", "uid": "u"}]}, "Stack/s"),
        ({"annotations": {"argocd.argoproj.io/tracking-id": "chat:inference.llmkube.dev/Model:a/m"}}, "argocd/chat"),
        ({"labels": {"kustomize.toolkit.fluxcd.io/name": "apps"}}, "flux/apps"),
    ],
)
def test_the_owner_is_who_applied_it(tmp_path: Path, metadata: dict[str, Any], owner: str) -> None:
    done = run("audit", "--cluster", snapshot(tmp_path, model("m", "pvc://x", **metadata)), "-o", "json")
    assert [entry["owner"] for entry in json.loads(done.stdout)["refused"]] == [owner]


def test_json_has_the_words_of_each_refusal(tmp_path: Path) -> None:
    found = json.loads(run("audit", "--cluster", snapshot(tmp_path, model("m", "pvc://x")), "-o", "json").stdout)
    assert {key: found[key] for key in ("objects", "updatesRefused", "creationsRefused")} == {
        "objects": 1,
        "updatesRefused": 0,
        "creationsRefused": 1,
    }
    (refused,) = found["refused"]
    assert refused["update"] == {"allowed": True, "message": ""}
    assert refused["creation"]["message"].endswith("(LLMKUBE-009)")
    assert [(entry["rule"], entry["operation"]) for entry in refused["findings"]] == [("LLMKUBE-009", "CREATE")]


def test_details_name_each_object(tmp_path: Path) -> None:
    done = run("audit", "--cluster", snapshot(tmp_path, model("m", "pvc://x")), "-v")
    assert "a/Model/m: LLMKUBE-009 spec.source: " in done.stdout


def test_the_configuration_counts(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\nrules: {LLMKUBE-009: warn}\n")
    assert run("audit", "--cluster", snapshot(tmp_path, model("m", "pvc://x")), "--config", str(config)).returncode == 0


def test_what_anybody_may_write_on_an_object_does_not_steer_the_terminal(tmp_path: Path) -> None:
    release: dict[str, Any] = {"annotations": {"meta.helm.sh/release-name": "a\x1b[2Jb\u202ec\nd"}}
    cluster = snapshot(tmp_path, model("m", "pvc://\x1b[2Jx", **release))
    for options in ((), ("-v",), ("-o", "json")):
        told = run("audit", "--cluster", cluster, *options).stdout
        assert "\x1b" not in told
        assert "\u202e" not in told
    assert r"helm/a\x1b[2Jb\u202ec d" in run("audit", "--cluster", cluster).stdout


def test_a_table_of_usual_names_fits_into_80_columns(tmp_path: Path) -> None:
    release: dict[str, Any] = {"annotations": {"meta.helm.sh/release-name": "retrieval-frontends"}}
    done = run("audit", "--cluster", snapshot(tmp_path, model("m", "pvc://x", "team-language-models", **release)))
    assert max(map(len, done.stdout.splitlines()[:2])) <= 80


def test_a_kind_that_could_not_be_read_is_exit_code_2(tmp_path: Path) -> None:
    """If some objects couldn't be read, the lack of refusals is no reason to switch to deny."""
    unknown = [{"kind": "Model.inference.llmkube.dev", "reason": "forbidden"}, {"kind": "Node", "reason": "forbidden"}]
    items = [model("m", _GOOD)]
    document = {"apiVersion": "weighbridge.dev/v1alpha1", "kind": "Snapshot", "complete": [], "notKnown": unknown, "items": items}
    path = tmp_path / "cluster.yaml"
    path.write_text(yaml.safe_dump(document))
    done = run("audit", "--cluster", str(path))
    assert done.returncode == 2
    assert "not judged, since it can't be read: Model.inference.llmkube.dev; " in done.stderr
    assert json.loads(run("audit", "--cluster", str(path), "-o", "json").stdout)["notRead"] == ["Model.inference.llmkube.dev"]


TWO_MISTAKES = """\
apiVersion: weighbridge.dev/v1alpha1
kind: Snapshot
complete: [Model.inference.llmkube.dev, Node]
items:
- apiVersion: v1
  kind: Node
  metadata: {name: n1}
  status: {allocatable: {cpu: "8", memory: 64Gi, pods: "110", nvidia.com/gpu: "4"}}
- apiVersion: inference.llmkube.dev/v1alpha1
  kind: Model
  metadata: {name: two, namespace: lab}
  spec: {source: "https://example.com/a.gguf", hardware: {accelerator: rocm, gpu: {enabled: true, count: 8, vendor: nvidia}}}
- apiVersion: ome.io/v1beta1
  kind: InferenceService
  metadata: {name: chat, namespace: lab}
  spec: {model: {name: absent}, engine: {}}
"""


def test_each_object_counts_once_and_what_is_not_checked_is_named(tmp_path: Path) -> None:
    (tmp_path / "cluster.yaml").write_text(TWO_MISTAKES)
    done = run("audit", "--cluster", str(tmp_path / "cluster.yaml"))
    lines = done.stdout.splitlines()
    total = next(line for line in lines if line.startswith("in all"))
    assert (len([line for line in lines if line.startswith("lab ")]), total.split()) == (2, ["in", "all", "0", "1"])
    reasons = [line for line in lines if line.startswith("not checked: ")]
    assert reasons
    assert all(line.endswith(" (1 object)") for line in reasons)
    assert "  lab/InferenceService/chat" not in lines
    verbose = run("audit", "--cluster", str(tmp_path / "cluster.yaml"), "-v").stdout.splitlines()
    assert "  lab/InferenceService/chat" in verbose
    document = json.loads(run("audit", "--cluster", str(tmp_path / "cluster.yaml"), "-o", "json").stdout)
    assert {name for entry in document["notChecked"] for name in entry["objects"]} == {"lab/InferenceService/chat"}
    assert all(": " in entry["reason"] for entry in document["notChecked"])
