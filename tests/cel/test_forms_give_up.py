"""Errors, data of a wrong kind, and expressions that only the tracked form supports: the direct form leaves them to the tracked one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cel.forms_on_data import direct, rule_on_data, tracked
from weighbridge.policies.cel.emit.program import Program
from weighbridge.policies.cel.values.outcome import Outcome


@pytest.mark.parametrize(
    ("rule", "data", "old", "said", "cost"),
    [
        ("self.s == 'a'", {"s": 5}, None, "invalid data, expected string, got int64", 3),
        ("self.s == 'a'", {"s": None}, None, "no such key: s", 3),
        ("self.s == 'a'", {}, None, "no such key: s", 3),
        ("self.i < self.j", {"i": True, "j": 3}, None, "invalid data, expected int, got bool", 5),
        ("self.i < self.j", {"i": 1.0, "j": 3}, None, "invalid data, expected int, got float64", 5),
        ("self.d < self.e", {"d": "1", "e": 2}, None, "invalid data, expected float, got string", 5),
        ("self.d < self.e", {"d": True, "e": 2}, None, "invalid data, expected float, got bool", 5),
        ("self.b", {"b": 1}, None, "invalid data, expected bool, got int64", 2),
        ("self.i + 1 > 0", {"i": 9223372036854775807}, None, "integer overflow", 4),
        ("self.i - 1 < 0", {"i": -9223372036854775808}, None, "integer overflow", 4),
        ("self.i * 2 > 0", {"i": 4611686018427387904}, None, "integer overflow", 4),
        ("self.i * 2 < 0", {"i": -4611686018427387905}, None, "integer overflow", 4),
        ("self.i / self.j == 2", {"i": 5, "j": 0}, None, "division by zero", 6),
        ("self.l.size() == 2", {"l": {}}, None, "invalid data, expected an array for the provided schema with type=array", 4),
        ("self.m.size() == 1", {"m": []}, None, "invalid data, expected a map for the provided schema with type=object", 4),
        ("self.y.size() == 3", {"y": "!"}, None, "Invalid byte formatted string !: illegal base64 data at input byte 0", 4),
        ("self.x in ['a']", {"x": "a"}, None, True, 2),
        ("self.s in self.l", {"s": "b", "l": {}}, None, "invalid data, expected an array for the provided schema with type=array", 5),
        ("double(self.s) == 2.5", {"s": "x"}, None, "type conversion error from 'string' to 'double'", 4),
        ("self.l[1] == 'a'", {"l": ["a"]}, None, "index out of bounds: 1", 4),
        ("self.l[-1] == 'a'", {"l": ["a"]}, None, "index out of bounds: -1", 4),
        ("self.l[self.i - 1] == 'b'", {"l": ["b", "a"], "i": 0}, None, "index out of bounds: -1", 7),
        ("self.l[0] == 'a'", {"l": [5]}, None, "invalid data, expected string, got int64", 4),
        ("self.l[0] == 'a'", {"l": {"0": "a"}}, None, "invalid data, expected an array for the provided schema with type=array", 3),
        ("self.l[0] == 'a'", {"l": [None]}, None, "invalid data, got null for schema with nullable=false", 4),
        ("self.m['a'] == 'b'", {"m": {}}, None, "no such key: a", 4),
        ("self.m.a == 'b'", {"m": {"a": 1}}, None, "invalid data, expected string, got int64", 4),
        ("self.m['a'] == 'b'", {"m": ["b"]}, None, "invalid data, expected a map for the provided schema with type=object", 3),
        ("has(self.s)", {"s": 5}, None, "invalid data, expected string, got int64", 1),
        (
            "has(self.w)",
            {"w": "x"},
            None,
            'Invalid date-time formatted string x: parsing time "x" as "2006-01-02T15:04:05": cannot parse "x" as "2006"',
            1,
        ),
        ("has(self.o)", {"o": []}, None, "invalid data, expected a map for the provided schema with type=object", 1),
        ("has(self.o.v)", {}, None, "no such key: o", 1),
        ("has(self.m.a)", {"m": []}, None, "invalid data, expected a map for the provided schema with type=object", 1),
        ("has(self.l)", {"l": {}}, None, "invalid data, expected an array for the provided schema with type=array", 1),
        ("self.p < duration('1m')", {"p": 5}, None, "invalid data, expected string, got int64", 3),
        ("self.i > 0 ? true : false", {"i": "a"}, None, "invalid data, expected int, got string", 3),
        ("self.l.all(x, x == 'a')", {"l": ["a", 5]}, None, "invalid data, expected string, got int64", 13),
        ("self.l.all(x, x == 'a')", {"l": {}}, None, "invalid data, expected an array for the provided schema with type=array", 2),
        ("self.m.transformMap(k, v, v + k) == {'a': 'ba'}", {"m": {"a": "b"}}, None, True, 10),
        ("self.m.all(k, k == 'a')", {"m": ["a"]}, None, "invalid data, expected a map for the provided schema with type=object", 2),
        ("optional.of(self.s).optMap(x, x + 'b').value() == 'ab'", {"s": "a"}, None, True, 13),
        ("self.l == oldSelf.l", {"l": "a"}, {"l": []}, "invalid data, expected an array for the provided schema with type=array", 4),
        ("self.k == oldSelf.k", {"k": [1]}, {"k": [True]}, False, 5),
        ("self.k == oldSelf.k", {"k": [1]}, {"k": [1.0]}, False, 5),
        ("self.o == oldSelf.o", {"o": {"c": 1}}, {"o": {"c": True}}, False, 5),
        ("self.o == oldSelf.o", {"o": []}, {"o": []}, "invalid data, expected a map for the provided schema with type=object", 5),
        ("self.os != oldSelf.os", {"os": [{"c": 1}]}, {"os": [{"c": 1.0}]}, True, 5),
        ("self.g == oldSelf.g", {"g": {"a": 1}}, {"g": {"a": True}}, False, 5),
        ("self.i >= oldSelf.i", {"i": 1}, {}, "no such key: i", 5),
        ("self.b && self.i > 0", {"i": 0}, None, False, 5),
        ("self.i > 0 || self.b", {"b": True}, None, True, 5),
        ("{'a': self.i}.a == 1", {"i": 1}, None, True, 35),
        ("self.bs == oldSelf.bs", {"bs": [True]}, {"bs": [1]}, False, 5),
        ("self.ds == oldSelf.ds", {"ds": [1]}, {"ds": [True]}, False, 5),
        ("self.kk == oldSelf.kk", {"kk": [[1]]}, {"kk": [[1.0]]}, False, 5),
        ("{self.s: 1}.size() == 1", {}, None, "no such key: s", 34),
        ("{'a': self.i}.size() == 1", {}, None, "no such key: i", 34),
        ("{self.s: 1, 'b': 2}.size() == 2", {"s": "a"}, None, True, 34),
        ("[self.s, 'a'].size() == 2", {}, None, "no such key: s", 14),
        ("[?self.?s].size() == 1", {"s": "a"}, None, True, 14),
        ("[?self.?s].size() == 0", {}, None, True, 13),
        ("{?'a': self.?s}.size() == 0", {}, None, True, 33),
        ("{?'a': self.?s}.size() == 1", {"s": "x"}, None, True, 34),
        ("[?dyn(self.s)].size() == 1", {"s": "x"}, None, "cannot initialize optional list element from non-optional value x", 15),
        ("{?'a': dyn(self.s)}.size() == 1", {"s": "x"}, None, "cannot initialize optional entry 'a' from non-optional value x", 35),
        ("self.k == oldSelf.k", {"k": [True]}, {"k": [1]}, "invalid data, expected int, got bool", 5),
        ("self.os == oldSelf.os", {"os": [{"c": True}]}, {"os": [{"c": 1}]}, "invalid data, expected int, got bool", 5),
        ("self.g == oldSelf.g", {"g": {"a": 1.0}}, {"g": {"a": 1}}, "invalid data, expected int, got float64", 5),
        ("self.s.matches(self.t)", {"s": "a", "t": "("}, None, "error parsing regexp: missing closing ): `(`", 5),
        ("self.s.replace('a', self.t, self.i) == 'b'", {"s": "a", "i": 1}, None, "no such key: t", 5),
        ("double(self.s) < 1.5", {"s": "NaN"}, None, "NaN values cannot be ordered", 4),
        ("1.5 < double(self.s)", {"s": "NaN"}, None, "NaN values cannot be ordered", 4),
        ("double('NaN') < self.d", {"d": 1}, None, "NaN values cannot be ordered", 3),
        ("self.d >= double('NaN')", {"d": 1}, None, "NaN values cannot be ordered", 3),
        ("dyn(self.d) + 1 == 2", {"d": 1.5}, None, "no such overload", 5),
        ("1 + dyn(self.s) == 2", {"s": "a"}, None, "no such overload", 5),
        ("dyn(self.s) < 1.5", {"s": "a"}, None, "no such overload", 4),
        ("1 > dyn(self.s)", {"s": "a"}, None, "no such overload", 4),
    ],
)
def test_what_is_out_of_the_ordinary_is_left_to_the_tracked_form(rule: str, data: Any, old: Any, said: bool | str, cost: int) -> None:
    assert direct(rule, data, old) is None
    outcome = tracked(rule, data, old)
    assert (outcome.error or outcome.value, outcome.cost) == (said, cost)


def test_the_direct_form_takes_an_optional_old_value(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = rule_on_data("oldSelf.hasValue() == false || self.i >= oldSelf.value().i", optional_old_self=True)
    assert rule.rule.program is not None
    monkeypatch.delattr(Program, "tracked")
    for old, outcome in ((None, Outcome(True, 3)), ({"i": 2}, Outcome(False, 10)), ({"i": 1}, Outcome(True, 10))):
        assert rule.rule.program.run_on_data({"i": 1}, old, optional=True) == outcome
