"""Partitions that consume shared counters, devices that are divided by capacity, and taints."""

from __future__ import annotations

from typing import Any

import pytest

from tests.devices.cluster import answer, claim, device, held, picked, slice_of, wish
from weighbridge.policies.devices import CANNOT_ALLOCATE, INVALID_POOLS

SETS = [{"name": "gpu", "counters": {"memory": {"value": "80Gi"}, "slices": {"value": "7"}}}]


def partition(name: str, memory: str, slices: int, counters: str = "gpu") -> dict[str, Any]:
    drawn = {"memory": {"value": memory}, "slices": {"value": str(slices)}}
    return device(name, profile=name.split("-", maxsplit=1)[0]) | {"consumesCounters": [{"counterSet": counters, "counters": drawn}]}


MIG = [
    slice_of([], "counters", count=2, sharedCounters=SETS),
    slice_of(
        [
            *(partition(f"1g-{n}", "10Gi", 1) for n in range(7)),
            *(partition(f"3g-{n}", "40Gi", 3) for n in range(2)),
            partition("whole-0", "80Gi", 7),
        ],
        "devices",
        count=2,
    ),
]


def mig(profile: str, count: int) -> dict[str, Any]:
    return wish(count, where=f'device.attributes["gpu.amd.com"].profile == "{profile}"')


@pytest.mark.parametrize(
    ("requests", "fits"),
    [
        ([mig("1g", 7)], True),
        ([mig("3g", 2)], True),
        ([mig("3g", 2), mig("1g", 1)], False),
        ([mig("3g", 1), mig("1g", 4)], True),
        ([mig("3g", 1), mig("1g", 5)], False),
        ([mig("whole", 1)], True),
        ([mig("whole", 1), mig("1g", 1)], False),
    ],
)
def test_partitions_draw_on_the_counters_of_their_device(requests: list[dict[str, Any]], fits: bool) -> None:
    assert answer(MIG, claim(*requests)) == ("" if fits else CANNOT_ALLOCATE)


def test_partitions_of_others_draw_on_the_same_counters() -> None:
    assert answer([*MIG, held("gpu.amd.com", "n0", "3g-0")], claim(mig("3g", 1), mig("1g", 1))) == CANNOT_ALLOCATE
    assert answer([*MIG, held("gpu.amd.com", "n0", "3g-0")], claim(mig("1g", 4))) == ""


def test_all_partitions_together_overdraw() -> None:
    assert answer(MIG, claim(wish("All"))) == CANNOT_ALLOCATE


def test_an_overdrawn_counter_blocks_the_whole_pool() -> None:
    assert answer([*MIG, held("gpu.amd.com", "n0", "whole-0", "1g-0")], claim(mig("1g", 1))) == CANNOT_ALLOCATE


@pytest.mark.parametrize("name", ["counters", "devices"])
def test_a_pool_whose_counters_are_missing_is_incomplete(name: str) -> None:
    assert answer([item for item in MIG if not item["metadata"]["name"].endswith(name)], claim(mig("1g", 1))) == CANNOT_ALLOCATE


@pytest.mark.parametrize("broken", [partition("1g-9", "1Gi", 1, counters="nosuch"), partition("1g-9", "1Gi", 1)])
def test_counters_that_do_not_exist_make_a_pool_invalid(broken: dict[str, Any]) -> None:
    if broken["consumesCounters"][0]["counterSet"] == "gpu":
        broken["consumesCounters"][0]["counters"]["cores"] = {"value": "1"}
    assert answer([MIG[0], slice_of([broken], "devices", count=2)], claim(wish(1))) == INVALID_POOLS


def divided(memory: dict[str, Any] | str = "192Gi", **more: Any) -> dict[str, Any]:
    return slice_of([device("gpu-0", capacity={"memory": memory, **more}) | {"allowMultipleAllocations": True}])


def sharing(*amounts: str) -> dict[str, Any]:
    return claim(*(wish(1, capacity={"requests": {"memory": amount}}) for amount in amounts))


@pytest.mark.parametrize(
    ("amount", "fits"),
    [("16Gi", True), ("192Gi", True), ("193Gi", False)],
)
def test_an_undivided_device_has_what_is_asked_or_not(amount: str, fits: bool) -> None:
    plain = slice_of([device("gpu-0", capacity={"memory": "192Gi"})])
    assert (answer([plain], sharing(amount)) == "") is fits
    assert answer([plain], sharing(amount, "1Gi")) == CANNOT_ALLOCATE


def test_a_capacity_that_the_device_does_not_have_never_fits() -> None:
    assert answer([divided()], claim(wish(1, capacity={"requests": {"cores": "1"}}))) == CANNOT_ALLOCATE


@pytest.mark.parametrize(
    ("amounts", "fits"),
    [(["96Gi", "96Gi"], True), (["112Gi", "112Gi"], False), (["64Gi", "64Gi", "64Gi"], True)],
)
def test_a_divided_device_is_shared_until_it_is_used_up(amounts: list[str], fits: bool) -> None:
    assert (answer([divided()], sharing(*amounts)) == "") is fits


def test_who_names_no_amount_takes_everything_or_the_default() -> None:
    assert answer([divided()], claim(wish(1), wish(1))) == CANNOT_ALLOCATE
    assert answer([divided({"value": "192Gi", "requestPolicy": {"default": "10Gi"}})], claim(wish(1), wish(1))) == ""
    # A capacity that the request doesn't name is consumed as a whole.
    assert answer([divided(cores="100")], sharing("1Gi", "1Gi")) == CANNOT_ALLOCATE


