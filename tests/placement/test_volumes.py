"""Volumes: claims because of which the scheduler doesn't consider a pod, and nodes that can't reach a volume."""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import node, placed, pod
from weighbridge.policies.ground.objects import JSONObject

ZONE, HOST = "topology.kubernetes.io/zone", "kubernetes.io/hostname"
ELSEWHERE = "node(s) didn't match PersistentVolume's node affinity"
NONE_FREE = "node(s) didn't find available persistent volumes to bind"
OTHER_ZONE = "node(s) had no available volume zone"
NOWHERE = {"n1": [NONE_FREE], "n2": [NONE_FREE], "bare": [NONE_FREE]}
UNBOUND = "pod has unbound immediate PersistentVolumeClaims"


def storage_class(name: str, provisioner: str = "p.x", *zones: str, mode: str = "WaitForFirstConsumer") -> JSONObject:
    topologies = [{"matchLabelExpressions": [{"key": ZONE, "values": list(zones)}]}] if zones else []
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": name},
        "provisioner": provisioner,
        "volumeBindingMode": mode,
        "allowedTopologies": topologies,
    }


def volume(name: str, size: str = "10Gi", host: str = "", labels: dict[str, str] | None = None, **spec: Any) -> JSONObject:
    """An available volume of class `local`, reachable from one host if one is given."""
    term = {"matchExpressions": [{"key": HOST, "operator": "In", "values": [host]}]}
    affinity = {"nodeAffinity": {"required": {"nodeSelectorTerms": [term]}}} if host else {}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": name, "labels": labels or {}},
        "spec": {"capacity": {"storage": size}, "accessModes": ["ReadWriteOnce"], "storageClassName": "local", **affinity, **spec},
        "status": {"phase": "Available"},
    }


def claim(name: str, storage: str | None = "local", size: str = "1Gi", bound: str = "", **spec: Any) -> JSONObject:
    """A claim; a bound one has its volume."""
    annotations = {"pv.kubernetes.io/bind-completed": "yes"} if bound else {}
    wanted = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}}, **spec}
    wanted |= {"volumeName": bound} if bound else {}
    wanted |= {"storageClassName": storage} if storage is not None else {}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": name, "namespace": "default", "annotations": annotations},
        "spec": wanted,
        "status": {"phase": "Bound" if bound else "Pending"},
    }


def using(*claims: str, **spec: Any) -> JSONObject:
    return pod(volumes=[{"name": f"v-{name}", "persistentVolumeClaim": {"claimName": name}} for name in claims], **spec)


def owned(obj: JSONObject, name: str) -> JSONObject:
    """The object with a pod as its controller."""
    owner = {"apiVersion": "v1", "kind": "Pod", "name": name, "uid": "u", "controller": True}
    return {**obj, "metadata": {**obj["metadata"], "ownerReferences": [owner]}}


#: A pod with a claim of its own.
OWN = pod(volumes=[{"name": "v", "ephemeral": {"volumeClaimTemplate": {}}}])
NODES = (node("n1", labels={ZONE: "z1"}), node("n2", labels={ZONE: "z2"}), node("bare"))
CLASSES = (
    storage_class("made"),
    storage_class("made-in-z2", "p.x", "z2"),
    storage_class("local", "kubernetes.io/no-provisioner"),
    storage_class("now", mode="Immediate"),
)


