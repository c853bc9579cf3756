"""matchAttribute and distinctAttribute among the devices of a claim."""

from __future__ import annotations

from typing import Any

import pytest

from tests.devices.cluster import ABORT, answer, claim, device, first_of, picked, slice_of, wish
from weighbridge.policies.devices import CANNOT_ALLOCATE

MODEL = "gpu.amd.com/model"
ROOT = "resource.kubernetes.io/pcieRoot"


def same(attribute: str, *requests: str) -> dict[str, Any]:
    return {"matchAttribute": attribute} | ({"requests": list(requests)} if requests else {})


def distinct(attribute: str, *requests: str) -> dict[str, Any]:
    return {"distinctAttribute": attribute} | ({"requests": list(requests)} if requests else {})


def models(*names: str) -> dict[str, Any]:
    return slice_of([device(f"{name}{index}", model=name) for index, name in enumerate(names)])


def with_root(name: str, root: str) -> dict[str, Any]:
    return device(name) | {"attributes": {ROOT: {"string": root}}}


def test_all_devices_share_a_value() -> None:
    assert picked([models("x", "y", "x")], claim(wish(2), constraints=[same(MODEL)])) == ["r0=x0", "r0=x2"]
    assert answer([models("x", "y", "z")], claim(wish(2), constraints=[same(MODEL)])) == CANNOT_ALLOCATE


def test_a_device_without_the_attribute_can_not_be_used() -> None:
    assert answer([models("x", "x")], claim(wish(1), constraints=[same("gpu.amd.com/nosuch")])) == CANNOT_ALLOCATE


def test_values_of_unlike_kinds_are_not_the_same() -> None:
    devices = [device("text", model="1"), device("number", model=1), device("flag", model=True)]
    assert answer([slice_of(devices)], claim(wish(2), constraints=[same(MODEL)])) == CANNOT_ALLOCATE


def test_versions_are_the_same_only_letter_by_letter() -> None:
    devices = [
        device(name) | {"attributes": {"v": {"version": text}}} for name, text in (("a", "1.0.0+x"), ("b", "1.0.0+y"), ("c", "1.0.0+x"))
    ]
    assert picked([slice_of(devices)], claim(wish(2), constraints=[same("gpu.amd.com/v")])) == ["r0=a", "r0=c"]


def test_devices_of_two_drivers_can_share_an_attribute_of_neither() -> None:
    slices = [
        slice_of([with_root("gpu-0", "pci0"), with_root("gpu-1", "pci1")]),
        slice_of([with_root("nic-0", "pci1")], driver="nic.example.com"),
    ]
    wanted = [wish(1), wish(1, "any", where='device.driver == "nic.example.com"')]
    assert picked(slices, claim(*wanted, constraints=[same(ROOT)])) == ["r0=gpu-1", "r1=nic-0"]


def test_a_constraint_holds_for_the_requests_it_names() -> None:
    wanted = [wish(2), wish(1)]
    assert picked([models("x", "y", "x")], claim(*wanted, constraints=[same(MODEL, "r0")])) == ["r0=x0", "r0=x2", "r1=y1"]


def test_a_constraint_can_name_a_request_or_one_of_its_alternatives() -> None:
    request = first_of(wish(2), wish(1))
    assert picked([models("x", "y")], claim(request, constraints=[same(MODEL, "r0/a")])) == ["r0/b=x0"]
    assert picked([models("x", "y")], claim(request, constraints=[same(MODEL, "r0/b")])) == ["r0/a=x0", "r0/a=y1"]
    assert picked([models("x", "y")], claim(request, constraints=[same(MODEL, "r0")])) == ["r0/b=x0"]


def test_all_devices_that_do_not_agree_stop_the_scheduling() -> None:
    expected = f"{ABORT}claim default/c, request r0: cannot add device gpu.amd.com/n0/y1 because a claim constraint would not be satisfied"
    assert answer([models("x", "y")], claim(wish("All"), constraints=[same(MODEL)])) == expected
    assert answer([models("x", "x")], claim(wish("All"), constraints=[same(MODEL)])) == ""


def test_an_alternative_is_named_alone_in_that_error() -> None:
    assert "claim default/c, request a: cannot add" in answer([models("x", "y")], claim(first_of(wish("All")), constraints=[same(MODEL)]))


def test_distinct_values_all_differ() -> None:
    pairs = models("w", "w", "x", "x", "y", "y", "z", "z")
    assert picked([pairs], claim(wish(4), constraints=[distinct(MODEL)])) == ["r0=w0", "r0=x2", "r0=y4", "r0=z6"]
    assert answer([pairs], claim(wish(5), constraints=[distinct(MODEL)])) == CANNOT_ALLOCATE
    assert answer([models("x", "x")], claim(wish(1), wish(1), constraints=[distinct(MODEL)])) == CANNOT_ALLOCATE


@pytest.mark.usefixtures("kubernetes_1_36")
def test_distinct_remembers_only_the_latest_value_of_a_request() -> None:
    # As in the allocator: the third device is compared only with the second.
    assert picked([models("x", "y", "x")], claim(wish(3), constraints=[distinct(MODEL)])) == ["r0=x0", "r0=y1", "r0=x2"]


def test_distinct_holds_for_all_devices_of_a_request_from_1_37_on() -> None:
    assert picked([models("x", "y", "x", "z")], claim(wish(3), constraints=[distinct(MODEL)])) == ["r0=x0", "r0=y1", "r0=z3"]


def test_several_constraints_hold_together() -> None:
    devices = [device("a", model="x", numa=0), device("b", model="x", numa=0), device("c", model="x", numa=1)]
    rules = [same(MODEL), distinct("gpu.amd.com/numa")]
    assert picked([slice_of(devices)], claim(wish(2), constraints=rules)) == ["r0=a", "r0=c"]


def test_constraints_of_one_claim_are_nothing_to_another() -> None:
    one = claim(wish(1), name="one", constraints=[same(MODEL)])
    assert picked([models("x", "y")], one, claim(wish(1), name="two", constraints=[same(MODEL)])) == ["r0=x0", "r0=y1"]


def test_distinct_forgets_a_request_whose_device_was_given_back() -> None:
    # As in the allocator: r0 had y0 and gave it back, so there is nothing with which to compare y1.
    devices = [device("y0", model="y", numa=0), device("y1", model="y", numa=1), device("x2", model="x", numa=1)]
    wanted = [wish(1), wish(1, where='device.attributes["gpu.amd.com"].numa == 1')]
    rules = [distinct(MODEL), same("gpu.amd.com/numa")]
    assert picked([slice_of(devices)], claim(*wanted, constraints=rules)) == ["r0=y1", "r1=x2"]
