"""The snapshot's document: the kinds that it declares as known, mistakes in a file, and redaction."""

from __future__ import annotations

import copy
import json
import pathlib
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import from_objects
from weighbridge.policies.facts.document import Extent, SnapshotHeader, json_schema, mistakes, read_header
from weighbridge.policies.facts.kept_parts import trim
from weighbridge.policies.facts.redaction import Redaction
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.webhook.inputs.cluster_files import read_cluster
from weighbridge.webhook.texts.errors import InputError

HEADER = SnapshotHeader("v1.36.3", "2026-01-01T00:00:00+00:00", (("", "Node"), ("g.io", "Pool")), {("h.io", "Claim"): "403"})
POOL: JSONObject = {
    "apiVersion": "g.io/v1",
    "kind": "Pool",
    "metadata": {"name": "p", "namespace": "team-a"},
    "spec": {"nodeName": "gpu-17"},
}


def test_a_document_is_read_back_as_it_was_written(tmp_path: pathlib.Path) -> None:
    document = HEADER.document([POOL])
    assert read_header(document) == HEADER
    jsonschema.validate(document, json_schema())
    path = tmp_path / "snapshot.json"
    path.write_text(json.dumps(document))
    assert read_cluster([str(path)]) == ([POOL], Extent(frozenset(HEADER.complete), frozenset({("h.io", "Claim")}), server="v1.36.3"))


def test_what_is_complete_is_known_even_where_it_is_nothing() -> None:
    facts = from_objects([POOL], Definitions(), extent=HEADER.extent)
    assert facts.inventory is not None
    assert facts.inventory.offers == {}
    assert facts.objects.knows_all("g.io", "Pool")
    assert not facts.objects.knows_all("h.io", "Claim")
    assert from_objects([POOL], Definitions()).inventory is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "apiVersion: weighbridge.dev/v2\nkind: Snapshot\n",
            ":1: apiVersion: this version reads weighbridge.dev/v1alpha1, not 'weighbridge.dev/v2'",
        ),
        ("apiVersion: weighbridge.dev/v1alpha1\nkind: Snapshot\ncomplet: []\n", ":3: complet: unknown key; did you mean complete?"),
        (
            "apiVersion: weighbridge.dev/v1alpha1\nkind: Snapshot\ncomplete:\n- Node\n- 3\n",
            ":5: complete[1]: must be a kind with its group",
        ),
        ("apiVersion: weighbridge.dev/v1alpha1\nkind: Snapshot\nitems: {a: 1}\n", ":3: items: must be a list of objects"),
        ("apiVersion: weighbridge.dev/v1alpha1\nkind: Snapshot\nitems:\n- 1\n", ":4: items[0]: must be an object"),
        ("apiVersion: weighbridge.dev/v1alpha1\nkind: Snapshot\nnotKnown:\n- {reason: x}\n", ":4: notKnown[0]: must be a kind"),
        ("apiVersion: weighbridge.dev/v1alpha1\nkind: Snapshot\nnotKnown: 3\n", ":3: notKnown: must be a list of maps"),
    ],
)
def test_a_mistake_names_file_line_and_field(tmp_path: pathlib.Path, text: str, said: str) -> None:
    path = tmp_path / "snapshot.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_cluster([str(path)])
    assert str(caught.value).startswith(f"{path}{said}")


WHOLE = {
    "apiVersion": "weighbridge.dev/v1alpha1",
    "kind": "Snapshot",
    "server": "v1.36.3",
    "takenAt": "2026-01-01T00:00:00+00:00",
    "cluster": "uid",
    "complete": ["Node"],
    "notKnown": [{"kind": "Claim.h.io", "reason": "403"}],
    "redacted": [{"kind": "Pool.g.io", "namespace": "n", "name": "p", "fields": ["spec.a"]}],
    "formerNodes": [{}],
    "items": [{}],
}


def _places(value: JSONValue, path: Path = ()) -> Iterator[Path]:
    """The paths of a value in a document, at any depth."""
    for key, below in value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ()):
        yield (*path, key)
        yield from _places(below, (*path, key))


def _changed(path: Path, value: JSONValue) -> JSONObject:
    document = copy.deepcopy(WHOLE)
    *parents, last = path
    place: Any = document
    for key in parents:
        place = place[key]
    place[last] = value
    return document


@pytest.mark.parametrize("path", list(_places(WHOLE)), ids=lambda path: ".".join(map(str, path)))
def test_editors_are_told_of_what_is_refused_at_any_place(path: Path) -> None:
    assert list(mistakes(WHOLE)) == []
    jsonschema.validate(WHOLE, json_schema())
    document = _changed(path, 7)
    assert list(mistakes(document)) or path == ("kind",)
    with pytest.raises(jsonschema.ValidationError) as caught:
        jsonschema.validate(document, json_schema())
    assert tuple(caught.value.absolute_path) == path


