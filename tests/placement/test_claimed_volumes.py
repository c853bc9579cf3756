"""Findings on the claims of pods that fit: access modes that drivers refuse, zones, and replicas on the disk of one node."""

from __future__ import annotations

import pytest

from tests.placement.clusters import container, facts, node
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.ground.cautions import ONE_NODE_STORAGE, OTHER_ZONE, SMALL_DISK
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.placement.outcome import Placement
from weighbridge.policies.placement.request_pods import fits_now, placed
from weighbridge.policies.placement.volumes.access_modes import LOCAL, ZONAL, refused_mode

ZONE = "topology.kubernetes.io/zone"
WAITS: JSONObject = {"volumeBindingMode": "WaitForFirstConsumer"}
A, B = node("a", {"x.io/gpu": "1"}, labels={ZONE: "za"}), node("b", labels={ZONE: "zb"})
NODES = (A, B, {"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": "a"}, "spec": {"drivers": []}})


def storage_class(name: str, provisioner: str, **more: object) -> JSONObject:
    return {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": name}, "provisioner": provisioner, **more}


def claim(*modes: str, storage_class: str = "c", **spec: object) -> JSONObject:
    metadata = {"name": "cache", "namespace": "default"}
    wanted = {"accessModes": list(modes), "storageClassName": storage_class, "resources": {"requests": {"storage": "1Gi"}}, **spec}
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": wanted}


def deployment(replicas: int = 1, **wanted: str) -> JSONObject:
    volumes = [{"name": "v", "persistentVolumeClaim": {"claimName": "cache"}}]
    spec = {"containers": [container({"x.io/gpu": "1", **wanted})], "volumes": volumes}
    template = {"metadata": {"labels": {"a": "b"}}, "spec": spec}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "w", "namespace": "default"},
        "spec": {"replicas": replicas, "selector": {"matchLabels": {"a": "b"}}, "template": template},
    }


def judged(*objects: JSONObject, made: JSONObject | None = None) -> Placement:
    found = placed([made or deployment()], facts(*NODES, *objects), DEFAULT, "default")
    assert found is not None
    return found[0]


def said(*objects: JSONObject) -> list[tuple[str, str]]:
    return [(caution.rule, caution.message) for caution in judged(*objects).cautions]


@pytest.mark.parametrize(
    ("provisioner", "modes", "volume_mode", "refused"),
    [
        ("ebs.csi.aws.com", ("ReadWriteMany",), "", "ReadWriteMany"),
        ("ebs.csi.aws.com", ("ReadWriteOnce", "ReadWriteMany"), "Filesystem", "ReadWriteMany"),
        ("ebs.csi.aws.com", ("ReadOnlyMany",), "", "ReadOnlyMany"),
        ("ebs.csi.aws.com", ("ReadWriteMany",), "Block", ""),
        ("ebs.csi.aws.com", ("ReadOnlyMany",), "Block", "ReadOnlyMany"),
        ("ebs.csi.aws.com", ("ReadWriteOnce", "ReadWriteOncePod"), "", ""),
        ("pd.csi.storage.gke.io", ("ReadOnlyMany",), "", ""),
        ("pd.csi.storage.gke.io", ("ReadWriteMany",), "", "ReadWriteMany"),
        ("disk.csi.azure.com", ("ReadWriteMany",), "", "ReadWriteMany"),
        ("rancher.io/local-path", ("ReadWriteMany",), "Block", "ReadWriteMany"),
        ("rook-ceph.rbd.csi.ceph.com", ("ReadWriteMany",), "", "ReadWriteMany"),
        ("rook-ceph.cephfs.csi.ceph.com", ("ReadWriteMany",), "", ""),
        ("efs.csi.aws.com", ("ReadWriteMany",), "", ""),
        ("driver.longhorn.io", ("ReadWriteMany",), "", ""),
    ],
)
def test_what_drivers_refuse(provisioner: str, modes: tuple[str, ...], volume_mode: str, refused: str) -> None:
    assert refused_mode(provisioner, modes, volume_mode) == refused


def test_a_driver_that_refuses_the_mode_makes_no_volume() -> None:
    waiting = storage_class("c", "ebs.csi.aws.com", **WAITS)
    message = "claim cache is ReadWriteMany, which ebs.csi.aws.com (class c) refuses: it gets no volume, and the pods wait"
    assert said(claim("ReadWriteMany"), waiting) == [(ONE_NODE_STORAGE, message)]
    assert said(claim("ReadWriteMany"), storage_class("c", "ebs.csi.aws.com")) == [(ONE_NODE_STORAGE, message)]
    assert said(claim("ReadWriteOnce"), waiting) == []
    assert said(claim("ReadWriteMany"), storage_class("c", "nfs.csi.k8s.io", **WAITS)) == []


def test_a_claim_that_has_its_volume_is_left_alone() -> None:
    volume: JSONObject = {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": "pv"},
        "spec": {"accessModes": ["ReadWriteMany"], "capacity": {"storage": "1Gi"}, "storageClassName": "c"},
        "status": {"phase": "Available"},
    }
    waiting = storage_class("c", "ebs.csi.aws.com", **WAITS)
    assert said(claim("ReadWriteMany"), waiting, volume) == []
    bound = claim("ReadWriteMany", volumeName="pv")
    bound["metadata"]["annotations"] = {"pv.kubernetes.io/bind-completed": "yes"}
    bound["status"] = {"phase": "Bound"}
    assert said(bound, waiting, volume) == []


