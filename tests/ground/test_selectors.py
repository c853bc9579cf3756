"""The labels that selectors match, and why some selectors can't be evaluated."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.facts.selectors import labels_of, selector_problems, selects

LABELS = {"app": "a", "rank": "5"}


def asking(operator: str, *values: str, key: str = "rank") -> dict[str, Any]:
    return {"matchExpressions": [{"key": key, "operator": operator, "values": list(values)}]}


@pytest.mark.parametrize(
    ("selector", "chosen"),
    [
        (None, False),
        ("app=a", False),
        ({}, True),
        ({"matchLabels": {"app": "a"}}, True),
        ({"matchLabels": {"app": "b"}}, False),
        ({"matchLabels": {"app": "a"}, **asking("In", "4", "5")}, True),
        ({"matchLabels": {"app": "a"}, **asking("NotIn", "5")}, False),
        (asking("NotIn", "5", key="other"), True),
        (asking("Exists"), True),
        (asking("DoesNotExist"), False),
        (asking("Gt", "4"), False),
        (asking("Lt", "6"), False),
        (asking("Is", "5"), False),
    ],
    ids=str,
)
def test_a_label_selector_chooses_by_all_of_its_conditions_and_compares_no_numbers(selector: Any, chosen: bool) -> None:
    assert selects(selector, LABELS) is chosen


def test_the_labels_that_a_selector_looks_at() -> None:
    assert labels_of({"matchLabels": {"app": "a"}, **asking("Exists")}) == {"app", "rank"}
    assert labels_of(None) == set()


@pytest.mark.parametrize(
    ("selector", "path", "problem"),
    [
        (asking("Gt", "4"), ("matchExpressions", 0, "operator"), '"Gt" is not a valid label selector operator'),
        (asking("In"), ("matchExpressions", 0, "values"), "must not be empty for operator In"),
        (asking("Exists", "5"), ("matchExpressions", 0, "values"), "must be empty for operator Exists"),
        (asking("In", "a" * 64), ("matchExpressions", 0, "values", 0), "must be no more than 63 bytes"),
        ({"matchLabels": {"app": "a" * 64}}, ("matchLabels", "app"), "must be no more than 63 bytes"),
    ],
    ids=str,
)
def test_what_cannot_be_evaluated_is_said_with_its_place(selector: Any, path: tuple[str | int, ...], problem: str) -> None:
    assert list(selector_problems(selector)) == [(path, problem)]


def test_a_selector_that_can_be_evaluated_has_no_problem() -> None:
    assert not list(selector_problems({"matchLabels": {"app": "a"}, **asking("NotIn", "5")}))