@pytest.mark.parametrize("path", [("more",), ("notKnown", 0, "more"), ("redacted", 0, "more")], ids=str)
def test_editors_are_told_of_unknown_keys(path: Path) -> None:
    document = _changed(path, "a")
    assert [where for where, _ in mistakes(document)] == [path]
    with pytest.raises(jsonschema.ValidationError, match="'more' was unexpected"):
        jsonschema.validate(document, json_schema())


def test_redaction_renames_the_same_everywhere() -> None:
    node: JSONObject = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "gpu-17", "labels": {"kubernetes.io/hostname": "gpu-17", "gpu": "mi300x"}},
    }
    device_class: JSONObject = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "gpu.amd.com"}}
    model: JSONObject = {
        "kind": "Model",
        "apiVersion": "m/v1",
        "metadata": {"name": "m", "namespace": "team-a", "annotations": {"a": "b"}},
        "spec": {"poolRef": {"name": "p"}},
    }
    objects = [node, device_class, POOL, model]
    redaction = Redaction(objects)
    node, device_class, pool, model = map(redaction.redact, objects)
    assert node["metadata"] == {"name": "node-1", "labels": {"kubernetes.io/hostname": "node-1", "gpu": "mi300x"}}
    assert device_class["metadata"]["name"] == "gpu.amd.com"
    assert pool["metadata"] == {"name": "pool-1", "namespace": "namespace-1"}
    assert pool["spec"] == {"nodeName": "node-1"}
    assert model["spec"]["poolRef"]["name"] == "pool-1"
    assert "annotations" not in model["metadata"]


def test_redaction_renames_namespaces_and_the_nodes_of_other_kinds() -> None:
    objects: list[JSONObject] = [
        {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {"name": "team-a", "labels": {"kubernetes.io/metadata.name": "team-a", "x": "y"}},
        },
        {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "limits", "namespace": "team-a"}},
        {"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": "gpu-17"}, "spec": {"drivers": []}},
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "gpu-17"}},
    ]
    redaction = Redaction(objects)
    namespace, limits, csi_node, node = (redaction.redact(obj)["metadata"] for obj in objects)
    assert namespace == {"name": "namespace-1", "labels": {"kubernetes.io/metadata.name": "namespace-1", "x": "y"}}
    assert limits["namespace"] == "namespace-1"
    assert csi_node["name"] == node["name"] == "node-1"


def test_of_a_node_s_drivers_only_names_and_limits_are_kept_and_of_namespaces_labels() -> None:
    drivers = [{"name": "a", "nodeID": "i-0123", "topologyKeys": ["zone"], "allocatable": {"count": 25}}, {"name": "b", "nodeID": "i-0123"}]
    head = {"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": "n"}}
    kept = [{"name": "a", "allocatable": {"count": 25}}, {"name": "b"}]
    assert trim({**head, "spec": {"drivers": drivers}}) == {**head, "spec": {"drivers": kept}}
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "n", "labels": {"a": "b"}}}
    assert trim({**namespace, "spec": {"finalizers": ["kubernetes"]}, "status": {"phase": "Active"}}) == namespace


def test_trimming_keeps_what_a_scheduler_reads() -> None:
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "a", "labels": {"x": "y"}, "managedFields": [{}], "annotations": {"big": "x" * 1000}},
        "spec": {"taints": [{"key": "k", "effect": "NoSchedule"}], "podCIDR": "10.0.0.0/24"},
        "status": {
            "allocatable": {"cpu": "1"},
            "capacity": {"cpu": "2"},
            "images": [{}],
            "conditions": [{"type": "Ready", "status": "True", "message": "m"}],
        },
    }
    assert trim(node) == {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "a", "labels": {"x": "y"}},
        "spec": {"taints": [{"key": "k", "effect": "NoSchedule"}]},
        "status": {"allocatable": {"cpu": "1"}, "conditions": [{"type": "Ready", "status": "True"}]},
    }


def test_redaction_keeps_what_an_autoscaler_will_bring() -> None:
    capacity = "capacity.cluster-autoscaler.kubernetes.io/gpu-count"
    group: JSONObject = {
        "apiVersion": "cluster.x-k8s.io/v1beta1",
        "kind": "MachineDeployment",
        "metadata": {"name": "secret-team", "namespace": "clusters", "annotations": {capacity: "8", "owner": "somebody"}},
    }
    metadata = Redaction([group]).redact(group)["metadata"]
    assert (metadata["name"], metadata["annotations"]) == ("machinedeployment-1", {capacity: "8"})
