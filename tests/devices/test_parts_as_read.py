"""Claims, slices and node selections as they are read, with their defaults; and the attributes that each device has for itself."""

from __future__ import annotations

from typing import Any

import pytest

from tests.devices.cluster import claim, device, first_of, held, node, slice_of, wish
from weighbridge.policies.devices.admin_access import asks_for_admin_access, may_have_admin_access
from weighbridge.policies.devices.alike import SliceShapes
from weighbridge.policies.devices.claims import AttributeRule, read_claim
from weighbridge.policies.devices.node_selection import NodeSelection, UnreadableSelectorError, read_selection, read_selector
from weighbridge.policies.devices.pools import SliceIndex
from weighbridge.policies.devices.slices import Attribute, CounterSet, DeviceId, PoolId, read_slice
from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.facts.tolerations import Taint, Toleration
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.quantity import Quantity

ADMIN_LABEL = "resource.kubernetes.io/admin-access"


def term(key: str, operator: str, *values: str, part: str = "matchExpressions") -> JSONObject:
    return {part: [{"key": key, "operator": operator, "values": list(values)}]}


@pytest.mark.parametrize(
    ("stated", "is_stated", "on"),
    [
        ({}, False, []),
        ({"nodeName": "a"}, True, ["a"]),
        ({"nodeName": "c"}, True, []),
        ({"nodeName": "a", "allNodes": True}, True, ["a"]),
        ({"nodeName": ""}, False, []),
        ({"allNodes": True}, True, ["a", "b"]),
        ({"allNodes": False}, False, []),
        ({"allNodes": "true"}, False, []),
        ({"nodeSelector": {}}, True, []),
        ({"nodeSelector": {"nodeSelectorTerms": []}}, True, []),
        ({"nodeSelector": {"nodeSelectorTerms": [term("n", "Gt", "5")]}}, True, ["b"]),
        ({"nodeSelector": {"nodeSelectorTerms": [term("n", "Lt", "6"), term("n", "Gt", "9")]}}, True, ["a", "b"]),
        ({"nodeSelector": {"nodeSelectorTerms": [term("metadata.name", "In", "b", part="matchFields")]}}, True, ["b"]),
        ({"nodeSelector": "x"}, False, []),
    ],
)
def test_the_nodes_are_named_or_all_or_selected(stated: JSONObject, is_stated: bool, on: list[str]) -> None:
    found = read_selection(stated)
    nodes = [node("a", n="5"), node("b", n="10")]
    assert (found.is_stated, [each.name for each in nodes if found.matches(each)]) == (is_stated, on)


def test_a_selector_that_can_not_be_evaluated_says_where() -> None:
    terms = [
        term("a", "In", "x"),
        {"matchExpressions": [*term("b", "Gt", "1")["matchExpressions"], *term("c", "Lt", '"x')["matchExpressions"]]},
    ]
    found = read_selector({"nodeSelectorTerms": terms})
    assert found is not None
    with pytest.raises(UnreadableSelectorError) as raised:
        found.matches(node("a", a="x"))
    where, why = "nodeSelectorTerms[1].matchExpressions[1].values[0]", "for 'Gt', 'Lt' operators, the value must be an integer"
    assert str(raised.value) == f'{where}: Invalid value: "\\"x": {why}'


def test_a_selector_is_printed_as_go_prints_it() -> None:
    terms = [term("a", "In", "x", "y"), term("metadata.name", "In", "n", part="matchFields"), term("b", "Exists")]
    requirement = "NodeSelectorRequirement{{Key:{},Operator:{},Values:[{}],}},"
    first, second = requirement.format("a", "In", "x y"), requirement.format("metadata.name", "In", "n")
    third = requirement.format("b", "Exists", "")
    printed = "".join(
        f"NodeSelectorTerm{{MatchExpressions:[]NodeSelectorRequirement{{{expressions}}},MatchFields:[]NodeSelectorRequirement{{{fields}}},}},"
        for expressions, fields in ((first, ""), ("", second), (third, ""))
    )
    assert str(read_selector({"nodeSelectorTerms": terms})) == f"&NodeSelector{{NodeSelectorTerms:[]NodeSelectorTerm{{{printed}}},}}"
    assert str(read_selector({})) == "&NodeSelector{NodeSelectorTerms:[]NodeSelectorTerm{},}"


