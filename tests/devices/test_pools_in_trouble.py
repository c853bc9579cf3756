"""Pools that are incomplete or invalid: the nodes for which they matter, and what makes a pool complete again."""

from __future__ import annotations

from typing import Any

import pytest

from tests.devices.cluster import ABORT, answer, claim, device, gpus, node, picked, slice_of, wish
from weighbridge.policies.devices import CANNOT_ALLOCATE, INVALID_POOLS
from weighbridge.policies.devices.pools import SliceIndex
from weighbridge.policies.devices.slices import PoolId, read_slice
from weighbridge.policies.facts import Inventory, Node
from weighbridge.policies.ground.objects import JSONObject

OWN = slice_of(gpus(2), pool="own")


def counters(*names: str, **spec: Any) -> JSONObject:
    """A slice of counter sets, each with one counter."""
    sets = [{"name": name, "counters": {"c": {"value": "4"}}} for name in names]
    return slice_of([], f"counters-{'-'.join(names)}", sharedCounters=sets, **spec)


def drawing(name: str, counter_set: str = "s", counter: str = "c") -> JSONObject:
    """A device that consumes a counter."""
    return device(name) | {"consumesCounters": [{"counterSet": counter_set, "counters": {counter: {"value": "1"}}}]}


def pools(*slices: JSONObject, on: str = "n0") -> list[tuple[str, bool, bool, list[str], list[str]]]:
    """The pools of a node: whether they are incomplete or invalid, their slices, and those of other nodes."""
    found = SliceIndex(map(read_slice, slices)).pools_for(node(on))
    return [
        (
            pool.id.pool,
            pool.is_incomplete,
            pool.is_invalid,
            [each.name.rpartition("-")[2] for each in pool.slices],
            [each.name.rpartition("-")[2] for each in pool.elsewhere],
        )
        for pool in found
    ]


@pytest.mark.parametrize(
    ("slices", "state"),
    [
        ([counters("s", pool="net", count=2)], "being updated"),
        ([counters("s", "s", pool="net")], "invalid"),
        ([counters("s", pool="net", count=2), slice_of([drawing("x", "gone")], on="n1", pool="net", count=2)], "invalid"),
        ([counters("s", pool="net", count=2), slice_of([drawing("x", counter="gone")], on="n1", pool="net", count=2)], "invalid"),
    ],
)
def test_a_pool_with_counters_is_in_the_way_of_all_nodes_while_it_is_in_trouble(slices: list[JSONObject], state: str) -> None:
    expected = f"{ABORT}claim default/c, request r0: asks for all devices, but resource pool gpu.amd.com/net is currently {state}"
    assert answer([*slices, OWN], claim(wish("All"))) == expected
    assert answer([*slices, OWN], claim(wish(2))) == ""
    assert answer(slices, claim(wish(1))) == (INVALID_POOLS if state == "invalid" else CANNOT_ALLOCATE)


@pytest.mark.parametrize(
    "slices",
    [
        [counters("s", pool="net")],
        [counters("s", "t", pool="net")],
        [counters("s", pool="net", count=2), counters("t", pool="net", count=2)],
        [counters("s", pool="net", count=2), slice_of([drawing("x")], on="n1", pool="net", count=2)],
        [slice_of(gpus(1), on="n1", pool="net", count=2)],
        [slice_of([drawing("x", "gone")], on="n1", pool="net")],
        [counters("s", pool="net", count=2), counters("t", pool="net", generation=2)],
    ],
)
def test_a_pool_of_other_nodes_that_is_whole_or_has_no_counters_is_in_nobodys_way(slices: list[JSONObject]) -> None:
    assert picked([*slices, OWN], claim(wish("All"))) == ["r0=gpu-0", "r0=gpu-1"]


@pytest.mark.usefixtures("kubernetes_1_36")
def test_a_pool_that_is_in_trouble_is_met_once() -> None:
    broken = [counters("s", pool="net", count=3), slice_of([drawing("x")], pool="net", count=3)]
    assert pools(*broken) == [("net", True, False, [], [])]
    assert pools(*broken, on="n1") == [("net", True, False, [], [])]


def test_slices_of_a_pool_are_the_node_s_or_another_s() -> None:
    slices = [
        slice_of([drawing("z")], "z", pool="net", count=4),
        counters("s", pool="net", count=4),
        slice_of([drawing("b")], "b", on="n1", pool="net", count=4),
        slice_of([drawing("a")], "a", pool="net", count=4),
    ]
    assert pools(*slices) == [("net", False, False, ["a", "z"], ["b"])]
    assert pools(*slices, on="n1") == [("net", False, False, ["b"], ["z", "a"])]
    assert pools(*slices, on="n2") == []


@pytest.mark.parametrize(
    ("generations", "expected"),
    [
        ((1, 1), [("p", False, False, ["a", "b"], [])]),
        ((1, 2), [("p", True, False, [], [])]),
        ((2, 1), [("p", True, False, [], [])]),
    ],
)
def test_slices_of_the_newest_generation_make_a_pool(generations: tuple[int, int], expected: list[Any]) -> None:
    first, second = generations
    slices = [
        slice_of(gpus(1), "a", pool="p", count=2, generation=first),
        slice_of([device("x")], "b", pool="p", count=2, generation=second),
    ]
    assert pools(*slices) == expected


@pytest.mark.parametrize(("other", "found"), [(1, []), (2, [("p", True, False, [], [])]), (3, [("p", True, False, [], [])])])
def test_a_generation_that_is_over_is_passed_over(other: int, found: list[Any]) -> None:
    newer = slice_of(gpus(1), "new", on="n1", pool="p", generation=2)
    mine = slice_of([device("x")], "mine", pool="p", generation=other, count=3)
    assert pools(newer, mine) == found


def test_nodes_that_have_slices_are_the_ones_concerned() -> None:
    inventory = Inventory([Node.from_object({"metadata": {"name": name}}) for name in ("n0", "n1", "n2")])
    index = SliceIndex(
        map(read_slice, [slice_of(gpus(1), on="n2", pool="p"), slice_of(gpus(1), on="gone", pool="p"), counters("s", pool="q")])
    )
    assert [each.name for each in index.concerned(inventory)] == ["n2"]
    assert index.nodes_of(PoolId("gpu.amd.com", "p")) == {"n2", "gone"}
    assert index.nodes_of(PoolId("gpu.amd.com", "q")) == set()
    index = SliceIndex(map(read_slice, [slice_of(gpus(1), on="n2"), slice_of(gpus(1), allNodes=True)]))
    assert [each.name for each in index.concerned(inventory)] == ["n0", "n1", "n2"]
