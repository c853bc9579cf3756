"""Edge cases of type inference: null, dyn, empty containers, optionals, shadowing; and every refusal with its place."""

from __future__ import annotations

import pytest

from tests.cel.expression import Expression, compile_expression
from tests.cel.test_checker import TYPES, checked
from weighbridge.policies.cel.check.checked import Checked, Refused
from weighbridge.policies.cel.values.types import INT

_STRING_CLAUSE = "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps"
_TYPES = {**TYPES, "t": "timestamp"}


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("null == duration('1s')", "bool"),
        ("null == timestamp(0)", "bool"),
        ("null == null", "bool"),
        ("null == optional.of(1)", "bool"),
        ("b ? null : duration('1s')", "null"),
        ("b ? duration('1s') : null", "duration"),
        ("b ? optional.of(1) : null", "optional_type(int)"),
        ("b ? [] : [1]", "list(int)"),
        ("b ? [1] : []", "list(int)"),
        ("b ? [[]] : [[1]]", "list(list(int))"),
        ("b ? {} : {'a': 1}", "map(string, int)"),
        ("b ? {'a': 1} : {}", "map(string, int)"),
        ("b ? x : i", "dyn"),
        ("b ? i : x", "dyn"),
        ("b ? [x] : [i]", "list(dyn)"),
        ("b ? [i] : [x]", "list(dyn)"),
        ("x ? 1 : 2", "int"),
        ("[1] + []", "list(int)"),
        ("[] + []", "list(dyn)"),
        ("[] + [1]", "list(int)"),
        ("[].map(e, e)", "list(dyn)"),
        ("[].map(e, [])", "list(list(dyn))"),
        ("x.map(e, e)", "list(dyn)"),
        ("l.map(e, [e])", "list(list(int))"),
        ("m.map(k, m[k])", "list(list(int))"),
        ("m.transformMap(k, v, k)", "map(string, string)"),
        ("l.transformList(i, v, [i, v])", "list(list(int))"),
        ("l.filter(e, e > 1)", "list(int)"),
        ("x.all(e, e > 1)", "bool"),
        ("x.exists_one(e, e)", "bool"),
        ("optional.none().orValue(1)", "int"),
        ("optional.of(1).or(optional.none())", "optional_type(int)"),
        ("optional.of(m).a", "optional_type(list(int))"),
        ("optional.of(m).?a", "optional_type(list(int))"),
        ("m.?a", "optional_type(list(int))"),
        ("m.?a[0]", "optional_type(int)"),
        ("m[?'a'][?0]", "optional_type(int)"),
        ("l[?0]", "optional_type(int)"),
        ("l[x]", "int"),
        ("x[1].y.z", "dyn"),
        ("x.?y", "optional_type(dyn)"),
        ("has(x.y)", "bool"),
        ("has(m.a)", "bool"),
        ("type(1)", "type(int)"),
        ("type(type(1))", "type(type(int))"),
        ("type(1) == int", "bool"),
        ("type(1) == string", "bool"),
        ("type(x) == type(1)", "bool"),
        ("int", "type(int)"),
        ("list", "type(list(dyn))"),
        ("i in l", "bool"),
        ("x in l", "bool"),
        ("i in x", "bool"),
        ("s in m", "bool"),
        ("x in m", "bool"),
        ("{'a': [], 'b': [1]}", "map(string, list(int))"),
        ("[[], [1]]", "list(list(int))"),
        ("[?m.?a]", "list(list(int))"),
        ("[?x]", "list(dyn)"),
        ("{?'a': m.?a}", "map(string, list(int))"),
        ("b && x", "bool"),
        (".i", "int"),
        (".l.size()", "int"),
        ("s.size()", "int"),
        ("size(s)", "int"),
        ("strings.quote(s)", "string"),
        ("t - t", "duration"),
        ("t + duration('1s')", "timestamp"),
        ("int(s) + 1", "int"),
        ("matches(s, '[')", "bool"),
        ("timestamp(s)", "timestamp"),
        ("'%d'.format([1])", "string"),
        ("'%d'.format(l)", "string"),
        ("s.format(['a', 1])", "string"),
        ("'%s'.format([[1, 'a']])", "string"),
        ("'%s'.format([x])", "string"),
        ("'%X'.format([b'a'])", "string"),
        ("'%.3f'.format([1.0])", "string"),
        ("'%%'.format([])", "string"),
        ("l.all(e, l.all(e, e == 1) && e == 1)", "bool"),
        ("l.all(i, i == 1) && i == 1", "bool"),
        ("m.?a.optMap(e, e.size())", "optional_type(int)"),
        ("m.?a.optFlatMap(e, e[?0])", "optional_type(int)"),
        ("l.sortBy(e, -e)", "list(int)"),
        ("quantity('1')", "kubernetes.Quantity"),
        ("quantity('x')", "kubernetes.Quantity"),
        ("quantity(s).add(1)", "kubernetes.Quantity"),
        ("dyn(1) + 'a'", "string"),
        ("dyn([1]) + l", "list(int)"),
    ],
)
def test_an_expression_has_a_type(text: str, type_: str) -> None:
    found = checked(text, _TYPES)
    assert isinstance(found, Checked), found
    assert str(found.type) == type_


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("null == 1", ["1:6: found no matching overload for '_==_' applied to '(null, int)'"]),
        ("null == 'a'", ["1:6: found no matching overload for '_==_' applied to '(null, string)'"]),
        ("null == [1]", ["1:6: found no matching overload for '_==_' applied to '(null, list(int))'"]),
        ("b ? null : 1", ["1:3: found no matching overload for '_?_:_' applied to '(bool, null, int)'"]),
        ("b ? l : m", ["1:3: found no matching overload for '_?_:_' applied to '(bool, list(int), map(string, list(int)))'"]),
        ("b ? 1 : 1u", ["1:3: found no matching overload for '_?_:_' applied to '(bool, int, uint)'"]),
        ("i ? 1 : 2", ["1:3: found no matching overload for '_?_:_' applied to '(int, int, int)'"]),
        ("[1] + ['a']", ["1:5: found no matching overload for '_+_' applied to '(list(int), list(string))'"]),
        ("m.map(k, v, v)", ["1:10: undeclared reference to 'v' (in container '')", "1:13: undeclared reference to 'v' (in container '')"]),
        ("l.exists_one(e, e)", ["1:13: found no matching overload for '_?_:_' applied to '(int, int, int)'"]),
        ("s.all(e, true)", ["1:1: expression of type 'string' cannot be range of a comprehension (must be list, map, or dynamic)"]),
        (
            "optional.of(1).or(optional.of('a'))",
            ["1:18: found no matching overload for 'or' applied to 'optional_type(int).(optional_type(string))'"],
        ),
        ("optional.of(1).orValue('a')", ["1:23: found no matching overload for 'orValue' applied to 'optional_type(int).(string)'"]),
        ("l['a']", ["1:2: found no matching overload for '_[_]' applied to '(list(int), string)'"]),
        ("l[0].a", ["1:5: type 'int' does not support field selection"]),
        ("m[1]", ["1:2: found no matching overload for '_[_]' applied to '(map(string, list(int)), int)'"]),
        ("m.a.b", ["1:4: type 'list(int)' does not support field selection"]),
        ("has(i.y)", ["1:4: type 'int' does not support field selection"]),
        ("[int, string]", ["1:7: expected type 'type(int)' but found 'type(string)'"]),
        ("duration", ["1:1: undeclared reference to 'duration' (in container '')"]),
        ("s in l", ["1:3: found no matching overload for '@in' applied to '(string, list(int))'"]),
        ("i in i", ["1:3: found no matching overload for '@in' applied to '(int, int)'"]),
        ("i in m", ["1:3: found no matching overload for '@in' applied to '(int, map(string, list(int)))'"]),
        ("1 in [1u]", ["1:3: found no matching overload for '@in' applied to '(int, list(uint))'"]),
        ("{1: 'a', 2u: 'b'}", ["1:10: expected type 'int' but found 'uint'"]),
        ("{'a': 1, 'b': x}", ["1:15: expected type 'int' but found 'dyn'"]),
        ("[[1], ['a']]", ["1:7: expected type 'list(int)' but found 'list(string)'"]),
        ("[null, 1]", ["1:8: expected type 'null' but found 'int'"]),
        ("[null, duration('1s')]", ["1:16: expected type 'null' but found 'duration'"]),
        ("[1, 1u]", ["1:5: expected type 'int' but found 'uint'"]),
        ("[?1]", ["1:3: expected type 'optional_type(int)' but found 'int'"]),
        ("{?'a': 1}", ["1:8: expected type 'optional_type(int)' but found 'int'"]),
        ("b && i", ["1:6: expected type 'bool' but found 'int'"]),
        ("i || b", ["1:1: expected type 'bool' but found 'int'"]),
        ("!i", ["1:1: found no matching overload for '!_' applied to '(int)'"]),
        ("-s", ["1:1: found no matching overload for '-_' applied to '(string)'"]),
        ("-u", ["1:1: found no matching overload for '-_' applied to '(uint)'"]),
        ("i.f()", ["1:4: undeclared reference to 'f' (in container '')"]),
        ("f(i)", ["1:2: undeclared reference to 'f' (in container '')"]),
        ("a.b.f(i)", ["1:1: undeclared reference to 'a' (in container '')", "1:6: undeclared reference to 'f' (in container '')"]),
        ("a.b", ["1:1: undeclared reference to 'a' (in container '')"]),
        ("size(i)", ["1:5: found no matching overload for 'size' applied to '(int)'"]),
        ("i.size()", ["1:7: found no matching overload for 'size' applied to 'int.()'"]),
        ("l.size() + u", ["1:10: found no matching overload for '_+_' applied to '(int, uint)'"]),
        ("math.abs(i)", ["1:1: undeclared reference to 'math' (in container '')", "1:9: undeclared reference to 'abs' (in container '')"]),
        ("A{}", ["1:2: undeclared reference to 'A' (in container '')"]),
        ("int{a: b}", ["1:4: 'int' is not a message type"]),
        ("i{a: y}", ["1:2: 'int' is not a type", "1:6: undeclared reference to 'y' (in container '')"]),
        ("x.matches('[')", ["1:11: invalid matches argument"]),
        ("s.matches('a[')", ["1:11: invalid matches argument"]),
        ("matches('[', s)", ["1:9: invalid matches argument"]),
        ("timestamp('x')", ["1:11: invalid timestamp argument"]),
        ("duration('1')", ["1:10: invalid duration argument"]),
        ("'%d'.format(['a'])", ["1:14: error during formatting: decimal clause can only be used on integers, was given string"]),
        ("'%d %d'.format([1])", ["1:15: index 1 out of range"]),
        ("'%d'.format([1, 2])", ["1:12: too many arguments supplied to string.format (expected 1, got 2)"]),
        (
            "'%s'.format([optional.of(1)])",
            ["1:25: error during formatting: STRING CLAUSE, was given optional_type"],
        ),
        (
            "'%s'.format([{'a': optional.of(1)}])",
            ["1:31: error during formatting: STRING CLAUSE, was given optional_type"],
        ),
        (
            "'%s'.format([{'a': [optional.of(1)]}])",
            ["1:32: error during formatting: STRING CLAUSE, was given optional_type"],
        ),
        (
            "'%x'.format([1.0])",
            ["1:14: error during formatting: only integers, byte buffers, and strings can be formatted as hex, was given double"],
        ),
        ("'%b'.format(['a'])", ["1:14: error during formatting: only integers and bools can be formatted as binary, was given string"]),
        ("'%o'.format([true])", ["1:14: error during formatting: octal clause can only be used on integers, was given bool"]),
        ("'%e'.format([1])", ["1:14: error during formatting: scientific clause can only be used on doubles, was given int"]),
        ("'%f'.format([1])", ["1:14: error during formatting: fixed-point clause can only be used on doubles, was given int"]),
        ("'%q'.format([1])", ['1:12: could not parse formatting clause: unrecognized formatting clause "q"']),
        ("'%'.format([])", ["1:11: unexpected end of string"]),
        ("{'a': 1}.all(k, k == 1)", ["1:19: found no matching overload for '_==_' applied to '(string, int)'"]),
        ("l.all(e, e == 1) && e == 1", ["1:21: undeclared reference to 'e' (in container '')"]),
        ("l.all(x.y, true)", ["1:8: argument must be a simple name"]),
        ("l.all(a, b, a)", ["1:13: expected type 'bool' but found 'int'"]),
        ("[1].all(e, e.f)", ["1:13: type 'int' does not support field selection"]),
        ("l.map(e, y)", ["1:10: undeclared reference to 'y' (in container '')"]),
        ("y + z", ["1:1: undeclared reference to 'y' (in container '')", "1:5: undeclared reference to 'z' (in container '')"]),
        (
            "y.all(e, e.f == z)",
            ["1:1: undeclared reference to 'y' (in container '')", "1:17: undeclared reference to 'z' (in container '')"],
        ),
        ("b ? y : 1", ["1:5: undeclared reference to 'y' (in container '')"]),
        ("b ? y : y", ["1:5: undeclared reference to 'y' (in container '')", "1:9: undeclared reference to 'y' (in container '')"]),
        ("[y, 1]", ["1:2: undeclared reference to 'y' (in container '')"]),
        (
            "l.optMap(e, e)",
            [
                "1:9: found no matching overload for 'hasValue' applied to 'list(int).()'",
                "1:9: found no matching overload for 'value' applied to 'list(int).()'",
            ],
        ),
        ("'a'.sortBy(e, e)", ["1:1: sortBy can only be applied to a list, identifier, comprehension, call or select expression"]),
        (
            "s.sortBy(e, e)",
            [
                "1:9: expression of type 'string' cannot be range of a comprehension (must be list, map, or dynamic)",
                "1:9: found no matching overload for '@sortByAssociatedKeys' applied to 'string.(list(!error!))'",
            ],
        ),
        (
            "cel.bind(a, 1, a)",
            [
                "1:1: undeclared reference to 'cel' (in container '')",
                "1:9: undeclared reference to 'bind' (in container '')",
                "1:10: undeclared reference to 'a' (in container '')",
                "1:16: undeclared reference to 'a' (in container '')",
            ],
        ),
    ],
)
def test_a_refusal_says_where_and_why(text: str, errors: list[str]) -> None:
    found = checked(text, _TYPES)
    assert isinstance(found, Refused)
    assert [part.split("\n")[0] for part in found.message.split("ERROR: <input>:")[1:]] == [
        error.replace("STRING CLAUSE", _STRING_CLAUSE) for error in errors
    ]


def test_a_variable_may_have_a_dotted_name() -> None:
    found = compile_expression(".a.b + a.b", {"a.b": INT})
    assert isinstance(found, Expression), found
    assert (found.run({"a.b": 2}).value, found.checked.refers_to("a.b"), found.checked.refers_to(".a.b")) == (4, True, False)
