"""Generations, missing slices, contradictions, and the nodes that slices are for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.devices.cluster import ABORT, answer, claim, device, gpus, node, picked, slice_of, wish
from weighbridge.policies.devices import CANNOT_ALLOCATE, INVALID_POOLS

ZONE_A = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}]}


def test_only_the_newest_generation_counts() -> None:
    slices = [slice_of(gpus(4), "old", generation=1), slice_of([device("new")], "new", generation=2)]
    assert picked(slices, claim(wish(1))) == ["r0=new"]
    assert answer(slices, claim(wish(2))) == CANNOT_ALLOCATE


def test_a_pool_with_slices_missing_offers_nothing() -> None:
    assert answer([slice_of(gpus(4), count=2)], claim(wish(1))) == CANNOT_ALLOCATE


def test_a_pool_replaced_elsewhere_is_passed_over() -> None:
    slices = [slice_of(gpus(4), "old", pool="net", count=2), slice_of(gpus(1), "new", on="n1", pool="net", generation=2)]
    assert answer(slices, claim(wish("All"))) == CANNOT_ALLOCATE


def test_a_pool_over_several_nodes_is_complete_with_the_slices_of_the_others() -> None:
    slices = [slice_of([device("a")], pool="net", count=2), slice_of([device("b")], on="n1", pool="net", count=2)]
    assert picked(slices, claim(wish("All"))) == ["r0=a"]


@pytest.mark.parametrize(
    ("slices", "state"),
    [
        ([slice_of(gpus(4), count=2)], "being updated"),
        ([slice_of([device("same"), device("same")])], "invalid"),
    ],
)
def test_all_devices_are_not_given_while_any_pool_of_the_node_is_in_disorder(slices: list[dict[str, Any]], state: str) -> None:
    expected = f"{ABORT}claim default/c, request r0: asks for all devices, but resource pool gpu.amd.com/n0 is currently {state}"
    assert answer([*slices, slice_of(gpus(1), driver="nic.example.com")], claim(wish("All", "any"))) == expected


def test_repeated_device_names_make_a_pool_invalid_and_say_so_where_nothing_else_helps() -> None:
    broken = slice_of([device("same"), device("same")])
    good = slice_of([device("nic")], driver="nic.example.com")
    assert answer([broken], claim(wish(1))) == INVALID_POOLS
    assert answer([broken, good], claim(wish(1, "any"))) == ""


def test_pools_with_binding_conditions_come_last() -> None:
    slices = [
        slice_of([device("slow") | {"bindingConditions": ["attached"]}], driver="a.example.com"),
        slice_of([device("ready")], driver="b.example.com"),
    ]
    assert picked(slices, claim(wish(1, "any"))) == ["r0=ready"]


@pytest.mark.parametrize(
    ("where", "fits"),
    [
        ({"on": "n0"}, True),
        ({"on": "n1"}, False),
        ({"allNodes": True}, True),
        ({"nodeSelector": ZONE_A}, True),
        ({"nodeSelector": {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}]}]}}, False),
        ({"nodeSelector": {"nodeSelectorTerms": [{}]}}, False),
    ],
)
def test_a_slice_is_for_the_nodes_it_names(where: dict[str, Any], fits: bool) -> None:
    assert (answer([slice_of(gpus(1), **where)], claim(wish(1)), on=node("n0", zone="a")) == "") is fits


def test_devices_may_each_name_their_nodes() -> None:
    devices = [device("here") | {"nodeName": "n0"}, device("there") | {"nodeName": "n1"}, device("zonal") | {"nodeSelector": ZONE_A}]
    slices = [slice_of([*devices, device("everywhere") | {"allNodes": True}], pool="net", perDeviceNodeSelection=True)]
    assert picked(slices, claim(wish("All"))) == ["r0=here", "r0=everywhere"]
    assert picked(slices, claim(wish("All")), on=node("n7", zone="a")) == ["r0=zonal", "r0=everywhere"]


def test_a_selector_that_can_not_be_read_stops_the_scheduling() -> None:
    unreadable = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "rank", "operator": "Gt", "values": ["high"]}]}]}
    message = answer([slice_of(gpus(1), nodeSelector=unreadable)], claim(wish(1)))
    assert message == (
        f"{ABORT}gather pool information: failed to perform node selection for slice gpu.amd.com-n0-s: failed to parse node selector "
        "&NodeSelector{NodeSelectorTerms:[]NodeSelectorTerm{NodeSelectorTerm{MatchExpressions:[]NodeSelectorRequirement{"
        "NodeSelectorRequirement{Key:rank,Operator:Gt,Values:[high],},},MatchFields:[]NodeSelectorRequirement{},},},}: "
        'nodeSelectorTerms[0].matchExpressions[0].values[0]: Invalid value: "high": '
        "for 'Gt', 'Lt' operators, the value must be an integer"
    )