def test_a_stored_claim_that_never_gets_its_volume_says_why() -> None:
    stored = {**claim("ReadWriteMany"), "status": {"phase": "Pending"}}
    found = judged(stored, storage_class("c", "pd.csi.storage.gke.io"))
    assert found.nearest == ["claim cache gets no volume: it is ReadWriteMany, which pd.csi.storage.gke.io (class c) refuses"]


def test_a_volume_that_is_made_before_the_pod_has_a_node_may_be_in_another_zone() -> None:
    assert said(claim("ReadWriteOnce"), storage_class("c", "kubernetes.io/gce-pd")) == [
        (
            OTHER_ZONE,
            (
                "kubernetes.io/gce-pd (class c) creates the volume of claim cache before the pod has a node: it may be in zone zb, and the "
                "nodes that fit are in zone za"
            ),
        )
    ]


@pytest.mark.parametrize(
    "quiet",
    [
        pytest.param(storage_class("c", "kubernetes.io/gce-pd", **WAITS), id="waits for the pod"),
        pytest.param(storage_class("c", "nfs.csi.k8s.io"), id="not known to be in a zone"),
        pytest.param(
            storage_class("c", "kubernetes.io/gce-pd", allowedTopologies=[{"matchLabelExpressions": [{"key": ZONE, "values": ["za"]}]}]),
            id="in the right zone",
        ),
    ],
)
def test_of_other_classes_nothing_is_said(quiet: JSONObject) -> None:
    assert said(claim("ReadWriteOnce"), quiet) == []


def test_zones_that_all_have_nodes_that_fit_are_right() -> None:
    assert said(claim("ReadWriteOnce"), storage_class("c", "kubernetes.io/gce-pd"), node("b", {"x.io/gpu": "1"}, labels={ZONE: "zb"})) == []


@pytest.mark.parametrize(
    ("replicas", "cpu", "apart"),
    [
        (2, "1", ""),
        (3, "30", "its 3 replicas share claim cache, whose volume is on the disk of one node, and the largest node has room for 2"),
    ],
)
def test_replicas_on_the_disk_of_one_node_need_room_there(replicas: int, cpu: str, apart: str) -> None:
    big = node("big", {"x.io/gpu": "8"}, labels={ZONE: "za"})
    found = judged(claim("ReadWriteOnce"), storage_class("c", "rancher.io/local-path", **WAITS), big, made=deployment(replicas, cpu=cpu))
    assert found.apart == apart


def test_a_volume_in_another_zone_is_named_with_its_zone() -> None:
    classed = storage_class(
        "c", "ebs.csi.aws.com", **WAITS, allowedTopologies=[{"matchLabelExpressions": [{"key": ZONE, "values": ["zb"]}]}]
    )
    found = judged(claim("ReadWriteOnce"), classed)
    assert not found.fits
    assert "a would fit, but it can't reach the pod's volumes, which are in zone zb, not in za" in found.nearest


def test_the_webhook_takes_no_short_way_round_it() -> None:
    made = deployment()
    request = Request("u", Operation.CREATE, GroupVersionKind("apps", "v1", "Deployment"), made)
    waiting = storage_class("c", "ebs.csi.aws.com", **WAITS)
    assert not fits_now(request, [made], facts(*NODES, claim("ReadWriteMany"), waiting))
    request.forget()
    assert fits_now(request, [made], facts(*NODES, claim("ReadWriteOnce"), waiting))


def test_the_lists_name_the_same_drivers() -> None:
    assert all(refused_mode(driver, ["ReadWriteMany"], "") for driver in LOCAL | ZONAL)


@pytest.mark.parametrize(
    ("volume", "disks", "messages"),
    [
        (
            {"emptyDir": {"sizeLimit": "200Gi"}},
            ["90Gi", "100Gi"],
            [
                "volume v may grow to 200.0 GiB on the node's disk, and no node that fits has more than 100.0 GiB there for pods (n1)",
            ],
        ),
        ({"emptyDir": {"sizeLimit": "100Gi"}}, ["90Gi", "100Gi"], []),
        ({"emptyDir": {"sizeLimit": "200Gi", "medium": "Memory"}}, ["90Gi"], []),
        ({"emptyDir": {}}, ["90Gi"], []),
        ({"emptyDir": {"sizeLimit": "200Gi"}}, ["90Gi", ""], []),
        ({"persistentVolumeClaim": {"claimName": "absent"}}, ["90Gi"], []),
    ],
)
def test_a_volume_on_the_node_s_disk_needs_room_there(volume: JSONObject, disks: list[str], messages: list[str]) -> None:
    made = deployment()
    made["spec"]["template"]["spec"]["volumes"] = [{"name": "v", **volume}]
    nodes = [node(f"n{number}", {"x.io/gpu": "1", "ephemeral-storage": disk}) for number, disk in enumerate(disks)]
    for held, disk in zip(nodes, disks, strict=True):
        if not disk:
            del held["status"]["allocatable"]["ephemeral-storage"]
    found = placed([made], facts(*nodes), DEFAULT, "default")
    assert found is not None
    assert [(caution.rule, caution.message) for caution in found[0].cautions] == [(SMALL_DISK, message) for message in messages]
