"""Random well-typed expressions from a seed, over a schema with a field of every kind."""

from __future__ import annotations

import re
from random import Random
from typing import Any, Final

_NUMBERS_OF: Final = {"maxItems": 5}
#: The schema of the objects that the expressions read.
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "i": {"type": "integer"},
        "j": {"type": "integer", "format": "int32"},
        "x": {"type": "number"},
        "s": {"type": "string", "maxLength": 40},
        "t": {"type": "string", "maxLength": 40},
        "b": {"type": "boolean"},
        "none": {"type": "string", "maxLength": 10},
        "null": {"type": "integer", "nullable": True},
        "at": {"type": "string", "format": "date-time"},
        "day": {"type": "string", "format": "date"},
        "span": {"type": "string", "format": "duration"},
        "raw": {"type": "string", "format": "byte", "maxLength": 40},
        "any": {"x-kubernetes-int-or-string": True},
        "li": {"type": "array", "items": {"type": "integer"}, **_NUMBERS_OF},
        "ls": {"type": "array", "items": {"type": "string", "maxLength": 20}, **_NUMBERS_OF},
        "set": {"type": "array", "items": {"type": "string", "maxLength": 20}, "x-kubernetes-list-type": "set", **_NUMBERS_OF},
        "lm": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["k"],
            "items": {
                "type": "object",
                "required": ["k"],
                "properties": {"k": {"type": "string", "maxLength": 10}, "v": {"type": "integer"}},
            },
            **_NUMBERS_OF,
        },
        "si": {"type": "array", "items": {"type": "integer"}, "x-kubernetes-list-type": "set", **_NUMBERS_OF},
        "lk": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["a", "b", "c", "d"],
            "items": {
                "type": "object",
                "required": ["a", "b", "c", "d"],
                "properties": {**{key: {"type": "string", "maxLength": 5} for key in "abc"}, "d": {"type": "integer"}},
            },
            **_NUMBERS_OF,
        },
        "ms": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 20}, "maxProperties": 5},
        "mi": {"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 5},
        "o": {
            "type": "object",
            "properties": {"a": {"type": "string", "maxLength": 10}, "n": {"type": "integer"}, "in-side": {"type": "boolean"}},
        },
    },
}
#: Objects on which the expressions are tried; each has fields that the others lack. Maps have one entry, since the server iterates over
#: them in random order.
OBJECTS: Final[tuple[dict[str, Any], ...]] = (
    {
        "i": 7, "j": -3, "x": 2.5, "s": "héllo Wörld", "t": "a,b,,c", "b": True, "null": 4, "at": "2024-02-29T12:30:45.123Z",
        "day": "2023-12-31", "span": "1h30m", "raw": "aGVsbG8=", "any": 5, "li": [3, 1, 2], "ls": ["b", "a", "b"], "set": ["x", "y"],
        "lm": [{"k": "a", "v": 1}, {"k": "b"}], "ms": {"b": "two"}, "mi": {"z": 0},
        "si": [1, 2], "lk": [{"a": "x", "b": "y", "c": "", "d": 1}], "o": {"a": "q", "n": 9, "in-side": False},
    },
    {
        "i": 9223372036854775807, "j": 0, "x": -0.0, "s": "", "t": "10.0.0.1", "b": False, "null": None, "at": "0001-01-01T00:00:00Z",
        "day": "9999-12-31", "span": "-5ms", "any": "http://k8s.io:80/p?q=1", "li": [], "ls": [], "set": [], "lm": [], "ms": {},
        "mi": {}, "o": {},
    },
    {
        "i": -9223372036854775807, "j": 5, "x": 1e300, "s": "1Gi", "t": "1.2.3-rc.1", "b": True, "at": "2020-06-15T23:59:59+05:30",
        "day": "1970-01-01", "span": "0s", "raw": "//79", "any": 0, "li": [0, 0], "ls": ["", "é"], "set": ["b", "a"],
        "si": [2, 1], "lk": [{"a": "1 2", "b": "", "c": "3", "d": 4}, {"a": "1", "b": "2 ", "c": "3", "d": 4}],
        "lm": [{"k": "z", "v": -1}], "ms": {"": ""}, "mi": {"z": -2}, "o": {"a": "", "in-side": True},
    },
)  # fmt: skip

