"""Expressions whose values would grow without bound, or that would break the server's interpreter, end soon and use little memory."""

from __future__ import annotations

import pytest

from tests.cel.expression import Expression, compile_expression
from weighbridge.policies.cel.check.checked import Refused
from weighbridge.policies.cel.values.outcome import COST_EXCEEDED, Outcome
from weighbridge.policies.cel.values.types import INT, STRING, list_of, map_of

_TEXT = "x" * 100_000
_NUMBERS = list(range(200_000))


def outcome(text: str) -> Outcome:
    found = compile_expression(text, {"s": STRING, "n": STRING, "big": list_of(INT), "m": map_of(STRING, INT)})
    assert isinstance(found, Expression), found
    return found.run({"s": _TEXT, "n": "9" * 100_000, "big": _NUMBERS, "m": {}})


def _chain(first: str, step: str) -> str:
    return first + step * 40


GROWING = [
    "s.replace('x', s).size() == 1",
    "s.replace('', s).size() == 1",
    "s.replace('x', s, 1000).size() == 1",
    "big.map(b, 'x').join(s).size() == 1",
    "'%s%s'.format([s.split(''), s.split('').map(x, s)]).size() == 1",
    "'%s%s%s'.format([s.split('').map(x, s), s, '%.999999999f'.format([1.0])]).size() == 1",
    _chain("[[1, 2]]", ".map(x, x + x)") + ".size() == 1",
    "'%s'.format([" + _chain("[[1]]", ".map(x, [x, x])") + "]) == ''",
    "dyn(" + _chain("[[1]]", ".map(x, [x, x])") + ").indexOf(1) == 1",
    "dyn(" + _chain("[['']]", ".map(x, [x, x])") + ").indexOf('') == 1",
    "lists.range(900).map(i, big).flatten().size() == 1",
    "lists.range(2000000000).size() == 1",
    "big.distinct().size() == 1",
    "big.sort()[0] == 0",
    "big.sortBy(x, -x)[0] == 0",
    "sets.contains(big, big)",
    "sets.equivalent(big, big)",
    "big.all(x, big.all(y, true))",
]


@pytest.mark.parametrize("text", GROWING)
def test_what_grows_ends_as_what_costs_too_much(text: str) -> None:
    # Without a limit, they would run out of memory or take too long.
    assert outcome(text).error == COST_EXCEEDED


@pytest.mark.parametrize("step", [".map(x, [x, x])", ".map(x, [x, x, x])", ".map(x, {'a': x, 'b': x})"])
def test_what_holds_one_value_in_many_places_is_compared_once(step: str) -> None:
    assert outcome(f"{_chain('[[1]]', step)} == {_chain('[[1]]', step)}").value is True
    assert outcome(f"{_chain('[[1]]', step)} == {_chain('[[2]]', step)}").value is False


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("isSemver(n + '.0.0')", False),
        ("isQuantity(n)", True),
        ("isIP(n) || isCIDR(n) || isURL(n)", False),
        ("quantity('1e999999999').isGreaterThan(quantity('1'))", True),
        ("s.matches('(x+x+)+y')", False),
    ],
)
def test_huge_literals_are_read(text: str, value: bool) -> None:
    assert outcome(text).value is value


@pytest.mark.parametrize("text", ["int(n) == 1", "uint(n) == 1u", "timestamp(n) == timestamp(0)", "duration(n + 's') == duration('1s')"])
def test_numbers_too_large_are_errors(text: str) -> None:
    assert outcome(text).error not in ("", COST_EXCEEDED)


