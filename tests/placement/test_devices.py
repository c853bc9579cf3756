"""Devices as a filter: order, messages and unknown facts. The decisions of allocation itself are tested with
weighbridge.policies.devices.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import affine, container, named, node, pod
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import Facts, Inventory, Node, ObjectStore
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.outcome import Reason
from weighbridge.policies.placement.placement import place

GPU = "amd.com/gpu"
KINDS = tuple(("resource.k8s.io", kind) for kind in ("DeviceClass", "ResourceSlice", "ResourceClaim", "ResourceClaimTemplate"))


def resource(kind: str, name: str, **parts: Any) -> JSONObject:
    return {"apiVersion": "resource.k8s.io/v1", "kind": kind, "metadata": {"name": name}, **parts}


def gpu_class(extended: str = "", selector: str = "device.driver == 'gpu.amd.com'") -> JSONObject:
    spec: JSONObject = {"selectors": [{"cel": {"expression": selector}}]}
    return resource("DeviceClass", "gpu.amd.com", spec=spec | ({"extendedResourceName": extended} if extended else {}))


def gpus(on: str, count: int) -> JSONObject:
    pool = {"name": on, "generation": 1, "resourceSliceCount": 1}
    devices = [{"name": f"gpu-{at}"} for at in range(count)]
    return resource("ResourceSlice", f"slice-{on}", spec={"driver": "gpu.amd.com", "nodeName": on, "pool": pool, "devices": devices})


def claim(name: str, count: int = 1, class_name: str = "gpu.amd.com", **parts: Any) -> JSONObject:
    requests = [{"name": "r0", "exactly": {"deviceClassName": class_name, "count": count}}]
    made = resource("ResourceClaim", name, spec={"devices": {"requests": requests}}, **parts)
    made["metadata"]["namespace"] = "default"
    return made


def claiming(*names: str, **spec: Any) -> JSONObject:
    return pod(resourceClaims=[{"name": name, "resourceClaimName": name} for name in names], **spec)


def known(*objects: JSONObject) -> Facts:
    """A cluster in which all device kinds are known."""
    store = ObjectStore(obj for obj in objects if obj["kind"] != "Node")
    store.complete(besides=KINDS)
    return Facts(Definitions(), store, Inventory(Node.from_object(obj) for obj in objects if obj["kind"] == "Node"))


def test_a_claim_is_met_where_there_are_devices() -> None:
    placement = place(claiming("c"), known(node("a"), node("b"), gpu_class(), gpus("a", 2), gpus("b", 1), claim("c", 2)))
    assert (placement.feasible, placement.rejected) == (["a"], {"b": ["cannot allocate all claims"]})


@pytest.mark.usefixtures("kubernetes_1_36")
def test_a_pod_with_claims_is_said_to_be_still_not_schedulable() -> None:
    placement = place(claiming("c", priorityClassName=""), known(node("a"), gpu_class(), gpus("a", 1), claim("c", 2)))
    assert placement.message == (
        "0/1 nodes are available: 1 cannot allocate all claims. still not schedulable, preemption: 0/1 nodes are available: "
        "1 Preemption is not helpful for scheduling."
    )


def test_a_pod_that_keeps_off_one_of_equal_nodes_finds_the_others() -> None:
    names = ("a", "b", "c")
    facts = known(*map(node, names), gpu_class(), *(gpus(name, 2) for name in names), claim("two", 2))
    other = {"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "NotIn", "values": ["a"]}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [other]}}
    assert place(claiming("two", affinity={"nodeAffinity": required}), facts).feasible == ["b", "c"]


def test_devices_are_looked_at_after_the_other_filters() -> None:
    objects = (node("a", unschedulable=True), node("b", {"cpu": "1"}), node("c"), gpu_class(), claim("c", 1))
    asked = claiming("c", containers=[container({"cpu": "2"})])
    assert place(asked, known(*objects)).rejected == {
        "a": ["node(s) were unschedulable"],
        "b": ["Insufficient cpu"],
        "c": ["cannot allocate all claims"],
    }


def test_a_missing_class_refuses_the_pod_before_any_node() -> None:
    placement = place(claiming("c"), known(node("a"), node("b"), claim("c", class_name="X")))
    assert placement.message == (
        "0/2 nodes are available: request r0: device class X does not exist. preemption: "
        "0/2 nodes are available: 2 Preemption is not helpful for scheduling."
    )


def test_an_affinity_conflict_comes_before_a_missing_class() -> None:
    asked = affine(named("a", "b"), resourceClaims=[{"name": "c", "resourceClaimName": "c"}])
    placement = place(asked, known(node("a"), claim("c", class_name="X")))
    assert placement.message == "0/1 nodes are available: pod affinity terms conflict. not found"


def test_a_missing_claim_is_waited_for_in_silence() -> None:
    placement = place(claiming("c"), known(node("a")))
    assert (placement.reason, placement.message, placement.feasible) == (Reason.SILENT, "", [])
    assert "not found" in placement.nearest[0]


def test_an_error_on_one_node_is_everybodys() -> None:
    broken = gpu_class(selector="device.attributes['gpu.amd.com'].nosuch == 1")
    placement = place(claiming("c"), known(node("a"), node("b"), broken, gpus("b", 1), claim("c")))
    assert placement.reason is Reason.SCHEDULER_ERROR
    assert placement.message.startswith('running "DynamicResources" filter plugin: ')
    assert placement.feasible == []


TOO_MANY = (
    'running "DynamicResources" filter plugin: claim default/c, request r0: adding 40 devices exceeds the claim limit of 32, '
    "with 0 already accounted for"
)


def test_an_error_that_no_node_comes_to_is_not_the_pods() -> None:
    facts = known(node("a", {"cpu": "1"}), node("b", unschedulable=True), gpu_class(), gpus("a", 1), claim("c", 40))
    placement = place(claiming("c", containers=[container({"cpu": "2"})]), facts)
    assert placement.rejected == {"a": ["Insufficient cpu"], "b": ["node(s) were unschedulable"]}
    assert (placement.reason, placement.wish) == (Reason.UNSCHEDULABLE, None)
    assert place(claiming("c"), facts).message == TOO_MANY


def test_an_error_on_a_node_that_is_expected_is_not_the_pods() -> None:
    facts, expected = known(node("a", {"cpu": "1"}), gpu_class(), claim("c", 40)), [Node.from_object(node("later"))]
    placement = place(claiming("c", containers=[container({"cpu": "2"})]), facts, expected=expected)
    assert (placement.rejected, placement.on_expected) == ({"a": ["Insufficient cpu"]}, [])
    assert place(claiming("c"), known(gpu_class(), claim("c", 40)), expected=expected).message.startswith("no nodes available")


@pytest.mark.parametrize(
    ("allocatable", "devices", "reason"),
    [
        ({GPU: "2"}, 0, []),
        ({GPU: "1"}, 4, [f"Insufficient {GPU}"]),
        ({GPU: "0"}, 4, []),
        ({}, 4, []),
        ({}, 1, ["cannot allocate all claims"]),
    ],
)
def test_a_mapped_resource_is_served_by_plugin_or_devices_node_by_node(
    allocatable: dict[str, str], devices: int, reason: list[str]
) -> None:
    placement = place(pod({GPU: "2"}), known(node("n", allocatable), gpu_class(GPU), gpus("n", devices)))
    assert placement.rejected.get("n", []) == reason


def test_a_class_is_a_resource_by_its_own_name_too() -> None:
    name = "deviceclass.resource.kubernetes.io/gpu.amd.com"
    assert place(pod({name: "1"}), known(node("n"), gpu_class(), gpus("n", 1))).feasible == ["n"]
    missing = "deviceclass.resource.kubernetes.io/nosuch"
    assert place(pod({missing: "1"}), known(node("n"), gpu_class())).rejected == {"n": [f"Insufficient {missing}"]}


def test_an_unused_allocation_that_keeps_the_pod_away_is_given_up() -> None:
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["gone"]}]}
    results = [{"request": "r0", "driver": "gpu.amd.com", "pool": "gone", "device": "gpu-0"}]
    allocation = {"devices": {"results": results}, "nodeSelector": {"nodeSelectorTerms": [term]}}
    facts = known(node("a"), gpu_class(), claim("c", status={"allocation": allocation}))
    placement = place(claiming("c"), facts)
    assert placement.rejected == {"a": ["resourceclaim not available on the node"]}
    assert "deallocation of ResourceClaim completed, preemption" in placement.message


def test_later_changes_of_the_cluster_are_seen() -> None:
    facts = known(node("a"), gpu_class(), claim("c"))
    assert place(claiming("c"), facts).feasible == []
    facts.objects.put(gpus("a", 1))
    assert place(claiming("c"), facts).feasible == ["a"]
    facts.objects.discard("resource.k8s.io", "ResourceSlice", "", "slice-a")
    assert place(claiming("c"), facts).feasible == []


@pytest.mark.parametrize(
    ("objects", "unchecked"),
    [
        ([], 'resource claims: resourceclaim.resource.k8s.io "c" not found, but not all objects of its kind are known'),
        ([claim("c")], "resource claims: request r0: device class gpu.amd.com does not exist, as far as is known"),
        ([claim("c"), gpu_class()], "devices: the cluster's ResourceSlices aren't known"),
    ],
)
def test_what_is_not_known_of_devices_is_not_guessed(objects: list[JSONObject], unchecked: str) -> None:
    facts = Facts(Definitions(), ObjectStore(objects), Inventory([Node.from_object(node("a"))]))
    placement = place(claiming("c"), facts)
    assert placement.unchecked == [unchecked]
    assert placement.feasible == ["a"]


def test_a_resource_that_a_class_may_stand_for_is_not_guessed() -> None:
    facts = Facts(Definitions(), ObjectStore(), Inventory([Node.from_object(node("a"))]))
    assert place(pod({GPU: "1"}), facts).unchecked == [f"{GPU}: whether a DeviceClass provides it isn't known"]
    assert place(pod({GPU: "1"}), known(node("a"))).unchecked == []
