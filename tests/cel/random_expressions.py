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
        "pres": {
            "type": "object",
            "x-kubernetes-preserve-unknown-fields": True,
            "properties": {
                "a": {"type": "integer"},
                "s": {"type": "string", "maxLength": 9},
                "b": {"type": "object", "properties": {"c": {"type": "integer"}}},
                "l": {"type": "array", "items": {"type": "integer"}, **_NUMBERS_OF},
            },
        },
        "lp": {"type": "array", "items": {"x-kubernetes-int-or-string": True}, **_NUMBERS_OF},
        "nl": {"type": "array", "items": {"type": "integer", "nullable": True}, **_NUMBERS_OF},
        "ln": {"type": "array", "items": {"type": "number"}, **_NUMBERS_OF},
        "sl": {
            "type": "array",
            "x-kubernetes-list-type": "set",
            "items": {"type": "array", "items": {"type": "integer"}, "x-kubernetes-list-type": "atomic", **_NUMBERS_OF},
            **_NUMBERS_OF,
        },
        "so": {
            "type": "array",
            "x-kubernetes-list-type": "set",
            "items": {
                "type": "object", "properties": {"a": {"type": "string", "maxLength": 5}}, "x-kubernetes-map-type": "atomic",
            },
            **_NUMBERS_OF,
        },
        "emb": {
            "type": "object",
            "x-kubernetes-embedded-resource": True,
            "properties": {"spec": {"type": "object", "properties": {"n": {"type": "integer"}}}},
        },
        "ml": {
            "type": "object",
            "additionalProperties": {"type": "array", "items": {"type": "string", "maxLength": 5}, **_NUMBERS_OF},
            "maxProperties": 3,
        },
    },
}  # fmt: skip
#: Objects on which the expressions are tried; each has fields that the others lack. Maps have one entry, since the server iterates over
#: them in random order.
OBJECTS: Final[tuple[dict[str, Any], ...]] = (
    {
        "i": 7, "j": -3, "x": 2.5, "s": "héllo Wörld", "t": "a,b,,c", "b": True, "null": 4, "at": "2024-02-29T12:30:45.123Z",
        "day": "2023-12-31", "span": "1h30m", "raw": "aGVsbG8=", "any": 5, "li": [3, 1, 2], "ls": ["b", "a", "b"], "set": ["x", "y"],
        "lm": [{"k": "a", "v": 1}, {"k": "b"}], "ms": {"b": "two"}, "mi": {"z": 0},
        "si": [1, 2], "lk": [{"a": "x", "b": "y", "c": "", "d": 1}], "o": {"a": "q", "n": 9, "in-side": False},
        "pres": {"a": 3, "s": "q", "b": {"c": 4}, "l": [1, 2], "zz": {"y": 1}}, "lp": [1, "2"], "nl": [None, 3], "ln": [1, 2.5, -0.0],
        "sl": [[1], [1, 2]], "so": [{"a": "x"}, {"a": "y"}], "ml": {"a": ["x", "y"]},
        "emb": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "labels": {"a": "b"}}, "spec": {"n": 2}},
    },
    {
        "i": 9223372036854775807, "j": 0, "x": -0.0, "s": "", "t": "10.0.0.1", "b": False, "null": None, "at": "0001-01-01T00:00:00Z",
        "day": "9999-12-31", "span": "-5ms", "any": "http://k8s.io:80/p?q=1", "li": [], "ls": [], "set": [], "lm": [], "ms": {},
        "mi": {}, "o": {},
        "pres": {}, "lp": [], "nl": [], "ln": [], "sl": [], "so": [], "ml": {}, "emb": {"apiVersion": "v1", "kind": "A", "metadata": {}},
    },
    {
        "i": -9223372036854775807, "j": 5, "x": 1e300, "s": "1Gi", "t": "1.2.3-rc.1", "b": True, "at": "2020-06-15T23:59:59+05:30",
        "day": "1970-01-01", "span": "0s", "raw": "//79", "any": 0, "li": [0, 0], "ls": ["", "é"], "set": ["b", "a"],
        "si": [2, 1], "lk": [{"a": "1 2", "b": "", "c": "3", "d": 4}, {"a": "1", "b": "2 ", "c": "3", "d": 4}],
        "lm": [{"k": "z", "v": -1}], "ms": {"": ""}, "mi": {"z": -2}, "o": {"a": "", "in-side": True},
        "pres": {"a": -1, "b": {}}, "lp": ["a", 5], "nl": [None, None], "ln": [1e19, 1], "sl": [[], [2]], "so": [{}], "ml": {"a": []},
        "emb": {"apiVersion": "a/v1", "kind": "X"},
    },
)  # fmt: skip

