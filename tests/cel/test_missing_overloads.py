"""The message if no overload of a function accepts the values, on fields whose type is known only at run time."""

from __future__ import annotations

import pytest

from weighbridge.policies.cel.rules.evaluation import CompiledRules
from weighbridge.policies.schema.node import Schema

_PLAIN = "'no such overload': call arguments did not match a supported operator, function or macro signature for rule: "


@pytest.mark.parametrize(
    "rule",
    [
        "self.p.contains('a')",
        "self.p.startsWith('a')",
        "'a'.endsWith(self.p)",
        "self.p.matches('^a')",
        "self.p.find('a') == ''",
        "size(dyn(duration('1s'))) == 1",
    ],
)
def test_functions_that_upstream_dispatches_by_itself_name_nothing(rule: str) -> None:
    schema = Schema(
        {
            "type": "object",
            "x-kubernetes-validations": [{"rule": rule}],
            "properties": {"p": {"x-kubernetes-int-or-string": True}},
        }
    )
    result = CompiledRules(schema, "test").validate({"p": 5}, has_old=False)
    assert [error.detail for error in result.errors] == [_PLAIN + rule]


def test_others_name_what_they_were_called_with() -> None:
    schema = Schema(
        {
            "type": "object",
            "x-kubernetes-validations": [{"rule": "self.p.charAt(0) == ''"}],
            "properties": {"p": {"x-kubernetes-int-or-string": True}},
        }
    )
    result = CompiledRules(schema, "test").validate({"p": 5}, has_old=False)
    assert result.errors[0].detail.startswith("'no such overload: charAt(int, int)': ")


def test_only_lists_are_sorted_by_keys() -> None:
    schema = Schema({"type": "object", "x-kubernetes-validations": [{"rule": "size(dyn({'a': 1}).sortBy(x, 1)) == 1"}]})
    result = CompiledRules(schema, "test").validate({}, has_old=False)
    assert result.errors[0].detail.startswith("'no such overload: @sortByAssociatedKeys': ")
