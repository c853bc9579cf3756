"""Which requirements and terms of selectors match labels and a node's name, and which of them can be read."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.facts.selectors import (
    Requirement,
    Term,
    as_integer,
    labels_of,
    read_requirements,
    read_terms,
    selector_problems,
    selects,
)

LABELS = {"app": "a", "rank": "5", "word": "x"}


@pytest.mark.parametrize(
    ("key", "operator", "values", "holds", "readable"),
    [
        ("rank", "In", ("4", "5"), True, True),
        ("rank", "In", ("4",), False, True),
        ("rank", "In", (), False, False),
        ("gone", "In", ("5",), False, True),
        ("rank", "NotIn", ("5",), False, True),
        ("rank", "NotIn", ("4",), True, True),
        ("gone", "NotIn", ("5",), True, True),
        ("gone", "NotIn", (), True, False),
        ("rank", "Exists", (), True, True),
        ("rank", "Exists", ("5",), True, False),
        ("gone", "Exists", (), False, True),
        ("rank", "DoesNotExist", (), False, True),
        ("gone", "DoesNotExist", (), True, True),
        ("gone", "DoesNotExist", ("5",), True, False),
        ("rank", "Gt", ("4",), True, True),
        ("rank", "Gt", ("5",), False, True),
        ("rank", "Gt", ("+4",), True, True),
        ("rank", "Lt", ("6",), True, True),
        ("rank", "Lt", ("5",), False, True),
        ("rank", "Lt", (), False, False),
        ("rank", "Gt", ("4", "3"), True, False),
        ("rank", "Gt", ("x",), False, False),
        ("word", "Gt", ("4",), False, True),
        ("gone", "Lt", ("4",), False, True),
        ("rank", "Is", ("5",), False, False),
    ],
)
def test_a_requirement_holds_or_not(key: str, operator: str, values: tuple[str, ...], holds: bool, readable: bool) -> None:
    requirement = Requirement(key, operator, values)
    assert (requirement.holds(LABELS), requirement.is_readable) == (holds, readable)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("05", 5),
        ("-5", -5),
        ("+5", 5),
        ("9223372036854775807", 2**63 - 1),
        ("9223372036854775808", None),
        ("-9223372036854775808", -(2**63)),
        ("-9223372036854775809", None),
        *((text, None) for text in ("", "5.0", " 5", "5 ", "5\n", "x", "٣", "1" * 41)),
    ],
)
def test_a_whole_number_of_64_bits_is_read_as_go_does(text: str, number: int | None) -> None:
    assert as_integer(text) == number


def _term(*fields: Requirement, labels: tuple[Requirement, ...] = ()) -> Term:
    return Term(labels, fields)


_ON_A = Requirement("metadata.name", "In", ("a",))
_NOT_ON_A = Requirement("metadata.name", "NotIn", ("a",))
_APP = Requirement("app", "In", ("a",))
_NO_APP = Requirement("app", "DoesNotExist", ())


@pytest.mark.parametrize(
    ("term", "on_a", "on_b", "nameless"),
    [
        (_term(), False, False, False),
        (_term(_ON_A), True, False, True),
        (_term(_NOT_ON_A), False, True, True),
        (_term(labels=(_APP,)), True, True, True),
        (_term(labels=(_APP, _NO_APP)), False, False, False),
        (_term(_ON_A, labels=(_APP,)), True, False, True),
        (_term(_ON_A, labels=(_NO_APP,)), False, False, False),
        (_term(_ON_A, _NOT_ON_A), False, False, True),
    ],
)
def test_a_term_wants_all_of_its_conditions(term: Term, on_a: bool, on_b: bool, nameless: bool) -> None:
    assert (term.matches(LABELS, "a"), term.matches(LABELS, "b"), term.matches(LABELS)) == (on_a, on_b, nameless)


@pytest.mark.parametrize(
    ("term", "readable", "names"),
    [
        (_term(), True, None),
        (_term(_ON_A), True, {"a"}),
        (_term(_NOT_ON_A), True, None),
        (_term(_ON_A, Requirement("metadata.name", "In", ("a", "b"))), False, {"a"}),
        (_term(_ON_A, Requirement("metadata.name", "In", ("b",))), True, set()),
        (_term(Requirement("metadata.name", "Exists", ())), False, None),
        (_term(Requirement("spec.x", "In", ("a",))), True, None),
        (_term(_ON_A, labels=(_APP,)), True, {"a"}),
        (_term(_ON_A, labels=(_APP, Requirement("app", "In", ()))), False, {"a"}),
    ],
)
def test_a_term_may_confine_itself_to_nodes_by_name(term: Term, readable: bool, names: set[str] | None) -> None:
    assert (term.is_readable, term.names()) == (readable, names)


def test_terms_and_requirements_are_read_as_they_stand() -> None:
    expressions = [{"key": "app", "operator": "In", "values": ["a"]}, {"key": 1, "operator": None}]
    assert read_requirements(expressions) == (_APP, Requirement("", "", ()))  # type: ignore[arg-type]
    fields = [{"key": "metadata.name", "operator": "In", "values": ["a"]}]
    assert read_terms([{"matchExpressions": expressions[:1], "matchFields": fields}, {}]) == (_term(_ON_A, labels=(_APP,)), _term())


def test_a_selector_looks_at_all_of_its_labels() -> None:
    selector: Any = {"matchLabels": {"app": "a", "word": "x"}, "matchExpressions": [{"key": "rank", "operator": "Exists"}]}
    assert labels_of(selector) == {"app", "word", "rank"}
    assert selects(selector, LABELS)
    assert not selects(selector, {"app": "a", "rank": "5"})
    assert not selects(selector, {"app": "a", "word": "x"})


def test_every_problem_of_a_selector_is_said_with_its_place() -> None:
    selector: Any = {
        "matchLabels": {"-": "a", "app": "a"},
        "matchExpressions": [
            {"key": "app", "operator": "Exists"},
            {"key": "-", "operator": "NotIn"},
            {"key": "-", "operator": "Is"},
            {"key": "app", "operator": "DoesNotExist", "values": ["-", "a", "-"]},
        ],
    }
    found = list(selector_problems(selector))
    assert [path for path, _ in found] == [
        ("matchLabels", "-"),
        ("matchExpressions", 1, "values"),
        ("matchExpressions", 1, "key"),
        ("matchExpressions", 2, "operator"),
        ("matchExpressions", 3, "values"),
        ("matchExpressions", 3, "values", 0),
        ("matchExpressions", 3, "values", 2),
    ]
    messages = [message for _, message in found]
    assert [messages[1], messages[3], messages[4]] == [
        "must not be empty for operator NotIn",
        '"Is" is not a valid label selector operator',
        "must be empty for operator DoesNotExist",
    ]
