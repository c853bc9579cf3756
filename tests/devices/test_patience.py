"""The limits on a search, and on the number of devices of a claim."""

from __future__ import annotations

import pytest

from tests.devices.cluster import ABORT, AMD, answer, claim, device, first_of, gpus, node, picked, pod, slice_of, store_of, wish
from weighbridge.policies.devices import CANNOT_ALLOCATE, TOO_MANY_COMBINATIONS, DeviceRefusal, Devices, Silent
from weighbridge.policies.ground.objects import JSONObject

PAIRED = {"matchAttribute": "gpu.amd.com/root"}


def test_each_search_that_is_given_up_halves_the_next_one_down_to_a_least_length() -> None:
    slices = slice_of([device(f"gpu-{index}", root=index // 2) for index in range(32)])
    odd = [claim(wish(), wish(), name=f"c{index}", constraints=[PAIRED]) for index in range(14)]
    three = claim(wish(), wish(), wish(), name="three", constraints=[PAIRED])
    devices = Devices.of(store_of([AMD, slices, *odd, three]))
    requests = devices.requests_of(pod(*(f"c{index}" for index in range(14)), "three"), "default")
    assert not isinstance(requests, (DeviceRefusal, Silent))
    assert requests.patience.steps == 100_000
    steps = []
    requests.patience.steps = 7_000
    for _ in range(3):
        assert devices.solve(requests, node()).reason == TOO_MANY_COMBINATIONS
        steps.append(requests.patience.steps)
    assert steps == [3_500, 2_000, 2_000]


def test_a_search_with_an_end_leaves_the_next_one_as_long() -> None:
    devices = Devices.of(store_of([AMD, slice_of(gpus(1)), claim(wish(2))]))
    requests = devices.requests_of(pod("c"), "default")
    assert not isinstance(requests, (DeviceRefusal, Silent))
    assert devices.solve(requests, node()).reason == CANNOT_ALLOCATE
    assert requests.patience.steps == 100_000


@pytest.mark.usefixtures("kubernetes_1_36")
@pytest.mark.parametrize(
    ("counts", "too_many"),
    [((32,), 0), ((33,), 33), ((31, 1), 0), ((31, 2), 33), ((1, 31), 0), ((1, 32), 33), ((16, 8, 8), 0)],
)
def test_a_claim_has_at_most_32_devices(counts: tuple[int, ...], too_many: int) -> None:
    error = f"{ABORT}claim default/c: number of requested devices {too_many} exceeds the claim limit of 32"
    assert answer([slice_of(gpus(40))], claim(*map(wish, counts))) == (error if too_many else "")


@pytest.mark.parametrize(("counts", "name", "more", "before"), [((33,), "r0", 33, 0), ((31, 2), "r1", 2, 31), ((1, 32), "r1", 32, 1)])
def test_the_request_for_too_many_devices_is_named_from_1_37_on(counts: tuple[int, ...], name: str, more: int, before: int) -> None:
    excess = f"adding {more} devices exceeds the claim limit of 32, with {before} already accounted for"
    assert answer([slice_of(gpus(40))], claim(*map(wish, counts))) == f"{ABORT}claim default/c, request {name}: {excess}"


def test_each_claim_has_32_devices_of_its_own() -> None:
    assert answer([slice_of(gpus(64))], claim(wish(32)), claim(wish(32), name="other")) == ""


@pytest.mark.parametrize(
    ("requests", "devices"),
    [
        ([first_of(wish(33), wish(1))], ["r0/b=gpu-0"]),
        ([first_of(wish(32), wish(1)), wish(1)], ["r0/b=gpu-0", "r1=gpu-1"]),
        ([wish(1), first_of(wish(32), wish(2), name="r1")], ["r0=gpu-0", "r1/b=gpu-1", "r1/b=gpu-2"]),
        ([wish(1), first_of(wish("All"), wish(1), name="r1")], ["r0=gpu-0", "r1/b=gpu-1"]),
    ],
)
def test_a_list_falls_back_on_a_wish_with_which_the_claim_is_not_too_large(requests: list[JSONObject], devices: list[str]) -> None:
    assert picked([slice_of(gpus(40))], claim(*requests)) == devices
