"""The lowest and highest estimated cost of an expression, from the sizes that a schema declares: cel-go's cost.go, step by step."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.cel.check.checked import Checked, compile_text
from weighbridge.policies.cel.check.environment import environment
from weighbridge.policies.cel.cost.estimate import estimate
from weighbridge.policies.cel.library.ranges import Range
from weighbridge.policies.cel.values.declared import DeclaredType, SelfTypes
from weighbridge.policies.cel.values.types import INT, STRING, list_of
from weighbridge.policies.schema.node import Schema

#: A text may have four times as many bytes as code points.
_SHORT: dict[str, Any] = {"type": "string", "maxLength": 10}
_LONG: dict[str, Any] = {"type": "string", "maxLength": 25}
NODE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "b": {"type": "boolean"},
        "n": {"type": "integer"},
        "s": _SHORT,
        "t": _LONG,
        "u": {"type": "string"},
        "y": {"type": "string", "format": "byte", "maxLength": 20},
        "l": {"type": "array", "maxItems": 5, "items": _SHORT},
        "k": {"type": "array", "maxItems": 8, "items": _LONG},
        "m": {"type": "object", "maxProperties": 7, "additionalProperties": _SHORT},
        "o": {"type": "array", "maxItems": 3, "items": {"type": "object", "properties": {"v": {"type": "string", "maxLength": 5}}}},
        "ll": {"type": "array", "maxItems": 2, "items": {"type": "array", "maxItems": 4, "items": {"type": "string", "maxLength": 3}}},
    },
}


def estimated(text: str, declared: DeclaredType) -> Range:
    types = SelfTypes(declared)
    found = compile_text(text, environment().with_variables({"self": types.type}, types))
    assert isinstance(found, Checked), found
    return estimate(found, declared)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("self", 1, 1),
        ("self.n", 2, 2),
        ("self.b", 2, 2),
        ("self.o[0].v", 4, 4),
        ("has(self.s)", 1, 1),
        ("1 == 1", 1, 1),
        ("'' == ''", 0, 0),
        ("self.n == 1", 2, 2),
        ("self.b == true", 2, 2),
        ("self.s == self.t", 5, 8),
        ("self.s != self.t", 5, 8),
        ("self.s != ''", 2, 2),
        ("self.s < self.t", 5, 8),
        ("self.s >= 'abcdefghijklmnopqrstu'", 3, 5),
        ("self.y < b'abcdefghijklmnopqrstu'", 3, 4),
        ("self.y == self.y", 5, 6),
        ("self.s + self.t", 4, 18),
        ("self.s + self.t == self.k[0]", 8, 31),
        ("self.u == self.u", 5, 314577),
        ("self.u + self.u", 4, 629150),
        ("self.y + self.y", 4, 8),
        ("self.n + 1", 3, 3),
        ("-self.n", 3, 3),
        ("!self.b", 3, 3),
        ("self.b && self.s == self.t", 2, 10),
        ("self.b || self.s == self.t", 2, 10),
        ("self.s == self.t && self.b", 5, 10),
        ("self.b ? self.s : self.k[0]", 4, 5),
        ("(self.b ? self.s : self.t) + self.s", 6, 20),
        ("(self.b ? self.l : self.k).all(x, x == self.u)", 5, 53),
        ("self.l + self.l", 5, 5),
        ("(self.l + self.k).all(x, x == self.u)", 6, 84),
        ("self.s in self.l", 4, 9),
        ("self.s in self.m", 5, 5),
        ("self.s in ['a', 'b', 'c']", 15, 15),
        ("self.l == self.k", 5, 5),
        ("self.l[0]", 3, 3),
        ("self.l[0] == self.u", 6, 9),
        ("self.m['a']", 3, 3),
        ("self.m['a'] == self.u", 6, 9),
        ("self.m.a == self.u", 6, 314578),
        ("self.ll[0][1] == self.u", 7, 8),
        ("self.ll[0].all(x, x == self.u)", 4, 36),
        ("[]", 10, 10),
        ("[1, 2]", 10, 10),
        ("[self.s, self.t][0] == self.u", 18, 27),
        ("[self.s, self.t].all(x, x == self.u)", 21, 27),
        ("{}", 30, 30),
        ("{'a': self.s, self.t: 'bb'}", 34, 34),
        ("{'a': self.s, self.t: 'bb'}['a'] == self.u", 38, 41),
        ("{'a': self.s, self.t: 'bb'}.all(k, k == self.u)", 41, 47),
        ("{'a': self.s, self.t: 'bb'}.all(k, v, k == self.u)", 41, 47),
        ("{'a': self.s, self.t: 'bb'}.all(k, v, v == self.u)", 41, 47),
        ("self.l.all(x, x == 'a')", 3, 28),
        ("self.l.exists(x, x == 'a')", 3, 33),
        ("self.l.exists_one(x, x == 'a')", 4, 24),
        ("self.l.map(x, x)", 13, 78),
        ("self.l.map(x, x == 'a', x)", 13, 88),
        ("self.l.filter(x, x == 'a')", 13, 88),
        ("self.l.map(x, x).all(y, y == self.t)", 14, 109),
        ("self.l.map(x, x + x).all(y, y == self.u)", 14, 154),
        ("self.l.filter(x, true).all(y, y == self.u)", 14, 109),
        ("self.m.all(k, k == self.u)", 3, 45),
        ("self.m.all(k, v, v == self.u)", 3, 73),
        ("self.l.all(i, v, v == self.u)", 3, 53),
        ("self.l.all(i, v, i == 1)", 3, 28),
        ("self.m.transformMap(k, v, v)", 33, 61),
        ("self.m.transformMap(k, v, v).all(k, v, v == self.u)", 34, 104),
        ("self.l.transformList(i, v, v).all(x, x == self.u)", 14, 109),
        ("self.o.all(x, x.v == self.u)", 3, 30),
        ("self.o.all(x, self.o.all(x, x.v == self.u) && x.v == self.u)", 3, 120),
        ("self.l.all(x, self.k.all(y, x == y))", 3, 393),
        ("dyn(self.s)", 3, 3),
        ("dyn(self.s) == self.u", 6, 9),
        ("dyn(self.l).all(x, x == self.u)", 4, 34),
        ("optional.of(self.s).optMap(x, x + x)", 5, 1844674407370955285),
        ("optional.of(self.s).optFlatMap(x, optional.of(x)).hasValue()", 6, 21),
        ("optional.of(self.l).optMap(x, x).orValue([]).size() == 1", 18, 33),
        ("self.l.sortBy(x, x)", 36, 154),
        ("self.l.sortBy(x, x) == self.k", 39, 157),
        ("ip('::1') == ip('::2')", 3, 3),
        ("quantity('1') == quantity('2')", 3, 3),
        ("url('http://a') == url('http://b')", 3, 3),
        ("format.uuid() == format.named('dns1123Label').value()", 4, 10),
        ("format.uuid() != format.uuid()", 3, 1844674407370955266),
        ("type(self.s) == string", 4, 4),
        ("self.?s", 2, 2),
        ("self.?s.orValue('') == self.u", 6, 314578),
        ("[self.l, self.k].all(x, x.all(y, y == self.u))", 21, 25),
        ("self.l.map(x, [x]).all(y, y.all(z, z == self.u))", 14, 154),
    ],
)
def test_an_expression_costs_between_its_least_and_its_most(text: str, low: int, high: int) -> None:
    assert estimated(text, DeclaredType(Schema(NODE))) == Range(low, high)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("s == 'abcdefghijk'", 2, 3),
        ("s == t", 3, 1844674407370955266),
        ("s + t", 2, 1844674407370955266),
        ("l.all(x, x == 'a')", 2, (1 << 64) - 1),
        ("l[0] == 'abcdefghijk'", 3, 4),
        ("'abc' + 'abcdefghi' == s", 4, 5),
        ("[1, 2].map(x, 'abc').all(y, y == s)", 52, 58),
        ("n == n", 3, 3),
        ("['abc'][0] + 'abcdefghi'", 13, 13),
        ("{'k': 'abc'}['k'] + 'abcdefghi'", 33, 33),
        ("l.map(x, 'abc')[0] == s", 15, (1 << 64) - 1),
    ],
)
def test_without_a_schema_a_size_may_be_anything(text: str, low: int, high: int) -> None:
    found = compile_text(text, environment().with_variables({"s": STRING, "t": STRING, "l": list_of(STRING), "n": INT}))
    assert isinstance(found, Checked), found
    assert estimate(found) == Range(low, high)
