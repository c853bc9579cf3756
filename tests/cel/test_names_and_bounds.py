"""Refused names of messages and of variables in optional macros, and the largest values that may be created."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cel.test_syntax import read, refusal
from weighbridge.policies.cel.library.standard_conversions import to_duration
from weighbridge.policies.cel.values.growth import LONGEST_LIST, LONGEST_TEXT, check_comparisons, check_list, check_text
from weighbridge.policies.cel.values.outcome import PER_CALL_LIMIT
from weighbridge.policies.cel.values.undecided import CostExceededError
from weighbridge.policies.cel.values.values import CelError


@pytest.mark.parametrize("text", ["a{}", "a.b{}", "a.b.c{}", "a.b.c.d{}", "a.b{}.c", "[a.b.c{}.d, e.f]", 'a.b.c{"x": d.e.f}'])
def test_a_message_is_named_by_all_that_stands_before_its_brace(text: str) -> None:
    assert read(text.replace('"x"', "x")) == text


@pytest.mark.parametrize(
    ("text", "column", "name"), [("a{}", 2, "a"), ("a.b{}", 4, "a.b"), ("a.b.c{x: 1}", 6, "a.b.c"), (".a.b.c{}", 7, ".a.b.c")]
)
def test_a_message_that_is_not_declared_is_told_at_its_brace(text: str, column: int, name: str) -> None:
    assert refusal(text).splitlines()[0] == f"ERROR: <input>:1:{column}: undeclared reference to '{name}' (in container '')"


@pytest.mark.parametrize("macro", ["optMap", "optFlatMap"])
@pytest.mark.parametrize(("variable", "at"), [("1", 0), ("'a'", 0), ("a.b", 1), ("a + b", 2), ("f(a)", 1)])
def test_the_variable_of_an_optional_macro_is_a_plain_name(macro: str, variable: str, at: int) -> None:
    before = f"optional.of(1).{macro}("
    problem = f"{macro}() variable name must be a simple identifier"
    assert refusal(f"{before}{variable}, optional.of(2))").splitlines()[0] == f"ERROR: <input>:1:{len(before) + 1 + at}: {problem}"


@pytest.mark.parametrize(("check", "most"), [(check_text, LONGEST_TEXT), (check_list, LONGEST_LIST), (check_comparisons, PER_CALL_LIMIT)])
def test_the_largest_that_can_be_paid_for_may_be_made(check: Callable[[int], None], most: int) -> None:
    check(most)
    with pytest.raises(CostExceededError):
        check(most + 1)


def test_a_text_costs_a_tenth_a_character_and_a_list_one_an_element() -> None:
    assert (LONGEST_TEXT, LONGEST_LIST) == (10_000_000, 2_000_000)
    assert PER_CALL_LIMIT == 1_000_000


@pytest.mark.parametrize(("value", "kind"), [(1, "int"), ("1x", "string")])
def test_what_is_no_duration_is_refused_by_its_type(value: int | str, kind: str) -> None:
    with pytest.raises(CelError) as raised:
        to_duration(value)
    assert str(raised.value) == f"type conversion error from '{kind}' to 'google.protobuf.Duration'"
