"""A search gives back its choices if a later request fails: devices, counters, shares of capacity, and values in constraints."""

from __future__ import annotations

from typing import Any

import pytest

from tests.devices.cluster import answer, claim, device, first_of, gpus, picked, slice_of, wish
from weighbridge.policies.devices import CANNOT_ALLOCATE
from weighbridge.policies.ground.objects import JSONObject

OWN = 'device.attributes["gpu.amd.com"]'
PAIRED = {"matchAttribute": "gpu.amd.com/root"}
APART = {"distinctAttribute": "gpu.amd.com/root"}


def drawing(name: str, amount: int, **attributes: Any) -> JSONObject:
    """A partition that consumes the only counter."""
    counters = [{"counterSet": "s", "counters": {"c": {"value": str(amount)}}}]
    return device(name, **attributes) | {"consumesCounters": counters}


def counted(*devices: JSONObject, left: int) -> list[JSONObject]:
    sets = [{"name": "s", "counters": {"c": {"value": str(left)}}}]
    return [slice_of([], "counters", count=2, sharedCounters=sets), slice_of(devices, count=2)]


def named(name: str, count: int | str = 1, **more: Any) -> JSONObject:
    """A request for a device of a model."""
    return wish(count, where=f'{OWN}.model == "{name}"', **more)


@pytest.mark.parametrize(
    ("devices", "requests", "expected"),
    [
        (gpus(2), [first_of(wish("All"), wish(1)), wish(1)], ["r0/b=gpu-0", "r1=gpu-1"]),
        (gpus(3), [first_of(wish("All"), wish(2)), wish(1)], ["r0/b=gpu-0", "r0/b=gpu-1", "r1=gpu-2"]),
        (gpus(3), [first_of(wish(3), wish(1)), wish(2)], ["r0/b=gpu-0", "r1=gpu-1", "r1=gpu-2"]),
        (
            gpus(3),
            [first_of(wish("All"), wish(3), wish(1)), first_of(wish(3), wish(2), name="r1")],
            ["r0/c=gpu-0", "r1/b=gpu-1", "r1/b=gpu-2"],
        ),
        ([device("x", model="a"), device("y", model="b")], [wish(1), named("a")], ["r0=y", "r1=x"]),
        ([device("x", model="a"), device("y", model="b"), device("z", model="a")], [wish(1), named("a", 2)], ["r0=y", "r1=x", "r1=z"]),
    ],
)
def test_devices_are_given_back(devices: list[JSONObject], requests: list[JSONObject], expected: list[str]) -> None:
    assert sorted(picked([slice_of(devices)], claim(*requests))) == sorted(expected)


def test_devices_are_given_back_across_claims() -> None:
    first, second = claim(first_of(wish("All"), wish(1)), name="a"), claim(wish(2), name="b")
    assert sorted(picked([slice_of(gpus(3))], first, second)) == ["r0/b=gpu-0", "r0=gpu-1", "r0=gpu-2"]
    assert answer([slice_of(gpus(2))], first, second) == CANNOT_ALLOCATE


@pytest.mark.parametrize(
    ("left", "expected"),
    [(4, ["r0/a=large", "r1=small"]), (3, ["r0/b=middle", "r1=small"]), (2, []), (5, ["r0/a=large", "r1=small"])],
)
def test_counters_are_given_back(left: int, expected: list[str]) -> None:
    devices = (drawing("large", 3, model="l"), drawing("middle", 2, model="m"), drawing("small", 1, model="s"))
    asked = claim(first_of(named("l"), named("m")), named("s"))
    if expected:
        assert picked(counted(*devices, left=left), asked) == expected
    else:
        assert answer(counted(*devices, left=left), asked) == CANNOT_ALLOCATE


def test_counters_of_all_devices_are_given_back() -> None:
    devices = (drawing("x", 2, model="a"), drawing("y", 2, model="a"), drawing("z", 1, model="b"))
    asked = claim(first_of(named("a", "All"), named("a")), named("b"))
    assert picked(counted(*devices, left=5), asked) == ["r0/a=x", "r0/a=y", "r1=z"]
    assert picked(counted(*devices, left=4), asked) == ["r0/b=x", "r1=z"]
    assert answer(counted(*devices, left=2), asked) == CANNOT_ALLOCATE


def sized(amount: str, count: int = 1, **more: Any) -> JSONObject:
    return wish(count, capacity={"requests": {"memory": amount}}, **more)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (["8", "4"], "8", ["r0/a=shared", "r1=shared"]),
        (["9", "8"], "8", ["r0/b=shared", "r1=shared"]),
        (["16", "9", "8"], "8", ["r0/c=shared", "r1=shared"]),
        (["16", "9"], "8", []),
    ],
)
def test_shares_are_given_back(first: list[str], second: str, expected: list[str]) -> None:
    shared = device("shared", capacity={"memory": "16"}) | {"allowMultipleAllocations": True}
    asked = claim(first_of(*map(sized, first)), sized(second))
    if expected:
        assert picked([slice_of([shared])], asked) == expected
    else:
        assert answer([slice_of([shared])], asked) == CANNOT_ALLOCATE


def test_places_in_a_constraint_are_given_back() -> None:
    devices = [device("a", root=0), device("b", root=1), device("c", root=1), device("d", root=2)]
    assert picked([slice_of(devices)], claim(wish(2), constraints=[PAIRED])) == ["r0=b", "r0=c"]
    assert picked([slice_of(devices)], claim(wish(1), wish(1), constraints=[PAIRED])) == ["r0=b", "r1=c"]
    assert answer([slice_of(devices)], claim(wish(3), constraints=[PAIRED])) == CANNOT_ALLOCATE
    assert picked([slice_of(devices)], claim(*(wish(1) for _ in range(3)), constraints=[APART])) == ["r0=a", "r1=b", "r2=d"]
    assert answer([slice_of(devices)], claim(*(wish(1) for _ in range(4)), constraints=[APART])) == CANNOT_ALLOCATE
    both = [PAIRED, {"matchAttribute": "gpu.amd.com/zone"}]
    zoned = [device("a", root=0, zone=0), device("b", root=0, zone=1), device("c", root=1, zone=1), device("d", root=1, zone=1)]
    assert picked([slice_of(zoned)], claim(wish(2), constraints=both)) == ["r0=c", "r0=d"]
    assert picked([slice_of(zoned)], claim(first_of(wish(3), wish(2)), constraints=both)) == ["r0/b=c", "r0/b=d"]