def test_shares_of_others_count() -> None:
    shared = held("gpu.amd.com", "n0", "gpu-0", shareID="a", consumedCapacity={"memory": "150Gi"})
    assert answer([divided(), shared], sharing("42Gi")) == ""
    assert answer([divided(), shared], sharing("43Gi")) == CANNOT_ALLOCATE


@pytest.mark.parametrize(
    ("policy", "amounts", "fits"),
    [
        ({"validRange": {"min": "10Gi", "max": "100Gi"}}, ["100Gi"], True),
        ({"validRange": {"min": "10Gi", "max": "100Gi"}}, ["101Gi"], False),
        ({"validRange": {"min": "64Gi"}}, ["1Gi", "1Gi", "1Gi"], True),
        ({"validRange": {"min": "64Gi"}}, ["1Gi", "1Gi", "1Gi", "1Gi"], False),
        ({"validRange": {"min": "32Gi", "step": "32Gi"}}, ["33Gi", "96Gi", "1Gi"], True),
        ({"validRange": {"min": "32Gi", "step": "32Gi"}}, ["33Gi", "97Gi", "1Gi"], False),
        ({"validValues": ["48Gi", "96Gi"]}, ["1Gi", "49Gi", "48Gi"], True),
        ({"validValues": ["48Gi", "96Gi"]}, ["1Gi", "49Gi", "49Gi"], False),
        ({"validValues": ["48Gi", "96Gi"]}, ["97Gi"], False),
    ],
)
def test_policies_round_what_is_asked_for(policy: dict[str, Any], amounts: list[str], fits: bool) -> None:
    device_with_policy = divided({"value": "192Gi", "requestPolicy": {"default": "10Gi", **policy}})
    assert (answer([device_with_policy], sharing(*amounts)) == "") is fits


def tainted(*taints: tuple[str, str, str]) -> dict[str, Any]:
    listed = [{"key": key, "value": value, "effect": effect} for key, value, effect in taints]
    return slice_of([device("gpu-0") | {"taints": listed}])


@pytest.mark.parametrize(
    ("toleration", "fits"),
    [
        ({}, False),
        ({"operator": "Exists"}, True),
        ({"key": "broken", "operator": "Exists"}, True),
        ({"key": "broken", "operator": "Exists", "effect": "NoExecute"}, False),
        ({"key": "broken", "operator": "Equal", "value": "yes"}, True),
        ({"key": "broken", "value": "yes"}, True),
        ({"key": "broken", "operator": "Equal", "value": "no"}, False),
        ({"key": "other", "operator": "Exists"}, False),
        ({"key": "broken", "operator": "Gt", "value": "yes"}, False),
    ],
)
def test_a_tainted_device_needs_a_toleration_of_the_request(toleration: dict[str, Any], fits: bool) -> None:
    wanted = wish(1, tolerations=[toleration] if toleration else [])
    assert (answer([tainted(("broken", "yes", "NoSchedule"))], claim(wanted)) == "") is fits


def test_every_harmful_taint_must_be_tolerated_and_harmless_ones_never() -> None:
    both = tainted(("broken", "", "NoSchedule"), ("hot", "", "NoExecute"))
    assert answer([both], claim(wish(1, tolerations=[{"key": "broken", "operator": "Exists"}]))) == CANNOT_ALLOCATE
    assert answer([tainted(("noted", "", "None"))], claim(wish(1))) == ""


def rule(selector: dict[str, Any] | None, effect: str = "NoSchedule") -> dict[str, Any]:
    """A rule that taints the devices that it selects."""
    spec = {"taint": {"key": "broken", "value": "yes", "effect": effect}, **({} if selector is None else {"deviceSelector": selector})}
    return {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceTaintRule", "metadata": {"name": "r"}, "spec": spec}


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        (None, ["gpu-0", "gpu-1"]),
        ({}, []),
        ({"driver": "gpu.amd.com"}, []),
        ({"driver": "other.example.com"}, ["gpu-0", "gpu-1"]),
        ({"pool": "n0"}, []),
        ({"pool": "n1"}, ["gpu-0", "gpu-1"]),
        ({"device": "gpu-0"}, ["gpu-1"]),
        ({"device": "gpu-9"}, ["gpu-0", "gpu-1"]),
        ({"driver": "gpu.amd.com", "pool": "n0", "device": "gpu-1"}, ["gpu-0"]),
        ({"driver": "gpu.amd.com", "pool": "n1", "device": "gpu-1"}, ["gpu-0", "gpu-1"]),
    ],
)
def test_a_rule_taints_the_devices_that_it_selects(selector: dict[str, Any] | None, expected: list[str]) -> None:
    devices = slice_of([device("gpu-0"), device("gpu-1")])
    found = [count for count in (1, 2) if answer([devices, rule(selector)], claim(wish(count))) == ""]
    assert len(found) == len(expected)
    if expected:
        assert picked([devices, rule(selector)], claim(wish(len(expected)))) == [f"r0={name}" for name in expected]
    tolerant = wish(2, tolerations=[{"key": "broken", "operator": "Exists"}])
    assert answer([devices, rule(selector)], claim(tolerant)) == ""
    assert answer([devices, rule(selector, "None")], claim(wish(2))) == ""


def test_admin_access_does_not_get_past_taints() -> None:
    assert answer([tainted(("broken", "", "NoSchedule"))], claim(wish(1, adminAccess=True))) == CANNOT_ALLOCATE


def test_a_taint_makes_room_for_the_next_device() -> None:
    devices = [device("bad") | {"taints": [{"key": "broken", "effect": "NoExecute"}]}, device("good")]
    assert picked([slice_of(devices)], claim(wish(1))) == ["r0=good"]
