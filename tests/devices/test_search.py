"""The search ends: it finds the answer, or it gives up."""

from __future__ import annotations

import pytest

from tests.devices.cluster import ABORT, answer, claim, device, gpus, picked, slice_of, wish
from weighbridge.policies.devices import CANNOT_ALLOCATE, TOO_MANY_COMBINATIONS

THIRTY_TWO = slice_of(gpus(32))
# There are sixteen pairs with the same root, so no three devices share one.
PAIRS = slice_of([device(f"gpu-{index}", root=index // 2) for index in range(32)])


def test_a_count_above_what_there_is_ends_at_once() -> None:
    assert answer([slice_of(gpus(31))], claim(wish(32))) == CANNOT_ALLOCATE


def test_requests_for_more_than_there_is_in_sum_are_found_out() -> None:
    assert answer([THIRTY_TWO], claim(wish(16), wish(16)), claim(wish(1), name="more")) == CANNOT_ALLOCATE


def test_a_later_request_that_can_not_be_met_is_found_out() -> None:
    infeasible = claim(wish(1, where="false"), name="infeasible")
    assert answer([THIRTY_TWO], claim(wish(16)), infeasible) == CANNOT_ALLOCATE
    lacking = claim(wish(1), name="lacking", constraints=[{"matchAttribute": "nosuch.example.com/x"}])
    assert answer([THIRTY_TWO], claim(wish(16)), lacking) == CANNOT_ALLOCATE


def test_an_error_that_the_search_would_meet_is_not_proved_away() -> None:
    infeasible = claim(wish(1, where="false"), wish(1, where="device.attributes.nosuch.nosuch == 1"), name="infeasible")
    assert answer([THIRTY_TWO], claim(wish(16)), infeasible) == TOO_MANY_COMBINATIONS
    erring = claim(wish(1, where="device.attributes.nosuch.nosuch == 1"), name="erring")
    assert answer([THIRTY_TWO], claim(wish(16)), erring).startswith(f"{ABORT}claim default/erring")


def test_a_search_without_end_is_given_up() -> None:
    rule = {"matchAttribute": "gpu.amd.com/root"}
    odd = [claim(wish(1), wish(1), name=f"c{index}", constraints=[rule]) for index in range(14)]
    assert answer([PAIRS], *odd, claim(wish(1), wish(1), wish(1), name="three", constraints=[rule])) == TOO_MANY_COMBINATIONS


@pytest.mark.parametrize("claims", [1, 60])
def test_many_claims_are_no_matter_of_depth(claims: int) -> None:
    slices = [slice_of(gpus(128), str(index), count=15) for index in range(15)]
    for number, item in enumerate(slices):
        item["spec"]["devices"] = [device(f"d{number}-{index}") for index in range(128)]
    assert len(picked(slices, *(claim(wish(32), name=f"c{index}") for index in range(claims)))) == 32 * claims
