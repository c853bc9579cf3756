"""The kept parts of a cluster's objects: for each kind the fields that are read, and for other kinds everything except bookkeeping."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.facts.kept_parts import only_read, trim
from weighbridge.policies.ground.objects import JSONObject

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
CLASS = "volume.beta.kubernetes.io/storage-class"
WRITTEN: JSONObject = {
    "name": "x",
    "namespace": "n",
    "labels": {"a": "b"},
    "uid": "1",
    "creationTimestamp": "2026-01-01T00:00:00Z",
    "generation": 3,
    "deletionTimestamp": "2026-01-02T00:00:00Z",
    "ownerReferences": [{"uid": "2"}],
}
BOOKKEEPING: JSONObject = {"managedFields": [{}], "resourceVersion": "7", "selfLink": "/x", "finalizers": ["f"], "generateName": "x-"}


def obj(api_version: str, kind: str, annotations: dict[str, str] | None = None, **parts: Any) -> JSONObject:
    """An object with all fields of metadata."""
    metadata = {**WRITTEN, **BOOKKEEPING, **({"annotations": annotations} if annotations is not None else {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **parts}


def slim(api_version: str, kind: str, metadata: JSONObject = WRITTEN, **parts: Any) -> JSONObject:
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **parts}


NAMED: JSONObject = {"name": "x", "labels": {"a": "b"}}


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (obj("v1", "Node"), slim("v1", "Node", NAMED)),
        (obj("v1", "Node", spec={"podCIDR": "c", "providerID": "p"}), slim("v1", "Node", NAMED)),
        (
            obj("v1", "Node", spec={"taints": [{"key": "k"}], "unschedulable": True, "podCIDR": "c"}),
            slim("v1", "Node", NAMED, spec={"taints": [{"key": "k"}], "unschedulable": True}),
        ),
        (
            obj(
                "v1",
                "Node",
                {"a": "b"},
                status={"allocatable": {"cpu": "1"}, "capacity": {"cpu": "2"}, "images": [1], "declaredFeatures": ["F"]},
            ),
            slim("v1", "Node", NAMED, status={"allocatable": {"cpu": "1"}, "declaredFeatures": ["F"]}),
        ),
        (obj("v1", "Node", status={"capacity": {"cpu": "2"}}), slim("v1", "Node", NAMED, status={"capacity": {"cpu": "2"}})),
        (
            obj("v1", "Node", status={"conditions": [{"type": "Ready", "status": "True", "message": "m"}, {"type": "DiskPressure"}]}),
            slim("v1", "Node", NAMED, status={"conditions": [{"type": "Ready", "status": "True"}]}),
        ),
        (obj("v1", "Node", status={"conditions": []}), slim("v1", "Node", NAMED, status={"conditions": []})),
        (obj("v1", "Namespace", {"a": "b"}, spec={"finalizers": []}, status={"phase": "Active"}), slim("v1", "Namespace", NAMED)),
        (
            obj(
                "storage.k8s.io/v1",
                "CSINode",
                spec={
                    "drivers": [
                        {"name": "a", "nodeID": "i", "allocatable": {"count": 3}},
                        {"name": "b", "allocatable": {}},
                        {"name": "c"},
                        {"name": "d", "allocatable": {"count": 0}},
                        {"name": "e", "allocatable": {"count": "5"}},
                    ]
                },
            ),
            slim(
                "storage.k8s.io/v1",
                "CSINode",
                NAMED,
                spec={
                    "drivers": [
                        {"name": "a", "allocatable": {"count": 3}},
                        {"name": "b"},
                        {"name": "c"},
                        {"name": "d", "allocatable": {"count": 0}},
                        {"name": "e"},
                    ]
                },
            ),
        ),
        (
            obj(
                "apiextensions.k8s.io/v1", "CustomResourceDefinition", {"c": "d"}, spec={"x": 1}, status={"storedVersions": ["v1"], "y": 2}
            ),
            slim(
                "apiextensions.k8s.io/v1",
                "CustomResourceDefinition",
                {**WRITTEN, "annotations": {"c": "d"}},
                spec={"x": 1},
                status={"storedVersions": ["v1"]},
            ),
        ),
        (
            obj("scheduling.k8s.io/v1", "PriorityClass", {"c": "d"}, value=5, globalDefault=True, description="text"),
            slim("scheduling.k8s.io/v1", "PriorityClass", value=5, globalDefault=True),
        ),
        (
            obj(
                "v1",
                "PersistentVolumeClaim",
                {CLASS: "fast", "c": "d"},
                spec={"volumeName": "v", "dataSource": {}},
                status={"phase": "Bound", "z": 1},
            ),
            slim(
                "v1",
                "PersistentVolumeClaim",
                {**WRITTEN, "annotations": {CLASS: "fast"}},
                spec={"volumeName": "v"},
                status={"phase": "Bound"},
            ),
        ),
        (
            obj("v1", "LimitRange", spec={"limits": [{"type": "Pod"}], "other": 1}),
            slim("v1", "LimitRange", spec={"limits": [{"type": "Pod"}]}),
        ),
        (
            obj("a.test/v1", "Thing", {LAST_APPLIED: "{}", "c": "d"}, spec={"any": [1]}, data={"x": "y"}),
            slim("a.test/v1", "Thing", {**WRITTEN, "annotations": {"c": "d"}}, spec={"any": [1]}, data={"x": "y"}),
        ),
        (obj("a.test/v1", "Thing", {LAST_APPLIED: "{}"}), slim("a.test/v1", "Thing", {**WRITTEN, "annotations": {}})),
        (obj("a.test/v1", "Node", spec={"podCIDR": "c"}), slim("a.test/v1", "Node", spec={"podCIDR": "c"})),
        ({"metadata": {"name": "x"}, "spec": 1}, {"apiVersion": None, "kind": None, "metadata": {"name": "x"}, "spec": 1}),
    ],
)
def test_what_is_read_is_kept(given: JSONObject, kept: JSONObject) -> None:
    assert trim(given) == kept
    assert trim(kept) == kept


def test_of_what_a_reader_asks_for_all_below_is_kept() -> None:
    keep = only_read("spec.a.b", "spec.list.c", "status")
    given = obj(
        "a.test/v1",
        "Thing",
        {"c": "d"},
        spec={"a": {"b": {"deep": [1]}, "z": 2}, "list": [{"c": 1, "z": 2}, {"z": 3}, 4]},
        status={"x": 1},
        z=0,
    )
    assert keep(given) == {
        "apiVersion": "a.test/v1",
        "kind": "Thing",
        "metadata": {"name": "x", "namespace": "n"},
        "spec": {"a": {"b": {"deep": [1]}}, "list": [{"c": 1}, {}, None]},
        "status": {"x": 1},
    }
    assert keep({"kind": "Thing", "spec": "text"}) == {"kind": "Thing", "spec": None}
