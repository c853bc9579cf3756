"""``x in [constants]``: to which numbers of other kinds a constant is equal in cel-go's optimised set lookup."""

from __future__ import annotations

import pytest

from tests.cel.expression import Expression, compile_expression
from weighbridge.policies.cel.check.checked import Refused
from weighbridge.policies.cel.values.types import DYN
from weighbridge.policies.cel.values.values import Uint, Value


@pytest.mark.parametrize(
    ("value", "constants", "is_in"),
    [
        (1, "[1]", True),
        (1, "[2, 1]", True),
        (1, "[1.0]", True),
        (1, "[1u]", True),
        (Uint(1), "[1]", True),
        (Uint(1), "[1u]", True),
        (Uint(1), "[1.0]", True),
        (1.0, "[1]", True),
        (1.0, "[1u]", True),
        (1.5, "[1.5]", True),
        (-1, "[-1.0]", True),
        (-1.0, "[-1]", True),
        (0, "[-0.0]", True),
        (1, "[1.5]", False),
        (1, "[2]", False),
        (True, "[true]", True),
        (True, "[1]", False),
        (1, "[true]", False),
        (1.0, "[true]", False),
        ("1", "['1']", True),
        ("1", "[1]", False),
        (None, "[1]", False),
        ([1], "[1]", False),
        # The ends of the ranges, where the next double is far away.
        ((1 << 63) - 1, "[9223372036854775807u]", True),
        (Uint(1 << 63), "[9223372036854775807]", False),
        (float(1 << 63), "[9223372036854775807]", True),
        (Uint(1 << 63), "[9223372036854775808.0]", True),
        ((1 << 63) - 1, "[9223372036854775808.0]", False),
        (-(1 << 63) + 1024, "[-9223372036854774784.0]", True),
        (-(1 << 63), "[-9223372036854775808.0]", False),
        (Uint((1 << 64) - 2048), "[18446744073709549568.0]", True),
        (Uint((1 << 64) - 1), "[18446744073709551616.0]", False),
        (1, "[1e300]", False),
        (1, "[]", False),
    ],
)
def test_a_value_is_in_a_list_of_constants(value: Value, constants: str, is_in: bool) -> None:
    found = compile_expression(f"x in {constants}", {"x": DYN})
    assert isinstance(found, Expression), found
    outcome = found.run({"x": value})
    assert (outcome.value, outcome.error) == (is_in, "")
    tracked = found.program.tracked([value])
    assert (tracked.value, tracked.cost) == (is_in, outcome.cost)


def test_a_value_that_is_an_error_stays_one() -> None:
    found = compile_expression("x in [1]", {"x": DYN})
    assert isinstance(found, Expression)
    assert found.run({}).error == "no such attribute(s): x"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("int('a') == 1", "type conversion error from 'string' to 'int'"),
        ("double('a') == 1.0", "type conversion error from 'string' to 'double'"),
        ("x.matches('(')", "1:11: invalid matches argument"),
        ("x.find('[')  == ''", "error parsing regexp: missing closing ]: `[`"),
        ("x.findAll('[', 1)  == []", "error parsing regexp: missing closing ]: `[`"),
    ],
)
def test_constants_are_computed_before_anything_runs(text: str, error: str) -> None:
    found = compile_expression(text, {"x": DYN})
    assert isinstance(found, Refused)
    assert error in found.message


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("[1, 2] == [1, 2]", 1),
        ("{'a': [1]} == {'a': [1]}", 1),
        ("[?optional.none()] == []", 11),
        ("int('5') == 5", 1),
        ("string(5) == '5'", 1),
        ("duration('1h') == duration('60m')", 1),
        ("x in []", 0),
        ("x in [1, 2, 3]", 1),
        ("x in [[1]]", 2),
        ("x in [x]", 13),
        ("type(x) == int", 3),
        ("[1, 2][x] == 2", 3),
    ],
)
def test_what_is_constant_costs_nothing(text: str, cost: int) -> None:
    found = compile_expression(text, {"x": DYN})
    assert isinstance(found, Expression), found
    assert found.run({"x": 1}).cost == cost
    assert found.program.tracked([1]).cost == cost
