"""The API server's errors on label selectors, and on terms that choose nodes."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.pods.validation.selectors import selector_errors, term_errors
from weighbridge.policies.schema.names import dns1123_subdomain, label_value, qualified_name

SUBDOMAIN = dns1123_subdomain("_")[0]
QUALIFIED = qualified_name("a b")[0]
VALUE = label_value("a b")[0]
OPERATOR = "not a valid selector operator"
NEEDS = "Required value: must be specified when `operator` is 'In' or 'NotIn'"
FORBIDDEN = "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
SINGLE = "Required value: must be specified single value when `operator` is 'Lt' or 'Gt'"
ONE_VALUE = "Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
EMPTY = "name part must be non-empty"


def wants(operator: str, *values: str, key: str = "a") -> JSONObject:
    """A condition on a label."""
    return {"key": key, "operator": operator, "values": list(values)}


def of_selector(selector: JSONObject) -> list[str]:
    """The errors on a label selector."""
    return [str(error).removeprefix("s.") for error in selector_errors(selector, "s")]


def of_term(*, is_required: bool = True, **term: JSONValue) -> list[str]:
    """The errors on a term of a node selector."""
    return [str(error).removeprefix("t.") for error in term_errors(term, "t", is_required=is_required)]


def of_expression(expression: JSONObject) -> list[str]:
    """The errors on an expression in a term."""
    return [error.removeprefix("matchExpressions[0].") for error in of_term(matchExpressions=[expression])]


def of_field(field: JSONObject) -> list[str]:
    """The errors on a condition on a node's field, required or preferred."""
    errors = of_term(matchFields=[field])
    assert errors == of_term(matchFields=[field], is_required=False)
    return [error.removeprefix("matchFields[0].") for error in errors]


@pytest.mark.parametrize(
    ("selector", "errors"),
    [
        ({}, []),
        ({"matchLabels": {"a": "", "a.b/c": "D"}}, []),
        (
            {"matchLabels": {"a b": "c d", "e": "f g"}},
            [
                f'matchLabels: Invalid value: "a b": {QUALIFIED}',
                f'matchLabels: Invalid value: "c d": {VALUE}',
                f'matchLabels: Invalid value: "f g": {VALUE}',
            ],
        ),
        ({"matchLabels": {"": "x"}}, [f'matchLabels: Invalid value: "": {EMPTY}', f'matchLabels: Invalid value: "": {QUALIFIED}']),
        ({"matchExpressions": [wants("In", "b"), wants("NotIn", "b", "c", ""), wants("Exists"), wants("DoesNotExist")]}, []),
        (
            {"matchExpressions": [wants("In"), wants("NotIn")]},
            [f"matchExpressions[0].values: {NEEDS}", f"matchExpressions[1].values: {NEEDS}"],
        ),
        (
            {"matchExpressions": [wants("Exists", "b"), wants("DoesNotExist", "b")]},
            [f"matchExpressions[0].values: {FORBIDDEN}", f"matchExpressions[1].values: {FORBIDDEN}"],
        ),
        (
            {"matchExpressions": [wants("Gt", "1"), wants("Lt", "1"), wants("", "1"), wants("in", "1")]},
            [
                f'matchExpressions[0].operator: Invalid value: "Gt": {OPERATOR}',
                f'matchExpressions[1].operator: Invalid value: "Lt": {OPERATOR}',
                f'matchExpressions[2].operator: Invalid value: "": {OPERATOR}',
                f'matchExpressions[3].operator: Invalid value: "in": {OPERATOR}',
            ],
        ),
        (
            {"matchExpressions": [wants("In", "b", "c d", "e f")]},
            [
                f'matchExpressions[0].values[1]: Invalid value: "c d": {VALUE}',
                f'matchExpressions[0].values[2]: Invalid value: "e f": {VALUE}',
            ],
        ),
        (
            {"matchExpressions": [wants("In", "b"), wants("Exists", key="a b")]},
            [f'matchExpressions[1].key: Invalid value: "a b": {QUALIFIED}'],
        ),
        (
            {"matchExpressions": [wants("in", "c d", key="a b")]},
            [
                f'matchExpressions[0].operator: Invalid value: "in": {OPERATOR}',
                f'matchExpressions[0].key: Invalid value: "a b": {QUALIFIED}',
                f'matchExpressions[0].values[0]: Invalid value: "c d": {VALUE}',
            ],
        ),
        (
            {"matchExpressions": [wants("In", "c d")], "matchLabels": {"a": "b c"}},
            [f'matchLabels: Invalid value: "b c": {VALUE}', f'matchExpressions[0].values[0]: Invalid value: "c d": {VALUE}'],
        ),
    ],
)
def test_a_selector_names_labels_that_there_can_be(selector: JSONObject, errors: list[str]) -> None:
    assert of_selector(selector) == errors


