"""Extended resources of a device class: when devices provide them, and how containers share them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.devices.cluster import claim, device_class, gpus, node, pod, slice_of, solve, store_of, wish
from weighbridge.policies.devices import CANNOT_ALLOCATE, DeviceRefusal, Devices, Silent

CLASS = device_class("gpu", 'device.driver == "gpu.amd.com"', resource="amd.com/gpu")
IMPLICIT = "deviceclass.resource.kubernetes.io/gpu"
EIGHT = slice_of(gpus(8))


def container(count: int | str, resource: str = "amd.com/gpu", **more: Any) -> dict[str, Any]:
    return {"name": "c", "resources": {"requests": {resource: str(count)}}, **more}


def with_containers(*containers: dict[str, Any], first: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    return {"metadata": {"name": "p"}, "spec": {"containers": list(containers), "initContainers": list(first)}}


def reason(asking: dict[str, Any], *objects: dict[str, Any], allocatable: dict[str, str] | None = None) -> str:
    return solve([CLASS, EIGHT, *objects], asking, node("n0", allocatable)).reason


@pytest.mark.parametrize(("count", "expected"), [(8, ""), (9, CANNOT_ALLOCATE)])
def test_devices_serve_what_no_plugin_offers(count: int, expected: str) -> None:
    for resource in ("amd.com/gpu", IMPLICIT):
        assert reason(pod(requests={resource: str(count)})) == expected
        assert reason(pod(requests={resource: str(count)}), allocatable={resource: "0"}) == expected


def test_where_a_plugin_offers_any_it_decides_alone() -> None:
    assert reason(pod(requests={"amd.com/gpu": "99"}), allocatable={"amd.com/gpu": "1"}) == ""


def test_zero_and_unmapped_resources_are_none_of_the_devices_business() -> None:
    devices = Devices.of(store_of([CLASS]))
    for requests in ({"amd.com/gpu": "0"}, {"nvidia.com/gpu": "1"}, {"cpu": "1"}):
        found = devices.requests_of(pod(requests=requests), "default")
        assert getattr(found, "is_empty", None) is True


def test_a_limit_stands_in_for_a_request() -> None:
    limited = {"name": "c", "resources": {"limits": {"amd.com/gpu": "9"}}}
    assert reason(with_containers(limited)) == CANNOT_ALLOCATE


def test_a_class_that_matches_nothing_maps_all_the_same() -> None:
    ghost = device_class("ghost", "false", resource="example.com/ghost")
    assert reason(pod(requests={"example.com/ghost": "1"}), ghost) == CANNOT_ALLOCATE


def test_requests_are_named_by_container_and_place_among_its_resources() -> None:
    one = {"name": "a", "resources": {"requests": {"zzz.com/x": "1", "amd.com/gpu": "1", "cpu": "1"}}}
    found = solve([CLASS, EIGHT], with_containers(one, container(2)))
    assert [item.request for item in found.devices] == ["container-0-request-0", "container-1-request-0", "container-1-request-0"]
    assert {item.claim for item in found.devices} == {"<extended-resources>"}


@pytest.mark.parametrize(
    ("init", "count", "expected"),
    [
        (container(8), 1, ""),
        (container(8), 8, ""),
        (container(9), 1, CANNOT_ALLOCATE),
        (container(4, restartPolicy="Always"), 4, ""),
        (container(4, restartPolicy="Always"), 5, CANNOT_ALLOCATE),
    ],
)
def test_init_containers_use_again_what_later_containers_have(init: dict[str, Any], count: int, expected: str) -> None:
    assert reason(with_containers(container(count), first=(init,))) == expected


def test_a_sidecar_before_an_init_container_keeps_its_devices() -> None:
    sidecar, init = container(2, restartPolicy="Always"), container(7)
    assert reason(with_containers(container(1), first=(sidecar, init))) == CANNOT_ALLOCATE
    assert reason(with_containers(container(1), first=(init, sidecar))) == ""


def test_claims_of_the_pod_compete_for_the_same_devices() -> None:
    asking = pod("c", requests={"amd.com/gpu": "4"})
    assert reason(asking, claim(wish(4))) == ""
    assert reason(asking, claim(wish(5))) == CANNOT_ALLOCATE


def test_a_claim_beside_a_resource_that_a_plugin_serves_can_not_be_bound() -> None:
    devices = Devices.of(store_of([CLASS, EIGHT, claim(wish(1, "gpu"))]))
    requests = devices.requests_of(pod("c", requests={"amd.com/gpu": "1"}), "default")
    assert not isinstance(requests, (DeviceRefusal, Silent))
    plugin = node("n0", {"amd.com/gpu": "8"})
    assert devices.allocate(requests, plugin) is None
    assert devices.binding_error(requests, plugin) == (
        'running PreBind plugin "DynamicResources": nil or empty request mappings, no update of pod default/p ExtendedResourceClaimStatus'
    )
    assert devices.binding_error(requests, node()) == ""
