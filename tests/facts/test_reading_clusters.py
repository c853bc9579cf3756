"""Files with a cluster are used as a whole or not at all, and every stored object is judged as it is and as a new one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import Extent, SnapshotHeader
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase
from weighbridge.webhook.inputs import stored
from weighbridge.webhook.inputs.cluster_files import read_cluster, read_snapshot
from weighbridge.webhook.inputs.facts import bundled_definitions
from weighbridge.webhook.inputs.stored import judged_objects
from weighbridge.webhook.texts.errors import InputError

HEAD = "apiVersion: weighbridge.dev/v1alpha1\nkind: Snapshot\n"
NODE: JSONObject = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "gpu"}}


def file(folder: Path, name: str, content: str | JSONObject) -> str:
    (folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
    return str(folder / name)


def snapshot(complete: list[str], not_known: list[str], former: str) -> JSONObject:
    reasons = [{"kind": kind, "reason": "no"} for kind in not_known]
    node = {**NODE, "metadata": {"name": former}}
    return {
        "apiVersion": "weighbridge.dev/v1alpha1",
        "kind": "Snapshot",
        "complete": complete,
        "notKnown": reasons,
        "formerNodes": [node],
        "items": [],
    }


def test_what_one_snapshot_knows_another_need_not(tmp_path: Path) -> None:
    one = file(tmp_path, "1.json", snapshot(["Node"], ["Pod", "Pool.g.io"], "x"))
    other = file(tmp_path, "2.json", snapshot(["Pod"], ["Node"], "y"))
    plain = file(tmp_path, "3.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: gpu}\n---\nnull\n---\na: 1\n")
    objects, extent = read_cluster([one, other, plain])
    assert objects == [NODE]
    assert (extent.complete, extent.not_known) == (frozenset({("", "Node"), ("", "Pod")}), frozenset({("g.io", "Pool")}))
    assert [node["metadata"]["name"] for node in extent.former] == ["x", "y"]
    assert read_cluster([]) == ([], Extent())
    assert read_cluster([one])[0] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f"{HEAD}complet: []\nserver: 1\nitems:\n- 1\n",
            (
                "{0}:3: complet: unknown key; did you mean complete?\n{0}:4: server: must be a text\n"
                "{0}:6: items[0]: must be an object with apiVersion, kind and metadata"
            ),
        ),
        ("a: [\n", "{0}:1:5: "),
        ("apiVersion: v1\nkind: List\nitems:\n- 1\n", "{0}:4"),
        ("a: 1\n", "{0}: no Kubernetes object in there; give what `weighbridge snapshot` or `kubectl get -o yaml` prints"),
    ],
)
def test_a_file_with_a_mistake_is_not_used(tmp_path: Path, text: str, said: str) -> None:
    path = file(tmp_path, "c.yaml", text)
    with pytest.raises(InputError) as caught:
        read_cluster([path])
    found, wanted = str(caught.value), said.format(path)
    assert found.startswith(wanted)
    assert found == wanted or found.endswith(" (the cluster's snapshot)")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    missing = str(tmp_path / "none.yaml")
    with pytest.raises(InputError, match=r"none\.yaml.*\(the cluster's snapshot\)$"):
        read_cluster([missing])
    with pytest.raises(InputError, match=r"none\.yaml[^(]*$"):
        read_snapshot(missing)


def test_the_first_snapshot_of_a_file_is_read_with_its_objects(tmp_path: Path) -> None:
    plain = "apiVersion: v1\nkind: Node\nmetadata: {name: before}\n---\n"
    item = "items:\n- {apiVersion: v1, kind: Node, metadata: {name: gpu}}\n"
    path = file(tmp_path, "s.yaml", f"{plain}{HEAD}server: v1.36.0\n{item}---\n{HEAD}server: v1.35.0\n")
    assert read_snapshot(path) == (SnapshotHeader(server="v1.36.0"), [NODE])
    assert read_snapshot(file(tmp_path, "p.yaml", plain)) is None


# --- stored objects ---


def model(name: str, **metadata: Any) -> JSONObject:
    spec = {"source": "https://models.example/a.gguf"}
    where = {"name": name, "namespace": "a", **metadata}
    return {"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": "Model", "metadata": where, "spec": spec, "status": {"phase": "Ready"}}


TRACKED = {"argocd.argoproj.io/tracking-id": "shop:apps/Deployment:a/b"}
RELEASED = {"meta.helm.sh/release-name": "llms"}
FLUX = {"kustomize.toolkit.fluxcd.io/name": "apps"}
OTHER = {"kind": "ReplicaSet", "name": "r", "controller": False}
CONTROLLER = {"kind": "ModelPool", "name": "p", "controller": True}


@pytest.mark.parametrize(
    ("metadata", "owner"),
    [
        ({}, ""),
        ({"annotations": {"a": "b"}, "labels": {"a": "b"}}, ""),
        ({"ownerReferences": [OTHER]}, ""),
        ({"ownerReferences": [OTHER, CONTROLLER], "annotations": RELEASED}, "ModelPool/p"),
        ({"ownerReferences": [OTHER], "annotations": {**TRACKED, **RELEASED}}, "helm/llms"),
        ({"annotations": TRACKED, "labels": FLUX}, "argocd/shop"),
        ({"labels": FLUX}, "flux/apps"),
        ({"annotations": FLUX, "labels": {**RELEASED, **TRACKED}}, ""),
    ],
)
def test_the_owner_is_what_controls_or_has_applied_it(monkeypatch: pytest.MonkeyPatch, metadata: JSONObject, owner: str) -> None:
    monkeypatch.setattr(stored, "decide", lambda *_: Decision(allowed=True, code=200))
    (judged,) = judged_objects(from_objects([model("m", **metadata)], bundled_definitions()), DEFAULT)
    assert (judged.owner, judged.label, judged.namespace) == (owner, "Model/m", "a")


def test_each_object_is_judged_as_an_update_that_changes_nothing_and_as_a_creation_beside_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    servers = {"creationTimestamp": "2026-01-01T00:00:00Z", "generation": 2, "managedFields": [], "resourceVersion": "7", "uid": "u"}
    going = {"deletionTimestamp": "2026-01-01T00:00:00Z"}
    own = {"labels": {"l": "m"}, "annotations": {"a": "b"}, "finalizers": ["f"]}
    one, two = model("one", **servers, **going, **own), model("two")
    facts = from_objects([one, two], bundled_definitions())
    asked: list[tuple[Operation, JSONObject, JSONObject, list[str]]] = []

    def decide(request: Request, there: Facts, _: object, phase: Phase) -> Decision:
        if phase is Phase.VALIDATE:
            names = sorted(obj["metadata"]["name"] for obj in there.objects.list("inference.llmkube.dev", "Model"))
            asked.append((request.operation, request.object, request.old_object, names))
        return Decision(allowed=True, code=200)

    monkeypatch.setattr(stored, "decide", decide)
    found = list(judged_objects(facts, DEFAULT))
    assert [judged.object for judged in found] == [one, two]
    anew = {key: value for key, value in model("one", **own).items() if key != "status"}
    new_two = {key: value for key, value in two.items() if key != "status"}
    update, create = Operation.UPDATE, Operation.CREATE
    assert [entry[:2] for entry in asked] == [(update, one), (create, anew), (update, two), (create, new_two)]
    assert [entry[2] for entry in asked[::2]] == [one, two]
    assert [entry[3] for entry in asked] == [["one", "two"], ["two"], ["one", "two"], ["one"]]
    assert sorted(obj["metadata"]["name"] for obj in facts.objects.list("inference.llmkube.dev", "Model")) == ["one", "two"]