@pytest.mark.parametrize(
    ("expression", "errors"),
    [
        (wants("In", "b"), []),
        (wants("NotIn", "b"), []),
        (wants("Exists"), []),
        (wants("DoesNotExist"), []),
        (wants("Gt", "1"), []),
        (wants("Lt", "1"), []),
        (wants("In"), [f"values: {NEEDS}"]),
        (wants("NotIn"), [f"values: {NEEDS}"]),
        (wants("Exists", "b"), [f"values: {FORBIDDEN}"]),
        (wants("DoesNotExist", "b"), [f"values: {FORBIDDEN}"]),
        (wants("Gt"), [f"values: {SINGLE}"]),
        (wants("Lt", "1", "2"), [f"values: {SINGLE}"]),
        (wants("Gt", "x"), []),
        (wants("Is"), [f'operator: Invalid value: "Is": {OPERATOR}']),
        (wants("In", "b c", key="a b"), [f'key: Invalid value: "a b": {QUALIFIED}', f'values[0]: Invalid value: "b c": {VALUE}']),
    ],
)
def test_a_node_is_chosen_by_labels(expression: JSONObject, errors: list[str]) -> None:
    assert of_expression(expression) == errors


@pytest.mark.parametrize(
    ("field", "errors"),
    [
        (wants("In", "n", key="metadata.name"), []),
        (wants("NotIn", "n.b", key="metadata.name"), []),
        (wants("In", key="metadata.name"), [f"values: {ONE_VALUE}"]),
        (wants("NotIn", "n", "m", key="metadata.name"), [f"values: {ONE_VALUE}"]),
        (wants("Exists", key="metadata.name"), [f'operator: Invalid value: "Exists": {OPERATOR}']),
        (wants("Gt", "1", "2", key="metadata.name"), [f'operator: Invalid value: "Gt": {OPERATOR}']),
        (wants("In", "N", key="metadata.name"), [f'values[0]: Invalid value: "N": {SUBDOMAIN}']),
        (wants("In", "N", key="metadata.labels"), ['key: Invalid value: "metadata.labels": not a valid field selector key']),
        (
            wants("Exists", key=""),
            [f'operator: Invalid value: "Exists": {OPERATOR}', 'key: Invalid value: "": not a valid field selector key'],
        ),
        (wants("In", "n", "M", key="metadata.name"), [f"values: {ONE_VALUE}", f'values[1]: Invalid value: "M": {SUBDOMAIN}']),
    ],
)
def test_a_node_is_chosen_by_its_name(field: JSONObject, errors: list[str]) -> None:
    assert of_field(field) == errors


def test_a_term_that_is_preferred_may_name_values_that_no_label_has() -> None:
    assert of_term(matchExpressions=[{"key": "a", "operator": "In", "values": ["b c"]}], is_required=False) == []
    assert of_term(matchExpressions=[{"key": "a", "operator": "In"}], is_required=False) == [f"matchExpressions[0].values: {NEEDS}"]
