"""Claims of a pod in detail: default classes, claims bound to a node, messages, and devices that other claims hold."""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import container, facts, node, placed, pod
from tests.placement.test_devices import claim as device_claim
from tests.placement.test_devices import claiming, gpu_class, gpus, known
from tests.placement.test_new_claims import facts as whole
from tests.placement.test_new_claims import new, placement, workload
from tests.placement.test_volume_limits import capacity, csi_node, driver
from tests.placement.test_volumes import CLASSES, NODES, OWN, ZONE, claim, owned, storage_class, using, volume
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import Facts, Inventory, Node, ObjectStore
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.placement import place, some_node_takes

DEFAULT = "storageclass.kubernetes.io/is-default-class"
SELECTED = "volume.kubernetes.io/selected-node"
UNKNOWN_HOLDERS = "devices: whether other pods' claims hold some isn't known"


def default(name: str, zone: str, created: str | None = None) -> JSONObject:
    """A default class that makes volumes in one zone."""
    found = storage_class(name, "p.x", zone)
    found["metadata"] |= {"annotations": {DEFAULT: "true"}} | ({"creationTimestamp": created} if created else {})
    return found


def annotated(found: JSONObject, **annotations: str) -> JSONObject:
    return {**found, "metadata": {**found["metadata"], "annotations": annotations}}


@pytest.mark.parametrize(
    ("classes", "feasible"),
    [
        ([default("a", "z1", "2026-01-01T00:00:00Z"), default("b", "z2", "2026-01-02T00:00:00Z")], ["n2"]),
        ([default("a", "z1", "2026-01-02T00:00:00Z"), default("b", "z2", "2026-01-01T00:00:00Z")], ["n1"]),
        ([default("b", "z2", "2026-01-01T00:00:00Z"), default("a", "z1", "2026-01-01T00:00:00Z")], ["n1"]),
        ([default("b", "z2"), default("a", "z1")], ["n1"]),
        ([default("b", "z2", "2026-01-01T00:00:00Z"), default("a", "z1")], ["n2"]),
        ([annotated(default("a", "z1"), **{DEFAULT: "false"}), default("b", "z2")], ["n2"]),
    ],
)
def test_the_newest_default_class_holds_then_the_first_by_name(classes: list[JSONObject], feasible: list[str]) -> None:
    assert placement(whole(*classes), new(), workload()).feasible == feasible


def test_a_claim_that_is_stored_without_a_class_gets_no_default() -> None:
    found = placed(using("c"), *NODES, default("a", "z1"), claim("c", None))
    assert found.nearest == ["claim c has no storage class; name one in the claim, or create a volume for it"]


def test_the_volume_that_is_made_has_the_modes_of_its_claim() -> None:
    at_once = storage_class("now", "p.x", mode="Immediate")
    for modes, told in ((["ReadWriteOnce"], "its 3 replicas share claim c"), (["ReadWriteMany"], "")):
        found = placement(whole(at_once), new("now", accessModes=modes), workload(replicas=3))
        assert found.apart.partition(",")[0] == told


@pytest.mark.parametrize(
    ("asked", "objects", "hint"),
    [
        (
            using("c"),
            [{**claim("c", bound="v"), "status": {"phase": "Lost"}}],
            "claim c has lost its volume; create the claim and the volume again",
        ),
        (using("c"), [claim("c", volumeName="v")], "claim c names volume v, but the two aren't bound"),
        (using("c"), [claim("c", "mad")], "claim c waits for its volume: storage class mad doesn't exist; there is made"),
        (using("c"), [claim("c", "hand")], "claim c waits for its volume: class hand creates none, and no free volume fits"),
        (using("zzz"), [claim("c")], "no claim zzz in namespace default"),
        (
            pod(volumes=[{"name": "v", "ephemeral": {}}]),
            [claim("c")],
            "the claim is created after the pod; then the scheduler tries again",
        ),
        (
            OWN,
            [owned(claim("p-v"), "other")],
            "claim p-v has the name of the pod's own claim, but wasn't created for the pod; rename the volume or the pod",
        ),
    ],
)
def test_people_are_told_what_is_the_matter_with_a_claim(asked: JSONObject, objects: list[JSONObject], hint: str) -> None:
    by_hand = storage_class("hand", "kubernetes.io/no-provisioner", mode="Immediate")
    assert placed(asked, *NODES, *CLASSES, by_hand, *objects).nearest == [hint]


def test_all_claims_that_keep_a_pod_from_being_looked_at_are_named() -> None:
    lost = {**claim("lost", bound="v"), "status": {"phase": "Lost"}}
    found = placed(using("gone", "lost", "now", "away"), *NODES, *CLASSES, lost, claim("now", "now"))
    assert (list(found.absent), list(found.unready), found.names_missing) == (["gone", "away"], ["lost", "now"], True)
    assert found.message == '0/3 nodes are available: persistentvolumeclaim "gone" not found. not found'
    assert len(found.nearest) == 4


def test_a_promised_claim_takes_no_volume_that_is_there() -> None:
    promised, other = annotated(claim("a", "made", "1Gi"), **{SELECTED: "n"}), claim("b", "made", "5Gi")
    objects = [csi_node("n"), storage_class("made"), driver(), capacity({}, "2Gi"), promised, other]
    assert placed(using("a", "b"), node(), *objects, volume("v", storageClassName="made")).feasible == ["n"]
    found = placed(using("a", "b"), node(), *objects)
    assert found.rejected == {"n": ["node(s) did not have enough free storage"]}


