"""Constructs that cel-python also knows: doubles, unsigned numbers, maps, presence, conversions, times; its deviations are listed by
name.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import celpy
import pytest
from celpy.adapter import json_to_cel
from celpy.evaluation import CELEvalError
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cel.expression import Expression, compile_expression, from_json
from weighbridge.policies.cel.check.checked import Refused
from weighbridge.policies.cel.values.types import DYN

_DATA: dict[str, Any] = {
    "o": {"a": {"b": 1, "c": "x"}, "list": [1, 2, 3], "empty": {}, "none": None},
    "names": ["a", "b", "c"],
}
_ERROR = "error"


@pytest.fixture(scope="module", autouse=True)
def _recursion_limit() -> Iterator[None]:
    """Restores the limit, which cel-python raises when it is first used: other tests need the old one."""
    limit = sys.getrecursionlimit()
    celpy.Environment()
    yield
    sys.setrecursionlimit(limit)


def _theirs(text: str) -> Any:
    """``true``, ``false`` or an error of any kind."""
    environment = celpy.Environment()
    program = environment.program(environment.compile(text))
    try:
        return bool(program.evaluate({name: json_to_cel(value) for name, value in _DATA.items()}))
    except (CELEvalError, ValueError, OverflowError):
        return _ERROR


def _ours(text: str) -> Any:
    found = compile_expression(text, dict.fromkeys(_DATA, DYN))
    if isinstance(found, Refused):
        return _ERROR
    assert isinstance(found, Expression)
    outcome = found.run({name: from_json(value) for name, value in _DATA.items()})
    return _ERROR if outcome.error else outcome.value


#: One expression a line.
AGREED = r"""
1.5 + 2.25 == 3.75
1.0 / 0.0 > 1e308
0.1 + 0.2 != 0.3
2.0 * -3.5 == -7.0
1e3 == 1000.0
-(1.5) < 0.0
1.5 < 1.25
2.5 >= 2.5
1u + 2u == 3u
1u - 2u == 0u
7u / 2u == 3u
7u % 0u == 1u
18446744073709551615u + 1u == 0u
3u > 2u
b'abc' == b'abc'
b'a' < b'b'
size(b'\xff\x00') == 2
b'a' + b'b' == b'ab'
'a\u00e9' == 'aé'
r'\d' == '\\d'
'abc'.matches('^a.c$')
'abc'.matches('b')
size('😀') == 1
'\x41' == 'A'
{'a': 1}['a'] == 1
{'a': 1}['b'] == 1
'a' in {'a': 1}
size({1: 2, 3: 4}) == 2
{'a': {'b': [1]}} == {'a': {'b': [1]}}
{1: 'a'}[1] == 'a'
has(o.a)
has(o.z)
has(o.a.b)
o.a.b == 1
o.z == 1
o['a']['c'] == 'x'
size(o.empty) == 0
has({'a': 1}.b)
{'a': 1, 'b': 2}.all(k, k != 'c')
{'a': 1, 'b': 2}.exists(k, k == 'b')
{'a': 1, 'b': 2}.exists_one(k, k == 'b')
o.list.map(x, x + 1) == [2, 3, 4]
names.filter(n, n != 'b') == ['a', 'c']
o.list.all(x, x > 0 && names.exists(n, n == 'a'))
[[1], [2, 3]].exists(l, l.size() == 2)
o.list.exists(x, x / 0 == 1 || x == 2)
o.list.all(x, x / 0 == 1 && x > 9)
[1, 2].map(x, x / 0) == [1]
[].all(x, false)
[].exists(x, true)
int('12') == 12
int('a') == 1
int(1.9) == 1
int(-1.9) == -1
int(3u) == 3
uint(3) == 3u
uint(-1) == 1u
double('1.5') == 1.5
double(1) == 1.0
string(12) == '12'
string(b'abc') == 'abc'
bytes('é') == b'\xc3\xa9'
dyn(1) == 1
type(1) == int
type('a') == string
type([1]) == list
type({}) == map
type(1u) == uint
type(b'') == bytes
type(type(1)) == type
timestamp('2024-02-29T12:30:45Z').getFullYear() == 2024
timestamp('2024-02-29T12:30:45Z').getMonth() == 1
timestamp('2024-02-29T12:30:45Z').getDate() == 29
timestamp('2024-02-29T12:30:45Z').getDayOfMonth() == 28
timestamp('2024-02-29T12:30:45Z').getDayOfWeek() == 4
timestamp('2024-02-29T12:30:45Z').getDayOfYear() == 59
timestamp('2024-02-29T12:30:45Z').getHours() == 12
timestamp('2024-02-29T12:30:45Z').getHours('+02:00') == 14
timestamp('2024-02-29T12:30:45Z').getMinutes() == 30
timestamp('2024-02-29T12:30:45Z').getSeconds() == 45
timestamp('2024-01-01T00:00:00Z') + duration('1h') == timestamp('2024-01-01T01:00:00Z')
timestamp('2024-01-01T01:00:00Z') - timestamp('2024-01-01T00:00:00Z') == duration('3600s')
duration('1m') < duration('61s')
duration('90s').getMinutes() == 1
duration('1h30m').getSeconds() == 5400
timestamp('2024-01-01T00:00:00Z') < timestamp('2024-01-01T00:00:01Z')
duration('1s') + duration('1s') == duration('2s')
timestamp('nonsense') == timestamp('nonsense')
1 + 2 * 3 == 7
(1 + 2) * 3 == 9
10 - 3 - 2 == 5
2 * 3 % 4 == 2
-2 + 3 == 1
!false && false == false
true ? false : true ? true : true
false || true && false
1 < 2 == true
""".strip().splitlines()
#: The differences between cel-python and the server: a description, an expression, and cel-python's answer.
DEVIATIONS = [
    ("numbers of two types are compared", "1 < 1.5", _ERROR),
    ("unlike types are compared", "dyn(1) == dyn('a')", _ERROR),
    ("the division of a negative double by zero", "-1.0 / 0.0 < -1e308", False),
    ("a bool is written as Go writes it", "string(true) == 'true'", False),
    ("what is no number has no order", "0.0 / 0.0 <= 0.0", False),
    ("an index counts from the end", "[1, 2][-1] == 2", True),
    ("a missing field on the way makes has() fail", "has(o.z.b)", False),
    ("a double is written as Go writes it", "string(1.0) == '1'", False),
    ("an escaped question mark is decoded", "'\\?' == '?'", False),
    ("the least integer isn't a double's", "int(-9223372036854775808.0) < 0", True),
    ("there are optionals", "optional.of(1).hasValue()", _ERROR),
    ("there are functions of strings", "'abc'.charAt(1) == 'b'", _ERROR),
    ("there are quantities", "isQuantity('1Gi')", _ERROR),
]


@pytest.mark.parametrize("text", AGREED)
def test_both_come_to_the_same(text: str) -> None:
    assert _ours(text) == _theirs(text)


@pytest.mark.parametrize(("text", "theirs"), [row[1:] for row in DEVIATIONS], ids=[row[0] for row in DEVIATIONS])
def test_deviations_are_still_there(text: str, theirs: Any) -> None:
    assert _theirs(text) == theirs
    assert _ours(text) != theirs


_DOUBLES = st.floats(allow_nan=False, allow_infinity=False, min_value=1e-12, max_value=1e12)


@pytest.mark.parametrize("operator", ["+", "-", "*", "/"])
@settings(max_examples=20)
@given(left=_DOUBLES, right=_DOUBLES)
def test_doubles_agree(operator: str, left: float, right: float) -> None:
    text = f"({left!r} {operator} {right!r}) <= {left!r}"
    assert _ours(text) == _theirs(text)