#: Objects with values that don't fit their types. An update may leave such values of a stored object alone.
MISFITS: Final[tuple[dict[str, Any], ...]] = (
    {
        "i": "7", "j": {}, "x": "a", "s": 5, "t": ["a"], "b": "true", "null": "a", "at": 5, "day": "x", "span": [], "raw": "*", "any": {},
        "li": ["a", 1], "ls": [1, "b"], "set": [1], "lm": [5, {"k": "a"}], "ms": {"b": 5}, "mi": {"z": "a"}, "si": ["x", 1],
        "lk": ["a"], "o": {"a": 5, "n": "x", "in-side": 1},
    },
    {
        "i": 1.5, "j": None, "x": True, "s": {}, "t": "a", "b": 1, "at": "x", "day": {}, "span": "1x", "raw": 5, "any": 1.5,
        "li": [1, {}, 2], "ls": ["a", None, "b"], "set": ["x", {}], "lm": [{"k": "a", "v": 1}, {"k": 5, "v": "x"}], "ms": {"b": None},
        "mi": {"z": 1.5}, "si": [1, None], "lk": [{"a": "1", "b": 2, "c": "3", "d": 4}, {"a": "1"}], "o": [],
    },
    {
        "i": 3, "j": 4, "x": 1, "s": "b", "t": "c", "b": True, "at": "2024-02-29T12:30:45Z", "day": "2023-12-31", "span": "1s",
        "any": "a", "li": {}, "ls": "a", "set": 5, "lm": {"k": "a"}, "ms": [], "mi": "x", "si": [1, 1],
        "lk": [{"a": "1", "b": "2", "c": "3", "d": "4"}], "o": "x",
    },
)  # fmt: skip

