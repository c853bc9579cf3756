"""Values that a clause of `format` can't print, whose type is known only at run time."""

from __future__ import annotations

import pytest

from tests.cel.expression import Expression, compile_expression

_OF_STRINGS = "strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps"


@pytest.mark.parametrize(
    ("value", "kind"),
    [("optional.of(1)", "optional_type"), ('url("https://a")', "kubernetes.URL"), ('quantity("1")', "kubernetes.Quantity")],
)
def test_a_value_without_a_text_is_an_error(value: str, kind: str) -> None:
    found = compile_expression(f'"%s".format([dyn({value})])', {})
    assert isinstance(found, Expression)
    assert found.run({}).error == f"error during formatting: string clause can only be used on {_OF_STRINGS}, was given {kind}"
