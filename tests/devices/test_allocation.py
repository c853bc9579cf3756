"""Counts, lists of alternatives, all devices, admin access: the devices that each claim gets."""

from __future__ import annotations

import pytest

from tests.devices.cluster import (
    ABORT,
    AMD,
    answer,
    claim,
    device,
    device_class,
    first_of,
    gpus,
    held,
    node,
    picked,
    slice_of,
    wish,
)
from weighbridge.policies.devices import CANNOT_ALLOCATE, NOT_AVAILABLE
from weighbridge.policies.facts import ObjectStore

EIGHT = slice_of(gpus(8))
OLD = "resource.k8s.io/v1beta1"


def test_devices_are_taken_first_fit_in_the_order_of_slices() -> None:
    slices = [slice_of([device("c")], "2", count=2), slice_of([device("b"), device("a")], "1", count=2)]
    assert picked(slices, claim(wish(3))) == ["r0=b", "r0=a", "r0=c"]


def test_pools_are_tried_in_the_order_of_driver_and_name() -> None:
    slices = [slice_of(gpus(1), driver="z.example.com"), slice_of([device("nic")], driver="a.example.com")]
    assert picked(slices, claim(wish(1, "any"), wish(1, "any"))) == ["r0=nic", "r1=gpu-0"]


@pytest.mark.parametrize(("count", "reason"), [(8, ""), (9, CANNOT_ALLOCATE), (32, CANNOT_ALLOCATE)])
def test_a_count_is_met_up_to_what_the_node_has(count: int, reason: str) -> None:
    assert answer([EIGHT], claim(wish(count))) == reason


def test_a_count_that_is_left_out_is_one() -> None:
    assert picked([EIGHT], claim({"deviceClassName": "amd"})) == ["r0=gpu-0"]


@pytest.mark.usefixtures("kubernetes_1_36")
def test_more_devices_than_a_claim_can_list_stop_the_scheduling() -> None:
    expected = ABORT + "claim default/c: number of requested devices 33 exceeds the claim limit of 32"
    assert answer([], claim(wish(33))) == answer([], claim(wish(17), wish(16))) == expected


@pytest.mark.parametrize(("second", "reason"), [(3, ""), (4, CANNOT_ALLOCATE)])
def test_requests_and_claims_of_a_pod_never_share_a_device(second: int, reason: str) -> None:
    assert answer([EIGHT], claim(wish(5), wish(second))) == reason
    assert answer([EIGHT], claim(wish(5), name="one"), claim(wish(second), name="two")) == reason


def test_a_claim_that_a_pod_names_twice_is_allocated_twice() -> None:
    single = claim(wish(5))
    assert answer([EIGHT], single, single) == CANNOT_ALLOCATE


def test_devices_that_other_claims_hold_are_not_there() -> None:
    assert answer([EIGHT, held("gpu.amd.com", "n0", "gpu-0", "gpu-7")], claim(wish(7))) == CANNOT_ALLOCATE
    assert picked([EIGHT, held("gpu.amd.com", "n0", "gpu-0")], claim(wish(1))) == ["r0=gpu-1"]


def test_a_device_held_with_admin_access_is_free() -> None:
    assert answer([EIGHT, held("gpu.amd.com", "n0", "gpu-0", adminAccess=True)], claim(wish(8))) == ""


def test_admin_access_reaches_devices_in_use_but_not_twice_in_a_claim() -> None:
    everything = held("gpu.amd.com", "n0", *(f"gpu-{index}" for index in range(8)))
    assert answer([EIGHT, everything], claim(wish(8, adminAccess=True))) == ""
    assert answer([EIGHT, everything], claim(wish(5, adminAccess=True), wish(4, adminAccess=True))) == CANNOT_ALLOCATE


def test_the_first_alternative_that_works_on_the_node_is_taken() -> None:
    request = first_of(wish(9), wish(2, where="false"), wish(1))
    assert picked([EIGHT], claim(request)) == ["r0/c=gpu-0"]


def test_an_alternative_gives_way_where_a_later_request_needs_its_devices() -> None:
    assert picked([slice_of(gpus(3))], claim(first_of(wish(2), wish(1)), wish(2))) == ["r0/b=gpu-0", "r1=gpu-1", "r1=gpu-2"]


def test_alternatives_too_large_for_the_claim_are_passed_over() -> None:
    node_of_40 = slice_of(gpus(40))
    request = first_of(wish(30), wish(5))
    assert len(picked([node_of_40], claim(request, {"name": "r1", "exactly": wish(20)}))) == 25