_UNHASHABLE = "internal error: runtime error: hash of unhashable type {}"
_NO_LIST = "internal error: interface conversion: {} is not traits.Lister: missing method {}"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[m['q']].distinct() == [1]", _NO_LIST.format("*types.Err", "Add")),
        ("[m['q']].sort() == [1] || true", _NO_LIST.format("*types.Err", "Add")),
        ("[1, m['q']].sortBy(x, -x) == [1]", _NO_LIST.format("*types.Err", "Add")),
        ("[1, 2].exists(x, [m['q']].distinct().size() == 1 || true)", _NO_LIST.format("*types.Err", "Add")),
        ("dyn(1).distinct() == [1]", _NO_LIST.format("types.Int", "Contains")),
        ("dyn({'a': 1}).distinct() == [1]", _NO_LIST.format("*types.baseMap", "Add")),
        ("[[1]].flatten(m['q']) == [1]", "internal error: interface conversion: ref.Val is *types.Err, not types.Int"),
        ("{dyn(n): 1, dyn(b'a'): 1}.size() == 1 || true", _UNHASHABLE.format("types.Bytes")),
        ("dyn(b'a') in {'a': 1}", _UNHASHABLE.format("types.Bytes")),
        ("[b'a'].transformMapEntry(i, v, {v: v}).size() == 1", _UNHASHABLE.format("types.Bytes")),
        ("{semver('1.0.0'): 1}.size() == 1", _UNHASHABLE.format("cel.Semver")),
    ],
)
def test_what_breaks_the_servers_interpreter_is_no_defect_of_ours(text: str, error: str) -> None:
    assert outcome(text).error == error


@pytest.mark.parametrize(
    ("text", "error"),
    [("dyn(1).sort() == [1]", "no such overload: sort"), ("dyn(1).map(x, x) == [1]", "got 'types.Int', expected iterable type")],
)
def test_what_is_no_list_is_named_by_its_go_type(text: str, error: str) -> None:
    assert outcome(text).error == error


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[?dyn(1)] == [1]", "list element from non-optional value 1"),
        ("[?dyn([duration('90s')])].size() == 1", "list element from non-optional value [1m30s]"),
        ("{?'a': dyn(null)} == {'a': 1}", "entry 'a' from non-optional value 0"),
        ("{?dyn(duration('1s')): dyn(b'ab')}.size() == 1", "entry '1s' from non-optional value [97 98]"),
    ],
)
def test_an_optional_part_that_is_no_optional_is_shown_as_go_prints_it(text: str, shown: str) -> None:
    assert outcome(text).error == f"cannot initialize optional {shown}"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("dyn(duration('1s')).all(k, v, true)", "unsupported comprehension range type: types.Duration"),
        ("dyn(null).all(k, v, true)", "unsupported comprehension range type: types.Null"),
        ("[duration('1s'), duration('1s')].transformMapEntry(i, v, {v: v}).size() == 1", "insert failed: key 1s already exists"),
        ("[null, null].transformMapEntry(i, v, {v: v}).size() == 1", "insert failed: key 0 already exists"),
    ],
)
def test_macros_of_two_variables_name_values_as_go_prints_them(text: str, error: str) -> None:
    assert outcome(text).error == error


@pytest.mark.parametrize(
    ("before", "middle", "after", "most", "message"),
    [
        ("(", "true", ")", 249, "expression recursion limit exceeded: 250"),
        ("[", "", "]", 250, "expression recursion limit exceeded: 250"),
        ("size([", "1", "])", 124, "expression recursion limit exceeded: 250"),
        ("1 + (", "1", ")", 124, "expression recursion limit exceeded: 250"),
        ("true == ", "true", "", 250, "max recursion depth exceeded"),
        ("", "dyn(1)", ".a", 250, "max recursion depth exceeded"),
        ("true ? true : ", "true", "", 249, "expression recursion limit exceeded: 250"),
        ("true && ", "true", "", 3000, ""),
    ],
)
def test_nesting_is_limited_where_the_server_limits_it(before: str, middle: str, after: str, most: int, message: str) -> None:
    assert not _is_too_deep(before * most + middle + after * most, message)
    if message:
        assert _is_too_deep(before * (most + 1) + middle + after * (most + 1), message)


def _is_too_deep(text: str, message: str) -> bool:
    found = compile_expression(text, {})
    return isinstance(found, Refused) and found.message == f"ERROR: <input>:-1:0: {message}"


def test_reading_stops_after_many_errors() -> None:
    def last(text: str) -> str:
        found = compile_expression(text, {})
        assert isinstance(found, Refused)
        return found.message

    assert last("#" * 101).endswith("1 more errors were truncated")
    assert "error recovery attempt limit exceeded: 30" in last("(a b) + " * 40)
    assert last("1 == 1 )" + "1 " * 300).startswith("ERROR: <input>:-1:0: error recovery token lookahead limit exceeded: 256")