@pytest.mark.parametrize(
    ("given", "count", "mode"),
    [
        ({}, 1, "ExactCount"),
        ({"count": 0}, 1, "ExactCount"),
        ({"count": 2}, 2, "ExactCount"),
        ({"count": 2, "allocationMode": "ExactCount"}, 2, "ExactCount"),
        ({"allocationMode": "All"}, 1, "All"),
        ({"allocationMode": "Other"}, 1, "Other"),
    ],
)
def test_one_device_is_asked_for_unless_a_claim_says_more(given: JSONObject, count: int, mode: str) -> None:
    (request,) = read_claim(claim({"deviceClassName": "gpu", **given})).requests
    (read,) = request.wishes
    assert (request.name, request.is_list, read.name, read.class_name) == ("r0", False, "r0", "gpu")
    assert (read.count, read.mode, read.admin_access, read.selectors, read.tolerations, dict(read.capacity)) == (
        count,
        mode,
        False,
        (),
        (),
        {},
    )


def test_a_claim_is_read_whole() -> None:
    more: dict[str, Any] = {
        "adminAccess": True,
        "selectors": [{"cel": {"expression": "true"}}, {"other": {}}, {"cel": {}}],
        "tolerations": [{"key": "k", "operator": "Exists", "effect": "NoSchedule"}],
        "capacity": {"requests": {"memory": "1Gi", "odd": "x"}},
    }
    rules: list[JSONObject] = [{"matchAttribute": "a/b", "requests": ["r0"]}, {"distinctAttribute": "c/d"}, {"other": 1}]
    status: JSONObject = {"reservedFor": [{"uid": "1"}, {"uid": "2"}], "allocation": {"nodeSelector": {}, "devices": {"results": []}}}
    read = read_claim(claim({"deviceClassName": "gpu", **more}, constraints=rules, **status))
    (asked,) = read.requests[0].wishes
    assert (str(read), read.namespace, read.name, read.consumers, read.is_new) == ("default/c", "default", "c", 2, False)
    assert (asked.admin_access, asked.selectors) == (True, ("true", None, ""))
    assert asked.tolerations == (Toleration("k", "Exists", "", "NoSchedule"),)
    assert dict(asked.capacity) == {"memory": Quantity.parse("1Gi")}
    assert read.constraints == (
        AttributeRule("a/b", frozenset({"r0"}), is_distinct=False),
        AttributeRule("c/d", frozenset(), is_distinct=True),
        None,
    )
    assert read.allocation is not None
    assert (read.allocation.selector, read.allocation.devices) == (read_selector({}), ())
    alternatives = read_claim(claim(first_of(wish(2), wish("All"), name="r"))).requests[0]
    assert (alternatives.name, alternatives.is_list) == ("r", True)
    assert [(each.name, each.count, each.mode) for each in alternatives.wishes] == [("a", 2, "ExactCount"), ("b", 1, "All")]
    assert read_claim(claim({"name": "r"})).requests[0].wishes == ()


def test_what_is_allotted_is_read_device_by_device() -> None:
    more: dict[str, Any] = {"shareID": "s", "consumedCapacity": {"memory": "2"}, "adminAccess": True}
    allocation = read_claim(held("d", "p", "x", **more)).allocation
    assert allocation is not None
    (share,) = allocation.devices
    assert (share.device, share.share, share.admin_access) == (DeviceId("d", "p", "x"), "s", True)
    assert share.consumed == {"memory": Quantity.parse("2")}
    allocation = read_claim(held("d", "p", "x", "y")).allocation
    assert allocation is not None
    assert [str(each.device) for each in allocation.devices] == ["d/p/x", "d/p/y"]
    assert [(each.share, each.consumed, each.admin_access, each.binding_has_failed) for each in allocation.devices] == [
        (None, None, False, False)
    ] * 2