def test_all_takes_every_matching_device_and_needs_one() -> None:
    mixed = slice_of([device("a", model="x"), device("b", model="y"), device("c", model="x")])
    chosen = wish("All", where='device.attributes["gpu.amd.com"].model == "x"')
    assert picked([mixed], claim(chosen)) == ["r0=a", "r0=c"]
    assert answer([mixed], claim(wish("All", where="false"))) == CANNOT_ALLOCATE
    assert answer([], claim(wish("All"))) == CANNOT_ALLOCATE


def test_all_needs_every_device_to_be_free_and_untainted() -> None:
    assert answer([EIGHT, held("gpu.amd.com", "n0", "gpu-5")], claim(wish("All"))) == CANNOT_ALLOCATE
    tainted = device("bad") | {"taints": [{"key": "broken", "effect": "NoSchedule"}]}
    assert answer([slice_of([*gpus(2), tainted])], claim(wish("All"))) == CANNOT_ALLOCATE


def test_a_class_without_devices_is_an_ordinary_no() -> None:
    assert answer([EIGHT, device_class("none", "false")], claim(wish(1, "none"))) == CANNOT_ALLOCATE


def test_an_allocated_claim_is_tied_to_its_nodes_and_not_looked_at_again() -> None:
    terms = [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}]}]
    given = claim(wish(1), allocation={"nodeSelector": {"nodeSelectorTerms": terms}, "devices": {"results": []}})
    assert answer([], given, on=node("n0")) == NOT_AVAILABLE
    assert answer([], given, on=node("n1")) == ""
    assert answer([], claim(wish(99), allocation={"devices": {"results": []}})) == ""


def test_what_can_not_be_allocated_is_told_before_what_is_not_available() -> None:
    terms = [{"matchExpressions": [{"key": "zone", "operator": "Exists"}]}]
    given = claim(wish(1), name="given", allocation={"nodeSelector": {"nodeSelectorTerms": terms}, "devices": {"results": []}})
    assert answer([EIGHT], given, claim(wish(9))) == CANNOT_ALLOCATE
    assert answer([EIGHT], given, claim(wish(8))) == NOT_AVAILABLE


def test_an_allocated_device_whose_binding_failed_is_not_available() -> None:
    place = {"driver": "gpu.amd.com", "pool": "n0", "device": "gpu-0"}
    result = place | {"request": "r0", "bindingConditions": ["ok"], "bindingFailureConditions": ["bad"]}
    report = place | {"conditions": [{"type": "bad", "status": "True"}]}
    allocation = {"devices": {"results": [result]}}
    assert answer([EIGHT], claim(wish(1), allocation=allocation, devices=[report])) == NOT_AVAILABLE
    assert answer([EIGHT], claim(wish(1), allocation=allocation, devices=[])) == ""


def test_claims_and_slices_of_v1beta1_are_read_where_their_parts_stand() -> None:
    old = {**claim({"name": "r0", "deviceClassName": AMD["metadata"]["name"], "count": 2}), "apiVersion": OLD}
    basic = {"name": "old", "basic": {"attributes": {"model": {"string": "x"}}}}
    wanted = claim({"name": "r0", "exactly": wish(1, where='device.attributes["gpu.amd.com"].model == "x"')})
    assert picked([EIGHT], old) == ["r0=gpu-0", "r0=gpu-1"]
    assert picked([{**slice_of([basic]), "apiVersion": OLD}], wanted) == ["r0=old"]


def test_templates_of_v1beta1_make_the_claims_that_those_of_v1_make() -> None:
    request = {"name": "r0", "deviceClassName": AMD["metadata"]["name"], "count": 2, "tolerations": [{"operator": "Exists"}]}
    spec = {"spec": {"devices": {"requests": [request], "constraints": [{"matchAttribute": "a/b"}]}}}
    template = {"apiVersion": OLD, "kind": "ResourceClaimTemplate", "metadata": {"name": "t", "namespace": "default"}, "spec": spec}
    kept = ObjectStore([template]).get("resource.k8s.io", "ResourceClaimTemplate", "default", "t")
    exactly = {key: value for key, value in request.items() if key != "name"}
    devices = {"requests": [{"name": "r0", "exactly": exactly}], "constraints": [{"matchAttribute": "a/b"}]}
    assert kept == {**template, "apiVersion": "resource.k8s.io/v1", "spec": {"spec": {"devices": devices}}}


def test_with_an_object_in_an_unknown_version_its_kind_is_not_known_any_more() -> None:
    store = ObjectStore([EIGHT])
    store.complete()
    assert store.knows_all("resource.k8s.io", "ResourceSlice")
    store.put({**EIGHT, "apiVersion": "resource.k8s.io/v1alpha3", "metadata": {"name": "older"}})
    assert not store.knows_all("resource.k8s.io", "ResourceSlice")
    assert len(store) == 1
    store.replace("resource.k8s.io", "ResourceSlice", [EIGHT])
    assert store.knows_all("resource.k8s.io", "ResourceSlice")