@pytest.mark.parametrize(
    ("asked", "objects", "text"),
    [
        (using("missing"), [claim("c", "made")], 'persistentvolumeclaim "missing" not found'),
        (using("c"), [claim("c", bound="gone"), volume("v")], 'persistentvolume "gone" not found'),
        (using("c"), [claim("c", "now")], UNBOUND),
        (using("c"), [claim("c", "no-such")], UNBOUND),
        (using("c"), [claim("c", "")], UNBOUND),
        (using("c"), [claim("c", "local", volumeName="v"), volume("v")], UNBOUND),
        (using("a", "c"), [claim("a", "made"), claim("c", "now")], UNBOUND),
        (
            using("c"),
            [{**claim("c", bound="gone"), "status": {"phase": "Lost"}}],
            'persistentvolumeclaim "c" bound to non-existent persistentvolume "gone"',
        ),
        (
            pod(volumes=[{"name": "v", "ephemeral": {"volumeClaimTemplate": {}}}]),
            [claim("c")],
            'waiting for ephemeral volume controller to create the persistentvolumeclaim "p-v"',
        ),
        (
            pod(volumes=[{"name": "v", "ephemeral": {"volumeClaimTemplate": {}}}]),
            [claim("p-v", bound="v"), volume("v")],
            "PVC default/p-v was not created for pod default/p (pod is not owner)",
        ),
    ],
)
def test_a_claim_refuses_the_pod_before_any_node_is_looked_at(asked: JSONObject, objects: list[JSONObject], text: str) -> None:
    placement = placed(asked, *NODES, *CLASSES, *objects)
    assert placement.message == f"0/3 nodes are available: {text}. not found"
    assert placement.rejected == {"n1": [text], "n2": [text], "bare": [text]}


@pytest.mark.parametrize(
    ("asked", "objects", "rejected"),
    [
        (using("c"), [claim("c", bound="v"), volume("v", host="n1")], {"n2": [ELSEWHERE], "bare": [ELSEWHERE]}),
        (using("c"), [claim("c", bound="v"), volume("v", labels={ZONE: "z1"})], {"n2": [OTHER_ZONE]}),
        (using("c"), [claim("c", bound="v"), volume("v", labels={ZONE: "z1__z2"})], {}),
        (using("c"), [claim("c", bound="v"), volume("v", labels={ZONE: ""})], {}),
        (using("c"), [claim("c", bound="v"), volume("v", labels={ZONE: "z1____z3"})], {}),
        (OWN, [owned(claim("p-v", bound="v"), "p"), volume("v", host="n1")], {"n2": [ELSEWHERE], "bare": [ELSEWHERE]}),
        (using("c"), [claim("c", bound="v"), volume("v", labels={"failure-domain.beta.kubernetes.io/zone": "z2"})], {"n1": [OTHER_ZONE]}),
        (using("c"), [claim("c", "made")], {}),
        (using("c"), [claim("c", "made-in-z2")], {"n1": [NONE_FREE], "bare": [NONE_FREE]}),
        (using("c"), [claim("c"), volume("v", host="n1")], {"n2": [NONE_FREE], "bare": [NONE_FREE]}),
        (using("c"), [claim("c", size="11Gi"), volume("v")], NOWHERE),
        (using("c"), [claim("c", volumeMode="Block"), volume("v")], NOWHERE),
        (using("c"), [claim("c"), volume("v", volumeMode="Block")], NOWHERE),
        (using("c"), [claim("c", volumeMode="Block"), volume("v", volumeMode="Block")], {}),
        (using("c"), [claim("c", volumeMode="Filesystem"), volume("v")], {}),
        (using("c"), [claim("c"), volume("v", volumeMode="Filesystem")], {}),
        (using("c"), [claim("c", volumeAttributesClassName="fast"), volume("v")], NOWHERE),
        (using("c"), [claim("c"), volume("v", volumeAttributesClassName="fast")], NOWHERE),
        (using("c"), [claim("c", volumeAttributesClassName="fast"), volume("v", volumeAttributesClassName="slow")], NOWHERE),
        (using("c"), [claim("c", volumeAttributesClassName="fast"), volume("v", volumeAttributesClassName="fast")], {}),
        (using("c"), [claim("c", accessModes=["ReadWriteMany"]), volume("v")], NOWHERE),
        (using("c"), [claim("c"), {**volume("v"), "status": {"phase": "Released"}}], NOWHERE),
        (using("c"), [claim("c"), volume("v", storageClassName="other")], NOWHERE),
        (
            using("c"),
            [claim("c"), volume("v", claimRef={"name": "d", "namespace": "default"})],
            NOWHERE,
        ),
        (
            using("c"),
            [claim("c"), volume("v", host="n2", claimRef={"name": "c", "namespace": "default"})],
            {"n1": [NONE_FREE], "bare": [NONE_FREE]},
        ),
        (using("c"), [claim("c", selector={"matchLabels": {"tier": "a"}}), volume("v", labels={"tier": "a"})], {}),
        (using("c"), [claim("c", selector={"matchLabels": {"tier": "a"}}), volume("v")], NOWHERE),
        (using("a", "b"), [claim("a"), claim("b"), volume("v")], NOWHERE),
        (using("big", "small"), [claim("big", size="8Gi"), claim("small"), volume("v", "9Gi"), volume("w", "2Gi")], {}),
        (
            using("a", "b"),
            [claim("a", bound="v"), volume("v", host="n1"), claim("b"), volume("w", host="n1")],
            {"n2": [ELSEWHERE, NONE_FREE], "bare": [ELSEWHERE, NONE_FREE]},
        ),
    ],
)
def test_a_volume_keeps_the_pod_from_nodes(asked: JSONObject, objects: list[JSONObject], rejected: dict[str, list[str]]) -> None:
    assert placed(asked, *NODES, *CLASSES, *objects).rejected == rejected