#: Objects with values that don't fit their types. An update may leave such values of a stored object alone.
MISFITS: Final[tuple[dict[str, Any], ...]] = (
    {
        "i": "7", "j": {}, "x": "a", "s": 5, "t": ["a"], "b": "true", "null": "a", "at": 5, "day": "x", "span": [], "raw": "*", "any": {},
        "li": ["a", 1], "ls": [1, "b"], "set": [1], "lm": [5, {"k": "a"}], "ms": {"b": 5}, "mi": {"z": "a"}, "si": ["x", 1],
        "lk": ["a"], "o": {"a": 5, "n": "x", "in-side": 1},
        "pres": {"a": "x", "s": 1, "b": [], "l": {}}, "lp": [1.5, {}], "nl": ["x", 1.5], "ln": ["x", 1], "sl": [1, [1]],
        "so": [1, {"a": 2}], "ml": {"a": "x"}, "emb": {"apiVersion": 1, "kind": None, "metadata": 5, "spec": {"n": "x"}},
    },
    {
        "i": 1.5, "j": None, "x": True, "s": {}, "t": "a", "b": 1, "at": "x", "day": {}, "span": "1x", "raw": 5, "any": 1.5,
        "li": [1, {}, 2], "ls": ["a", None, "b"], "set": ["x", {}], "lm": [{"k": "a", "v": 1}, {"k": 5, "v": "x"}], "ms": {"b": None},
        "mi": {"z": 1.5}, "si": [1, None], "lk": [{"a": "1", "b": 2, "c": "3", "d": 4}, {"a": "1"}], "o": [],
        "pres": [], "lp": {}, "nl": 5, "ln": [None], "sl": [["x"]], "so": {}, "ml": {"a": [1, None]}, "emb": "x",
    },
    {
        "i": 3, "j": 4, "x": 1, "s": "b", "t": "c", "b": True, "at": "2024-02-29T12:30:45Z", "day": "2023-12-31", "span": "1s",
        "any": "a", "li": {}, "ls": "a", "set": 5, "lm": {"k": "a"}, "ms": [], "mi": "x", "si": [1, 1],
        "lk": [{"a": "1", "b": "2", "c": "3", "d": "4"}], "o": "x",
        "pres": {"b": {"c": 1.5}, "l": [1, "a"]}, "lp": [None, True], "nl": [1], "ln": [1, True], "sl": [[1], [1]],
        "so": [{"a": "x"}, {"a": "x"}], "ml": [], "emb": {"spec": []},
    },
)  # fmt: skip

