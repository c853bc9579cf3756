"""Splitting texts into at most so many parts, as in cel-go's strings library."""

from __future__ import annotations

import pytest

from tests.cel.expression import Expression, compile_expression


@pytest.mark.parametrize(
    ("call", "parts"),
    [
        ("'abcd'.split('')", "['a', 'b', 'c', 'd']"),
        ("'abcd'.split('', 2)", "['a', 'bcd']"),
        ("'abcd'.split('', 3)", "['a', 'b', 'cd']"),
        ("'abcd'.split('', 4)", "['a', 'b', 'c', 'd']"),
        ("'abcd'.split('', 1)", "['abcd']"),
        ("'abcd'.split('', 0)", "[]"),
        ("'a,b,c'.split(',', 2)", "['a', 'b,c']"),
        ("'a,b,c'.split(',', 1)", "['a,b,c']"),
        ("'a,b,c'.split(',', -1)", "['a', 'b', 'c']"),
        ("'a,b,c'.split(',', 0)", "[]"),
    ],
)
def test_a_text_is_split_into_at_most_so_many_parts(call: str, parts: str) -> None:
    found = compile_expression(f"{call} == {parts}", {})
    assert isinstance(found, Expression)
    assert found.run({}).value is True