def test_a_claim_that_was_given_a_node_is_met_there_alone() -> None:
    given = claim("c", "made")
    given["metadata"]["annotations"] = {"volume.kubernetes.io/selected-node": "n2"}
    assert placed(using("c"), *NODES, *CLASSES, given).feasible == ["n2"]


def test_a_new_claim_without_a_class_gets_the_default_one() -> None:
    default = storage_class("std")
    default["metadata"]["annotations"] = {"storageclass.kubernetes.io/is-default-class": "true"}
    new = claim("c", None)
    del new["status"]
    assert placed(using("c"), *NODES, default, new).feasible == ["n1", "n2", "bare"]


@pytest.mark.parametrize(
    ("objects", "unchecked"),
    [
        ([], "PersistentVolumeClaim c: the cluster's claims aren't known"),
        ([claim("c", bound="v")], "PersistentVolume v: the cluster's volumes aren't known"),
        ([claim("c", "made")], "StorageClass made: the cluster's storage classes aren't known"),
        ([claim("c"), storage_class("local", "kubernetes.io/no-provisioner")], "volumes: the cluster's PersistentVolumes aren't known"),
    ],
)
def test_what_is_not_known_of_volumes_is_not_guessed(objects: list[JSONObject], unchecked: str) -> None:
    placement = placed(using("c"), *NODES, *objects)
    assert placement.unchecked == [unchecked]
    assert placement.feasible == ["n1", "n2", "bare"]


@pytest.mark.parametrize(
    ("asked", "objects", "hint"),
    [
        (using("model-cach"), [claim("model-cache", "made")], "no claim model-cach in namespace default; there is model-cache"),
        (using("c"), [claim("c", "now")], "claim c waits for its volume: class now binds before the pod has a node"),
        (using("c"), [claim("c", "no-such")], "claim c waits for its volume: storage class no-such doesn't exist"),
        (
            using("c"),
            [claim("c", "")],
            "claim c has no storage class, and the cluster has no default one; name one in the claim, or create a volume for it",
        ),
        (
            using("c"),
            [{**claim("c", bound="v"), "metadata": {**claim("c", bound="v")["metadata"], "deletionTimestamp": "2026-01-01T00:00:00Z"}}],
            "claim c is being deleted; create it again once no pod uses it and it is gone",
        ),
    ],
)
def test_people_are_told_what_a_claim_waits_for(asked: JSONObject, objects: list[JSONObject], hint: str) -> None:
    assert placed(asked, *NODES, *CLASSES, *objects).nearest == [hint]