#: The forms of expressions that have each type: ``{type}`` is an expression of a type, ``{v}`` a new variable. Two spaces separate forms.
_FORMS_BY_TYPE: Final = {
    "int": r"""
        self.i  self.j  self.o.n  0  1  -2  9223372036854775807  size({string})  size({li})  size({ls})  ({int} + {int})  ({int} - {int})
        ({int} * {int})  ({int} / {int})  ({int} % {int})  -({int})  int({double})  int({string})  ({bool} ? {int} : {int})  {li}[{int}]
        {string}.indexOf({string})  {string}.lastIndexOf({string}, {int})  {li}.sum()  {li}.max()  {li}.min()  {li}.indexOf({int})
        self.mi[{string}]  self.mi.?z.orValue({int})  {at}.getFullYear()  {at}.getHours('Europe/Berlin')  {at}.getDayOfYear()
        {span}.getSeconds()  {span}.getMilliseconds()  int({at})  quantity({string}).asInteger()
        quantity('1.5Gi').compareTo(quantity({string}))  ip({string}).family()  cidr('10.0.0.0/8').prefixLength()
        semver({string}).major()  {ls}.size()  optional.of({int}).value()  self.?null.orValue({int})  self.lm[0].v
        uint({int}) > 3u ? 1 : 2  {li}.first().value()  {li}.last().orValue(3)  bytes({string}).size()  {li}.map({v}, {v} + {int}).sum()
        [{int}, {int}].max()  {string}.indexOf({string}, {int})  {string}.indexOf('', {int})  {string}.lastIndexOf('', {int})
        {at}.getHours('+02:30')  {at}.getMinutes('-03:75')  (self.lm + self.lm).size()  (self.si + {li}).size()  dyn({int}).orValue(3)
        self.lk.size()  (self.lm + self.lm)[0].v  {string}.split(',').size()  size({bytes})  size({map})  {map}.size()  {at}.getDate()
        {at}.getDayOfMonth()  {at}.getDayOfWeek()  {at}.getMonth()  {at}.getMilliseconds()  {at}.getSeconds('UTC')
        {at}.getDate('America/New_York')  {span}.getHours()  {span}.getMinutes()  semver({string}).minor()  semver({string}).patch()
        semver({string}, true).major()  semver({string}).compareTo(semver({string}))  quantity({string}).sign()
        quantity({string}).add({int}).asInteger()  quantity({string}).sub(quantity({string})).asInteger()  {opt}.orValue({int})
        {opt}.or({opt}).orValue({int})  {opt}.value()  {li}[?{int}].orValue({int})  {opt}.optMap({v}, {v} + 1).orValue({int})
        {opt}.optFlatMap({v}, {li}.first()).orValue({int})  {map}[{string}]  {map}.?a.orValue({int})  {map}[?{string}].orValue({int})
        cel.bind({v}, {int}, {v} * {v})  optional.unwrap([{opt}, {opt}]).sum()  [{opt}].unwrapOpt().size()  {ll}[{int}][{int}]
        {ll}.size()  {ll}.map({v}, {v}.sum()).max()  {li}[dyn({int})]  {li}[1.0]  {li}[0u]  int({uint})  int({span})  int({at} - {at})
        {dyn}.orValue(1)  self.lm.filter({v}, has({v}.v)).map({v}, {v}.v).sum()  self.lm.first().?v.orValue({int})
        ({bool} ? self.i : self.j)  {string}.size()  self.pres.a  self.pres.?a.orValue({int})  self.pres.b.c  self.lp[{int}]
        self.nl[{int}]  self.emb.spec.n  {lu}.size()  dyn({li})[{int}]  cidr({string}).prefixLength()  cidr({string}).ip().family()
        url({string}).getQuery().size()  {ls}.lastIndexOf({string})  {map}.transformList({v}, {w}, {w}).sum()
        {li}.transformMap({v}, {w}, {v} + {w}).size()  {map}.transformMap({v}, {w}, {w} > {int}, {w}).size()
        {ls}.transformMapEntry({v}, {w}, {{w}: {v}}).size()  duration({string}).getHours()
    """,
    "double": r"""
        self.x  1.5  -0.0  1e308  ({double} + {double})  ({double} * {double})  ({double} / {double})  double({int})  double({string})
        ({bool} ? {double} : {double})  [{double}, {double}].max()  quantity({string}).asApproximateFloat()  {ld}.sum()  {ld}.max()
        {ld}[{int}]  -({double})  double({uint})  self.ln[{int}]
    """,
    "bool": r"""
        self.b  true  false  !{bool}  ({bool} && {bool})  ({bool} || {bool})  ({int} == {int})  ({int} < {double})  ({string} <= {string})
        ({double} == {double})  ({string} == {string})  ({li} == {li})  ({ls} != {ls})  has(self.none)  has(self.o.a)  has(self.null)
        {string}.startsWith({string})  {string}.contains({string})  {string}.matches('^[a-z]+$')  {string} in {ls}  {int} in {li}
        {string} in self.ms  {li}.all({v}, {v} > {int})  {ls}.exists({v}, {v} == {string})  {ls}.exists_one({v}, {v}.size() > 1)
        self.ms.all({v}, {v} != {string})  self.ms.exists({v}, {w}, {v} == {w})  {li}.isSorted()  isQuantity({string})  isIP({string})
        isURL({string})  isCIDR({string})  isSemver({string})  quantity({string}).isLessThan(quantity('2'))  sets.contains({li}, {li})
        sets.intersects({ls}, {ls})  self.set == {ls}  {ls} == self.set  self.lm == self.lm.map({v}, {v})  ({at} < {at})
        ({span} >= {span})  self.any == {int}  dyn({int}) == dyn({double})  self.o['in-side']  self.o.in__dash__side
        optional.of({int}).hasValue()  self.?none.hasValue()  type({int}) == int  cidr('10.0.0.0/8').containsIP({string})
        url({string}).getHost() == ''  bool({string})  format.dns1123Label().validate({string}).hasValue()  ip.isCanonical({string})
        {bytes} == {bytes}  self.lm.exists({v}, {v}.k == {string})  self.lm.all({v}, {v}.v > {int})  (self.any == {string} || {bool})
        {at} == timestamp('2024-02-29T12:30:45.123Z')  matches({string}, '^[a-z]+$')  matches({string}, {string})
        {string}.endsWith({string})  quantity({string}) == quantity('1').add(quantity({string}))  quantity({string}) == quantity('1k')
        self.lm + self.lm == self.lm  self.lm + self.lm.filter({v}, {v}.k == {string}) == self.lm  self.set + {ls} == {ls} + self.set
        (self.ls + {ls}) == {ls}  {ls}.includes({string})  dyn({string}).includes({string})  self.lk == self.lk.map({v}, {v})
        self.si == {li}  {li} == self.si  self.si == self.li.map({v}, {v} * 1.0)  self.si + {li} == {li}  self.lk + self.lk == self.lk
        {li}.all(self, .self.i > {int})  self.o.`in-side`  self.ms.`a`  has(self.ms.`b`)  {string} in (self.set + {ls})
        (self.ls + {ls}).exists({v}, {v} == {string})  self.lm.map({v}, {v}.k) == {ls}  self.set == self.ls + self.ls
        optional.of({string}) == self.?s  (self.lm + self.lm).exists({v}, {v}.k == {string})  {bytes} < {bytes}  {bool} < {bool}
        {uint} == {uint}  {uint} < {int}  {uint} >= {double}  {ll} == {ll}  {map} == {map}  {map} == self.mi  self.mi == {map}
        {opt} == {opt}  {opt}.hasValue()  {opt} != optional.none()  {li}.exists({v}, {w}, {v} == {w})  {li}.all({v}, {w}, {v} <= {w})
        {li}.existsOne({v}, {v} > 1)  {li}.existsOne({v}, {w}, {v} == {w})  {map}.existsOne({v}, {w}, {w} > {int})
        {map}.all({v}, {w}, {w} > {int})  {map}.exists({v}, {v} == {string})  sets.equivalent({li}, {li})  sets.contains({ls}, {ls})
        sets.intersects({ld}, {ld})  sets.contains(self.set, {ls})  sets.equivalent(self.set, {ls})  sets.contains({ll}, {ll})
        {li} in {ll}  {double} in {li}  {int} in {ld}  dyn({string}) in {li}  {map} in [{map}]  {string} in {map}  {opt} in [{opt}]
        quantity({string}).isGreaterThan(quantity({string}))  quantity({string}).isInteger()  isSemver({string}, true)
        semver({string}) == semver({string})  semver({string}).isLessThan(semver({string}))
        semver({string}).isGreaterThan(semver({string}))  ip({string}).isLoopback()  ip({string}).isUnspecified()
        ip({string}).isGlobalUnicast()  ip({string}).isLinkLocalUnicast()  ip({string}) == ip({string})
        cidr({string}).containsIP({string})  cidr({string}).containsCIDR({string})  cidr({string}).containsIP(ip({string}))
        cidr({string}) == cidr({string})  cidr({string}).containsCIDR(cidr({string}))  url({string}) == url({string})
        format.named({string}).hasValue()  format.named('uuid').value().validate({string}).hasValue()
        format.qualifiedName().validate({string}) == optional.none()  format.labelValue().validate({string}).hasValue()
        format.uri().validate({string}).hasValue()  format.byte().validate({string}).hasValue()
        format.date().validate({string}).hasValue()  format.datetime().validate({string}).hasValue()
        format.dns1035LabelPrefix().validate({string}).hasValue()  cel.bind({v}, {string}, {v} == {v} + '')  {dyn}.hasValue()
        {ll}.exists({v}, {int} in {v})  {ls}.exists({v}, {v}.matches({string}))  {string}.find({string}) == ''  has(self.pres.a)
        has(self.pres.b.c)  self.pres.b == {map}  self.pres == self.pres  dyn(self.pres) == dyn({map})  self.emb.kind == {string}
        has(self.emb.metadata.name)  has(self.emb.spec)  self.nl == {li}  self.lp == {li}  self.lp.exists({v}, {v} == {string})
        self.nl.all({v}, {v} == null)  self.null == null  self.nl.exists({v}, {v} != null && {v} > {int})
        {ld} == {li}.map({v}, double({v}))  self.ln == {ld}  self.ln == {li}.map({v}, dyn({v}))  {string} == {string} ? {bool} : {bool}
        type({dyn}) == optional_type  type(self.any) == string  type({ll}) == list  type({map}) == map  type(null) == null_type
        type({bytes}) == bytes  {at} > {at} - {span}  {span} == {at} - {at}  timestamp({int}) == {at}  self.sl.exists({v}, {v} == {li})
        self.so == self.so  self.sl == self.sl + [[{int}]]  self.so.exists({v}, {v}.a == {string})  [{int}] in self.sl
        self.lm[0] == self.lm[0]  self.lm[0] in self.lm  self.o == self.o  [self.o] == [self.o]  {'a': self.o} == {'a': self.o}
        optional.of(self.o) == self.?o  self.ml.a == {ls}  has(self.ml.a)  self.ml.all({v}, {string} in self.ml[{v}])
    """,
    "string": r"""
        self.s  self.t  self.o.a  ''  'a'  'b,a'  '1'  '10.1.2.3'  '2Mi'  '1.0.0'  ({string} + {string})  string({int})  string({double})
        string({bool})  string({at})  string({span})  {string}.lowerAscii()  {string}.upperAscii()  {string}.replace({string}, {string})
        {string}.replace('a', 'bb', {int})  {string}.substring({int})  {string}.substring(0, {int})  {string}.charAt({int})
        {string}.trim()  {ls}[{int}]  {ls}.join({string})  self.ms[{string}]  ({bool} ? {string} : {string})  self.?none.orValue({string})
        {string}.find('[a-z]+')  '%s-%d'.format([{string}, {int}])  '%.3f|%e'.format([{double}, {double}])
        '%x %X %o %b'.format([{int}, {string}, 8, {int}])  strings.quote({string})  url({string}).getPort()  string(ip({string}))
        string(cidr('10.1.0.0/8').masked())  {ls}.max()  self.ms.?b.orValue({string})  optional.ofNonZeroValue({string}).orValue('z')
        '%f %e'.format([{int}, {int}])  '%.2f'.format([uint({int})])  '%d'.format([{double}])  '%s'.format([type({int})])
        '%s'.format([type(self.?s)])  '%s'.format([self.any])  string({bytes})  self.lm[{int}].k  {string}.reverse()
        {string}.split({string}).join({string})  {string}.substring({int}, {int})  string({uint})  string({dyn}.hasValue())  {ls}.join()
        url({string}).getScheme()  url({string}).getHostname()  url({string}).getEscapedPath()  url({string}).getHost()
        {string}.find({string})  string(cidr({string}))  string(cidr({string}).ip())  string(cidr({string}).masked())
        string(quantity({string}))  {opts}.orValue({string})  {opts}.value()  self.pres.s  self.emb.metadata.name  self.emb.apiVersion
        self.lp[{int}]  '%s'.format([{map}])  '%s'.format([{ll}])  '%s'.format([{opt}])  '%s %s'.format([{bytes}, {span}])
        '%s'.format([{at}])  '%b'.format([{bool}])  '%x'.format([{bytes}])  '%X'.format([{string}])  '%o'.format([{uint}])
        '%.0e'.format([{double}])  '%5.2f'.format([{double}])  '%s%%'.format([{double}])  '%s'.format([self.pres])  '%s'.format([self.o])
        '%s'.format([self.lm])  '%s'.format([null])  '%d'.format([{uint}])  '%s'.format([quantity({string})])
        '%s'.format([[{at}, {span}]])  '%s'.format([{{int}: {string}}])  string({double} / {double})  "\u00e9\U0001F600"  r'\d'  '''a"b'''
        'ß'  {string}.upperAscii().lowerAscii()  strings.quote({string} + '\n')  {string}.replace({string}, {string}, {int})
        {map}.map({v}, {v}).join()  {opt}.optMap({v}, string({v})).orValue('')  url({string}).getQuery().map({v}, {v}).join('&')
        self.ml.a[{int}]  self.lk[{int}].a  string({at} + {span})  string({at}.getMonth())
    """,
    "li": r"""
        self.li  []  [1, 2]  [{int}, {int}]  ({li} + {li})  {li}.map({v}, {v} * 2)  {li}.filter({v}, {v} > {int})
        {ls}.map({v}, size({v}))  {li}.sort()  {li}.reverse()  {li}.distinct()  {li}.slice(0, {int})  lists.range(3)
        [[{int}], {li}].flatten()  {li}.map({v}, {v} != 0, 10 / {v})  {li}.sortBy({v}, -{v})  {li}.transformList({v}, {w}, {v} + {w})
        self.mi.map({v}, self.mi[{v}])  [?self.?null, {int}]  self.nl  {ll}[{int}]  {ll}.flatten()  [{ll}].flatten({int})
        {li}.slice({int}, {int})  lists.range({int})  {li}.sortBy({v}, {v} % 3)  [?{opt}, {int}]  optional.unwrap([{opt}])
        {ls}.map({v}, int({v}))  {map}.map({v}, {map}[{v}])  dyn({li})  self.pres.l  self.lp  {li}.map({v}, {w}, {v})
        {li}.filter({v}, dyn({v}) == {double})  {string}.split('').map({v}, {v}.size())  self.sl[{int}]
    """,
    "ls": r"""
        self.ls  self.set  ['a']  [{string}]  ({ls} + {ls})  {string}.split(',')  {string}.split({string}, {int})
        {ls}.filter({v}, {v} != {string})  self.ms.map({v}, {v} + 'x')  {ls}.sort()  {string}.findAll('[a-z]')
        {ls}.map({v}, {v}.upperAscii())  {li}.map({v}, string({v}))  self.ms.transformList({v}, {w}, {v} + {w})  (self.set + {ls})
        self.lm.map({v}, {v}.k)  {ls}.sortBy({v}, {v}.size())  self.ml.a  [?{opts}, {string}]  {ll}.map({v}, string({v}.size()))
        {map}.map({v}, {v})  optional.unwrap([{opts}])  self.lp.map({v}, string({v}))  {string}.split('')  {string}.findAll({string})
        {string}.findAll('.', {int})  {ls}.reverse()  {ls}.distinct()  {ls}.slice({int}, {int})  [{string}, {string}].sort()
    """,
    "at": r"""
        self.at  self.day  timestamp('2024-01-01T00:00:00Z')  ({at} + {span})  ({at} - {span})  timestamp({string})  timestamp({int})
    """,
    "span": r"""
        self.span  duration('90s')  ({span} + {span})  ({at} - {at})  duration({string})  ({span} - {span})  duration({int})
    """,
    "bytes": r"""
        self.raw  b'a'  bytes({string})  ({bytes} + {bytes})  b'\xff'  b"\000a"  bytes({string}) + b'z'  self.?raw.orValue(b'')
    """,
    "uint": r"""
        uint({int})  1u  0u  ({uint} + {uint})  ({uint} - {uint})  ({uint} * {uint})  ({uint} / {uint})  ({uint} % {uint})  uint({string})
        uint({double})  18446744073709551615u
    """,
    "ld": r"""
        self.ln  [1.5]  [{double}]  {ld}.sort()  {li}.map({v}, double({v}))  ({ld} + {ld})  {ld}.reverse()  {ld}.distinct()
    """,
    "ll": r"""
        [{li}, {li}]  [[1], []]  {li}.map({v}, [{v}])  ({ll} + {ll})  {ll}.reverse()  self.sl  [{li}]  {ll}.distinct()
        {ll}.filter({v}, {v}.size() > {int})  self.sl + {ll}
    """,
    "map": r"""
        {'a': {int}}  {}  self.mi  {{string}: {int}}  {?'a': {opt}}  {ls}.transformMap({v}, {w}, {v})
        self.mi.transformMap({v}, {w}, {w} + {int})  {'a': 1}  {'z': -2}
    """,
    "opt": r"""
        optional.of({int})  optional.none()  self.?i  self.?null  self.?o.?n  {li}.first()  {li}.last()  {li}[?{int}]  {map}[?{string}]
        {map}.?a  optional.ofNonZeroValue({int})  {opt}.or({opt})  {opt}.optMap({v}, {v} * 2)
        {opt}.optFlatMap({v}, optional.ofNonZeroValue({v}))  self.?pres.?a  self.lm.first().?v  self.lm[?{int}].v
        ({bool} ? {opt} : {opt})  self.?emb.?spec.?n  dyn({map}).?a  optional.of(dyn({int}))
    """,
    "opts": r"""
        self.?none  self.?s  optional.of({string})  {ls}.first()  {ls}[?{int}]  self.?o.?a  self.ms.?b  self.?emb.?metadata.?name
        self.?ml.?a[?0]  optional.none()  format.dns1123Label().validate({string}).optMap({v}, {v}.join())  {opts}.or({opts})
    """,
    "dyn": r"""
        optional.of(dyn({int}))  optional.ofNonZeroValue(dyn({string}))  self.?any  self.?lp[?0]  self.?nl[?{int}]  {'a': dyn(1)}.?a
    """,
    "lu": r"""
        {ls}.map({v}, uint({v}.size()))  [{uint}, 2u]  [1u]
    """,
}
_FORMS: Final = {type_: tuple(re.split(r"\s{2,}", block.strip())) for type_, block in _FORMS_BY_TYPE.items()}
_TYPES: Final = tuple(_FORMS)
_PART: Final = re.compile("{[a-z]+}")


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
            forms = tuple(form for form in forms if not _PART.search(form))
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
