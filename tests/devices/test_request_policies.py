"""How a driver's request policy rounds an amount, and which amounts it forbids, to the unit."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest

from tests.devices.cluster import claim, picked, slice_of, wish
from tests.devices.cluster import device as on_node
from weighbridge.policies.devices import SchedulingAbortedError
from weighbridge.policies.devices.capacity import CapacityError, consumption, fits, read_capacities
from weighbridge.policies.ground.quantity import Quantity

STEPS = {"validRange": {"min": "2", "max": "12", "step": "5"}}
VALUES = {"validValues": ["3", "6"]}


def amounts(**named: str) -> dict[str, Quantity]:
    return {name: Quantity.parse(text) for name, text in named.items()}


def device(value: str = "20", policy: dict[str, Any] | None = None, **others: str) -> dict[str, Any]:
    memory: dict[str, Any] = {"value": value} if policy is None else {"value": value, "requestPolicy": policy}
    return {"capacity": {"memory": memory, **{name: {"value": text} for name, text in others.items()}}}


@pytest.mark.parametrize(
    ("policy", "asked", "taken"),
    [
        (None, "7", "7"),
        (None, None, "20"),
        ({"default": "4"}, None, "4"),
        ({"default": "4"}, "7", "7"),
        (STEPS, None, "20"),
        (STEPS, "1", "2"),
        (STEPS, "2", "2"),
        (STEPS, "3", "7"),
        (STEPS, "7", "7"),
        (STEPS, "8", "12"),
        (STEPS, "12", "12"),
        (STEPS, "13", "17"),
        ({"validRange": {"min": "2", "max": "12"}}, "3", "3"),
        ({"validRange": {"min": "2", "step": "0"}}, "3", "3"),
        ({"validRange": {"min": "2", "step": "1"}}, "3", "3"),
        ({"validRange": {"min": "0", "step": "4"}}, "5", "8"),
        ({"validRange": {"step": "5"}}, "3", "3"),
        # Steps are counted in whole units.
        ({"validRange": {"min": "500m", "step": "1"}}, "400m", "500m"),
        ({"validRange": {"min": "500m", "step": "1"}}, "500m", "1"),
        (VALUES, "1", "3"),
        (VALUES, "3", "3"),
        (VALUES, "4", "6"),
        (VALUES, "6", "6"),
        (VALUES, "7", "7"),
    ],
)
def test_an_amount_is_rounded_up_to_what_the_policy_has(policy: dict[str, Any] | None, asked: str | None, taken: str) -> None:
    wanted = {} if asked is None else amounts(memory=asked)
    assert consumption(read_capacities(device(policy=policy)), wanted) == amounts(memory=taken)


@pytest.mark.parametrize(
    ("policy", "asked", "expected"),
    [
        (STEPS, "1", True),
        (STEPS, "7", True),
        (STEPS, "12", True),
        (STEPS, "13", False),
        # The whole device is no multiple of the step, and more than may be requested.
        (STEPS, None, False),
        ({"default": "13", **STEPS}, None, True),
        ({"default": "13", **STEPS}, "13", False),
        ({"validRange": {"min": "5", "step": "3"}}, None, True),
        ({"validRange": {"min": "6", "step": "3"}}, None, False),
        ({"validRange": {"min": "5"}}, None, True),
        ({"validRange": {"step": "5"}}, "10", True),
        ({"validRange": {"step": "5"}}, "12", False),
        ({"validRange": {"step": "0"}}, "12", True),
        ({"validRange": {"step": "1"}}, "12", True),
        (VALUES, "6", True),
        (VALUES, "7", False),
        ({"default": "7", **VALUES}, "7", True),
        ({"default": "4"}, "20", True),
        ({}, "20", True),
        (None, "20", True),
        (None, "21", False),
    ],
)
def test_an_amount_that_the_policy_does_not_have_fits_no_device(policy: dict[str, Any] | None, asked: str | None, expected: bool) -> None:
    wanted = {} if asked is None else amounts(memory=asked)
    assert fits(read_capacities(device(policy=policy)), wanted, {}, {}) is expected


@pytest.mark.parametrize(
    ("asked", "taken", "taking", "expected"),
    [
        ({"memory": "8"}, {"memory": "7"}, {"memory": "5"}, True),
        ({"memory": "9"}, {"memory": "7"}, {"memory": "5"}, False),
        ({"memory": "13"}, {"memory": "7"}, {}, True),
        ({"memory": "14"}, {"memory": "7"}, {}, False),
        ({"memory": "15"}, {}, {"memory": "5"}, True),
        ({"memory": "16"}, {}, {"memory": "5"}, False),
        # A request that doesn't name the cores takes all of them.
        ({"memory": "8"}, {"cores": "1"}, {}, False),
        ({"memory": "8", "cores": "3"}, {"cores": "1"}, {}, True),
        ({"memory": "8", "cores": "4"}, {"cores": "1"}, {}, False),
        ({"threads": "1"}, {}, {}, False),
    ],
)
def test_what_is_taken_and_what_is_being_taken_count_together(
    asked: dict[str, str], taken: dict[str, str], taking: dict[str, str], expected: bool
) -> None:
    capacities = read_capacities(device(cores="4"))
    assert fits(capacities, amounts(**asked), amounts(**taken), amounts(**taking)) is expected


def test_a_device_without_capacity_fits_whoever_asks_for_none() -> None:
    assert fits({}, {}, {}, {})
    assert not fits({}, amounts(memory="1"), {}, {})


def test_amounts_too_far_apart_to_add_up_do_not_fit() -> None:
    assert not fits(read_capacities(device("1e2000000000")), amounts(memory="1e-9"), amounts(memory="1e1999999999"), {})


def test_what_can_not_be_read_is_left_out() -> None:
    assert read_capacities({"capacity": {"memory": {"value": "much"}, "cores": {}, "x": 1, "disk": {"value": "1"}}}).keys() == {"disk"}
    policy = {"default": "x", "validValues": ["x", "3"], "validRange": {"min": "x", "max": "9"}}
    (found,) = read_capacities(device(policy=policy)).values()
    assert found.policy is not None
    assert (found.policy.default, found.policy.valid_values) == (None, (Quantity.parse("3"),))
    assert found.policy.valid_range is not None
    assert (found.policy.valid_range.least, found.policy.valid_range.most) == (None, Quantity.parse("9"))
    assert read_capacities(device(policy={"validValues": "3", "validRange": "2"}))["memory"].consumed_by(amounts(m="1")["m"]).value() == 1
    assert read_capacities({"capacity": {"memory": {"value": "1", "requestPolicy": "x"}}})["memory"].policy is None


@pytest.mark.parametrize(
    ("policy", "asked", "said"),
    [
        (STEPS, "10E", "request 10E exceeds MaxInt64"),
        (
            {"validRange": {"min": "0", "step": "4"}},
            "9223372036854775807",
            "rounding request 9223372036854775807 up to the next step passes MaxInt64",
        ),
        ({"validRange": {"min": "2"}}, "10E", ""),
        (VALUES, "10E", ""),
    ],
)
def test_an_amount_that_can_not_be_counted_in_steps_is_an_error(policy: dict[str, Any], asked: str, said: str) -> None:
    capacities = read_capacities(device(policy=policy))
    with nullcontext() if not said else pytest.raises(CapacityError, match=f'^capacity "memory": .*: {said}$'):
        assert not fits(capacities, amounts(memory=asked), {}, {})


def test_such_an_amount_ends_the_search_for_devices() -> None:
    memory = {"value": "8", "requestPolicy": {"default": "2", **STEPS}}
    slices = [slice_of([on_node("d", capacity={"memory": memory}) | {"allowMultipleAllocations": True}])]
    large = {"requests": {"memory": "10E"}}
    where = "claim default/c, request r0: checking capacity for device"
    with pytest.raises(SchedulingAbortedError, match=f"{where} gpu.amd.com/n0/d: .*: request 10E exceeds MaxInt64"):
        picked(slices, claim(wish(capacity=large)))
    with pytest.raises(SchedulingAbortedError, match=f"{where} d: .*: request 10E exceeds MaxInt64"):
        picked(slices, claim(wish("All", capacity=large)))
