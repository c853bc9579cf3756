"""How requests are counted at the limits of integers, and whether a pod may preempt others."""

from __future__ import annotations

import pytest

from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.pods.priority import priority_of
from weighbridge.policies.pods.requests import MAX_COUNT, counts, read_amount, uncountable


@pytest.mark.parametrize(
    ("name", "amount", "count"),
    [
        ("memory", "9223372036854775807", MAX_COUNT),
        ("memory", "9223372036854775808", MAX_COUNT + 1),
        ("memory", "1e30", MAX_COUNT + 1),
        ("cpu", "9223372036854775807m", MAX_COUNT),
        ("cpu", "9223372036854775808m", MAX_COUNT + 1),
        ("cpu", "1m", 1),
        ("cpu", "2", 2000),
        ("x.dev/d", "2", 2),
    ],
)
def test_what_can_not_be_counted_is_more_than_any_node_has(name: str, amount: str, count: int) -> None:
    asked = {name: Quantity.parse(amount)}
    assert counts(asked) == {name: count}
    assert list(uncountable(asked)) == ([name] if count > MAX_COUNT else [])


def test_counts_stand_in_the_scheduler_s_order_and_without_zeros() -> None:
    names = ("x.dev/b", "x.dev/a", "memory", "ephemeral-storage", "cpu", "hugepages-2Mi")
    asked = {name: Quantity.parse("1") for name in names} | {"x.dev/c": Quantity.parse("0")}
    assert list(counts(asked)) == ["cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "x.dev/a", "x.dev/b"]


@pytest.mark.parametrize(
    ("text", "read"),
    [("1", "1"), ("0.0001", "1m"), ("1.0001", "1001m"), ("1n", "1m"), ("1e30", "1e30"), ("-1e30", "-1e30")],
)
def test_an_amount_is_kept_rounded_up_to_a_thousandth(text: str, read: str) -> None:
    assert read_amount(text) == Quantity.parse(read)


@pytest.mark.parametrize(
    ("spec", "policy", "unchecked"),
    [
        ({}, "PreemptLowerPriority", []),
        ({"preemptionPolicy": "Never", "priorityClassName": "own"}, "Never", ["own"]),
        ({"priorityClassName": "own"}, "PreemptLowerPriority", ["own"]),
        ({"priorityClassName": "system-node-critical"}, "PreemptLowerPriority", []),
    ],
)
def test_without_known_classes_the_pod_s_own_policy_or_the_default_holds(spec: JSONObject, policy: str, unchecked: list[str]) -> None:
    told: list[str] = []
    assert priority_of("p", spec, ObjectStore(), told).policy == policy
    assert told == [f"PriorityClass {name}: the cluster's priority classes aren't known" for name in unchecked]