def test_a_slice_is_read_whole() -> None:
    parts: dict[str, Any] = {
        "taints": [{"key": "k", "value": "v", "effect": "NoExecute"}],
        "consumesCounters": [{"counterSet": "set", "counters": {"c": {"value": "2"}, "odd": {}}}],
        "allowMultipleAllocations": True,
        "bindingConditions": ["ready"],
        "nodeName": "n1",
    }
    first = device("gpu-0", capacity={"memory": "1Gi"}, model="x", numa=0, healthy=False) | parts
    counters = [{"name": "set", "counters": {"c": {"value": "4"}}}]
    read = read_slice(
        slice_of([first, device("gpu-1")], pool="p", generation=3, count=2, perDeviceNodeSelection=True, sharedCounters=counters)
    )
    assert (read.pool, str(read.pool), read.generation, read.slice_count) == (PoolId("gpu.amd.com", "p"), "gpu.amd.com/p", 3, 2)
    assert (read.selects_per_device, read.nodes.is_stated) == (True, False)
    assert read.counter_sets == (CounterSet("set", {"c": Quantity.parse("4")}),)
    whole, bare = read.devices
    assert whole.attributes == {"model": Attribute("string", "x"), "numa": Attribute("int", 0), "healthy": Attribute("bool", value=False)}
    assert whole.capacity["memory"].value == Quantity.parse("1Gi")
    assert whole.taints == (Taint("k", "v", "NoExecute"),)
    assert [(each.counter_set, dict(each.counters)) for each in whole.consumes] == [("set", {"c": Quantity.parse("2")})]
    assert (whole.nodes, whole.allows_multiple, whole.has_binding_conditions) == (NodeSelection("n1"), True, True)
    assert (bare.nodes, bare.allows_multiple, bare.has_binding_conditions) == (NodeSelection(), False, False)
    assert (bare.taints, bare.consumes, dict(bare.capacity), str(bare.id)) == ((), (), {}, "gpu.amd.com/p/gpu-1")


@pytest.mark.parametrize(
    ("devices", "values", "is_own"),
    [
        (16, 16, False),
        (17, 16, False),
        (17, 17, True),
        (271, 17, True),
        (272, 17, False),
        (272, 18, True),
        (288, 18, False),
        (288, 19, True),
    ],
)
def test_an_attribute_with_very_many_values_is_each_device_s_own(devices: int, values: int, is_own: bool) -> None:
    made = [device(f"gpu-{at}", uuid=f"u{at % values}", model="x") for at in range(devices)]
    made[0]["attributes"] |= {"only.one/here": {"string": "x"}}
    shapes = SliceShapes(SliceIndex([read_slice(slice_of(made))]))
    assert shapes.own == ({"uuid"} if is_own else set())


@pytest.mark.parametrize(
    ("objects", "complete", "expected"),
    [
        ([], False, None),
        ([], True, False),
        ([{}], False, False),
        ([{ADMIN_LABEL: "true"}], False, True),
        ([{ADMIN_LABEL: "True"}], True, False),
        ([{ADMIN_LABEL: "false"}], True, False),
        ([{"other": "true"}], True, False),
    ],
)
def test_a_namespace_has_the_label_for_admin_access_or_not(objects: list[dict[str, str]], complete: bool, expected: bool | None) -> None:
    store = ObjectStore({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default", "labels": labels}} for labels in objects)
    if complete:
        store.complete(besides=[("", "Namespace")])
    assert may_have_admin_access("default", store) is expected
    other = may_have_admin_access("other", store)
    assert other is (False if complete else None)


def test_one_wish_is_enough_to_ask_for_admin_access() -> None:
    assert asks_for_admin_access(read_claim(claim(wish(1), wish(1, adminAccess=True))))
    assert asks_for_admin_access(read_claim(claim(first_of(wish(1), wish(1, adminAccess=True)))))
    assert not asks_for_admin_access(read_claim(claim(wish(1), wish(1, adminAccess=False))))