#: The forms of expressions that have each type: ``{type}`` is an expression of a type, ``{v}`` a new variable. Two spaces separate forms.
_FORMS_BY_TYPE: Final = {
    "int": r"""
        self.i  self.j  self.o.n  0  1  -2  9223372036854775807  size({string})  size({li})  size({ls})  ({int} + {int})
        ({int} - {int})  ({int} * {int})  ({int} / {int})  ({int} % {int})  -({int})  int({double})  int({string})
        ({bool} ? {int} : {int})  {li}[{int}]  {string}.indexOf({string})  {string}.lastIndexOf({string}, {int})  {li}.sum()
        {li}.max()  {li}.min()  {li}.indexOf({int})  self.mi[{string}]  self.mi.?z.orValue({int})  {at}.getFullYear()
        {at}.getHours('Europe/Berlin')  {at}.getDayOfYear()  {span}.getSeconds()  {span}.getMilliseconds()  int({at})
        quantity({string}).asInteger()  quantity('1.5Gi').compareTo(quantity({string}))  ip({string}).family()
        cidr('10.0.0.0/8').prefixLength()  semver({string}).major()  {ls}.size()  optional.of({int}).value()
        self.?null.orValue({int})  self.lm[0].v  uint({int}) > 3u ? 1 : 2  {li}.first().value()  {li}.last().orValue(3)
        bytes({string}).size()  {li}.map({v}, {v} + {int}).sum()  [{int}, {int}].max()  {string}.indexOf({string}, {int})
        {string}.indexOf('', {int})  {string}.lastIndexOf('', {int})  {at}.getHours('+02:30')  {at}.getMinutes('-03:75')
        (self.lm + self.lm).size()  (self.si + {li}).size()  dyn({int}).orValue(3)  self.lk.size()  (self.lm + self.lm)[0].v
    """,
    "double": r"""
        self.x  1.5  -0.0  1e308  ({double} + {double})  ({double} * {double})  ({double} / {double})  double({int})  double({string})
        ({bool} ? {double} : {double})  [{double}, {double}].max()  quantity({string}).asApproximateFloat()
    """,
    "bool": r"""
        self.b  true  false  !{bool}  ({bool} && {bool})  ({bool} || {bool})  ({int} == {int})  ({int} < {double})
        ({string} <= {string})  ({double} == {double})  ({string} == {string})  ({li} == {li})  ({ls} != {ls})  has(self.none)
        has(self.o.a)  has(self.null)  {string}.startsWith({string})  {string}.contains({string})  {string}.matches('^[a-z]+$')
        {string} in {ls}  {int} in {li}  {string} in self.ms  {li}.all({v}, {v} > {int})  {ls}.exists({v}, {v} == {string})
        {ls}.exists_one({v}, {v}.size() > 1)  self.ms.all({v}, {v} != {string})  self.ms.exists({v}, {w}, {v} == {w})  {li}.isSorted()
        isQuantity({string})  isIP({string})  isURL({string})  isCIDR({string})  isSemver({string})
        quantity({string}).isLessThan(quantity('2'))  sets.contains({li}, {li})  sets.intersects({ls}, {ls})  self.set == {ls}
        {ls} == self.set  self.lm == self.lm.map({v}, {v})  ({at} < {at})  ({span} >= {span})  self.any == {int}
        dyn({int}) == dyn({double})  self.o['in-side']  self.o.in__dash__side  optional.of({int}).hasValue()  self.?none.hasValue()
        type({int}) == int  cidr('10.0.0.0/8').containsIP({string})  url({string}).getHost() == ''  bool({string})
        format.dns1123Label().validate({string}).hasValue()  ip.isCanonical({string})  {bytes} == {bytes}
        self.lm.exists({v}, {v}.k == {string})  self.lm.all({v}, {v}.v > {int})  (self.any == {string} || {bool})
        {at} == timestamp('2024-02-29T12:30:45.123Z')  matches({string}, '^[a-z]+$')  matches({string}, {string})
        {string}.endsWith({string})  quantity({string}) == quantity('1').add(quantity({string}))  quantity({string}) == quantity('1k')
        self.lm + self.lm == self.lm  self.lm + self.lm.filter({v}, {v}.k == {string}) == self.lm  self.set + {ls} == {ls} + self.set
        (self.ls + {ls}) == {ls}  {ls}.includes({string})  dyn({string}).includes({string})  self.lk == self.lk.map({v}, {v})
        self.si == {li}  {li} == self.si  self.si == self.li.map({v}, {v} * 1.0)  self.si + {li} == {li}  self.lk + self.lk == self.lk
        {li}.all(self, .self.i > {int})  self.o.`in-side`  self.ms.`a`  has(self.ms.`b`)  {string} in (self.set + {ls})
        (self.ls + {ls}).exists({v}, {v} == {string})  self.lm.map({v}, {v}.k) == {ls}  self.set == self.ls + self.ls
        optional.of({string}) == self.?s  (self.lm + self.lm).exists({v}, {v}.k == {string})
    """,
    "string": r"""
        self.s  self.t  self.o.a  ''  'a'  'b,a'  '1'  '10.1.2.3'  '2Mi'  '1.0.0'  ({string} + {string})  string({int})
        string({double})  string({bool})  string({at})  string({span})  {string}.lowerAscii()  {string}.upperAscii()
        {string}.replace({string}, {string})  {string}.replace('a', 'bb', {int})  {string}.substring({int})
        {string}.substring(0, {int})  {string}.charAt({int})  {string}.trim()  {ls}[{int}]  {ls}.join({string})  self.ms[{string}]
        ({bool} ? {string} : {string})  self.?none.orValue({string})  {string}.find('[a-z]+')  '%s-%d'.format([{string}, {int}])
        '%.3f|%e'.format([{double}, {double}])  '%x %X %o %b'.format([{int}, {string}, 8, {int}])  strings.quote({string})
        url({string}).getPort()  string(ip({string}))  string(cidr('10.1.0.0/8').masked())  {ls}.max()  self.ms.?b.orValue({string})
        optional.ofNonZeroValue({string}).orValue('z')  '%f %e'.format([{int}, {int}])
        '%.2f'.format([uint({int})])  '%d'.format([{double}])  '%s'.format([type({int})])  '%s'.format([type(self.?s)])
        '%s'.format([self.any])  string({bytes})  self.lm[{int}].k
    """,
    "li": r"""
        self.li  []  [1, 2]  [{int}, {int}]  ({li} + {li})  {li}.map({v}, {v} * 2)  {li}.filter({v}, {v} > {int})
        {ls}.map({v}, size({v}))  {li}.sort()  {li}.reverse()  {li}.distinct()  {li}.slice(0, {int})  lists.range(3)
        [[{int}], {li}].flatten()  {li}.map({v}, {v} != 0, 10 / {v})  {li}.sortBy({v}, -{v})  {li}.transformList({v}, {w}, {v} + {w})
        self.mi.map({v}, self.mi[{v}])  [?self.?null, {int}]
    """,
    "ls": r"""
        self.ls  self.set  ['a']  [{string}]  ({ls} + {ls})  {string}.split(',')  {string}.split({string}, {int})
        {ls}.filter({v}, {v} != {string})  self.ms.map({v}, {v} + 'x')  {ls}.sort()  {string}.findAll('[a-z]')
        {ls}.map({v}, {v}.upperAscii())  {li}.map({v}, string({v}))  self.ms.transformList({v}, {w}, {v} + {w})  (self.set + {ls})
        self.lm.map({v}, {v}.k)
    """,
    "at": r"""
        self.at  self.day  timestamp('2024-01-01T00:00:00Z')  ({at} + {span})  ({at} - {span})  timestamp({string})  timestamp({int})
    """,
    "span": r"""
        self.span  duration('90s')  ({span} + {span})  ({at} - {at})  duration({string})  ({span} - {span})  duration({int})
    """,
    "bytes": r"""
        self.raw  b'a'  bytes({string})  ({bytes} + {bytes})
    """,
}
_FORMS: Final = {type_: tuple(re.split(r"\s{2,}", block.strip())) for type_, block in _FORMS_BY_TYPE.items()}
_TYPES: Final = tuple(_FORMS)


def random_expression(random: Random, depth: int = 3) -> str:
    """An expression of a random type."""
    return _Maker(random).make(random.choice(_TYPES), depth)


class _Maker:
    """Makes expressions, and counts their variables, so that each has a new name."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._count = 0

    def make(self, type_: str, depth: int) -> str:
        """An expression of a type, at most so many levels deep."""
        forms = _FORMS[type_]
        if depth == 0:
            forms = tuple(form for form in forms if "{" not in form)
        text = self._random.choice(forms)
        names = {name: self._fresh() for name in ("v", "w") if f"{{{name}}}" in text}
        for name, fresh in names.items():
            text = text.replace(f"{{{name}}}", fresh)
        for inner in _TYPES:
            while f"{{{inner}}}" in text:
                text = text.replace(f"{{{inner}}}", self.make(inner, depth - 1), 1)
        return text

    def _fresh(self) -> str:
        self._count += 1
        return f"v{self._count}"