def test_the_node_that_would_do_is_in_the_zone_of_the_volume() -> None:
    for label in (ZONE, "topology.kubernetes.io/region"):
        labels = {label: "z8__z7"}
        found = placed(using("c"), node(labels={label: "z1"}), csi_node("n"), claim("c", bound="v"), volume("v", labels=labels))
        assert found.wish is not None
        assert found.wish.labels == {label: "z7"}


def test_a_pod_is_looked_at_in_its_own_namespace_or_the_one_that_is_given() -> None:
    limits = {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "l", "namespace": "own"}}
    limits["spec"] = {"limits": [{"type": "Container", "defaultRequest": {"cpu": "65"}}]}
    there = facts(node(), limits)
    asked = pod()
    own = {**asked, "metadata": {**asked["metadata"], "namespace": "own"}}
    assert [some_node_takes(asked, there, namespace) for namespace in ("default", "own")] == [True, False]
    assert [some_node_takes(own, there, namespace) for namespace in ("default", "own")] == [False, False]
    assert [bool(place(each, there, namespace="default").feasible) for each in (asked, own)] == [True, False]


def allocated(selector: JSONObject | None, **status: Any) -> JSONObject:
    results = [{"request": "r0", "driver": "gpu.amd.com", "pool": "a", "device": "gpu-0"}]
    allocation: JSONObject = {"devices": {"results": results}} | ({"nodeSelector": selector} if selector is not None else {})
    return device_claim("c", status={"allocation": allocation, **status})


ELSEWHERE: JSONObject = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "In", "values": ["z9"]}]}]}


@pytest.mark.usefixtures("kubernetes_1_36")
@pytest.mark.parametrize(
    ("held", "cordoned", "word"),
    [
        (allocated(ELSEWHERE), False, "deallocation of ResourceClaim completed"),
        (allocated(ELSEWHERE, reservedFor=[{"uid": "1"}]), False, "still not schedulable"),
        (allocated(ELSEWHERE), True, "still not schedulable"),
        (allocated(None), True, "still not schedulable"),
        (device_claim("c", 2), False, "still not schedulable"),
    ],
)
def test_an_allocation_that_nobody_uses_is_given_up(held: JSONObject, cordoned: bool, word: str) -> None:
    found = place(claiming("c"), known(node("a", unschedulable=cordoned), gpu_class(), gpus("a", 1), held))
    assert f". {word}, preemption: " in found.message


def test_an_allocation_without_a_selector_is_given_up_where_its_binding_has_failed() -> None:
    held = allocated(
        None, devices=[{"driver": "gpu.amd.com", "pool": "a", "device": "gpu-0", "conditions": [{"type": "bad", "status": "True"}]}]
    )
    (result,) = held["status"]["allocation"]["devices"]["results"]
    result |= {"bindingConditions": ["ok"], "bindingFailureConditions": ["bad"]}
    found = place(claiming("c"), known(node("a"), gpu_class(), gpus("a", 1), held))
    assert found.rejected == {"a": ["resourceclaim not available on the node"]}
    assert ". deallocation of ResourceClaim completed, preemption: " in found.message


@pytest.mark.parametrize(
    ("kinds", "unchecked"),
    [
        (("DeviceClass", "ResourceSlice", "ResourceClaim"), []),
        (("DeviceClass", "ResourceSlice"), [UNKNOWN_HOLDERS]),
        (("DeviceClass", "ResourceClaim"), ["devices: the cluster's ResourceSlices aren't known"]),
        (("ResourceSlice", "ResourceClaim"), []),
    ],
)
def test_what_is_not_known_of_devices_is_told(kinds: tuple[str, ...], unchecked: list[str]) -> None:
    store = ObjectStore([gpu_class(), gpus("a", 1), device_claim("c")])
    every = [("resource.k8s.io", kind) for kind in ("DeviceClass", "ResourceSlice", "ResourceClaim")]
    store.complete(but=[each for each in every if each[1] not in kinds])
    there = Facts(Definitions(), store, Inventory([Node.from_object(node("a"))]))
    assert place(claiming("c"), there).unchecked == unchecked
    assert place(pod(containers=[container({"cpu": "1"})]), there).unchecked == []


def test_a_volume_that_is_no_claim_needs_none() -> None:
    sources: list[JSONObject] = [{"emptyDir": {}}, {"configMap": {"name": "m"}}]
    for source in sources:
        found = placed(pod(volumes=[{"name": "v", **source}]), *NODES, *CLASSES, claim("c"))
        assert (found.feasible, found.unchecked, found.nearest) == (["n1", "n2", "bare"], [], [])


def test_whether_a_namespace_lets_a_new_claim_have_admin_access_may_not_be_known() -> None:
    wish = {"deviceClassName": "gpu.amd.com", "count": 1, "adminAccess": True}
    spec = {"spec": {"devices": {"requests": [{"name": "r0", "exactly": wish}]}}}
    template = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate", "metadata": {"name": "t", "namespace": "default"}}
    asked = pod(resourceClaims=[{"name": "c", "resourceClaimTemplateName": "t"}])
    found = place(asked, known(node("a"), gpu_class(), gpus("a", 1), {**template, "spec": spec}))
    assert found.unchecked == ["admin access to devices: the labels of namespace default aren't known"]
