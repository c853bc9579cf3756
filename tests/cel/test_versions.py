"""What rules may use that servers from some version on must be able to run."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.cel.check.checked import Refused, compile_text
from weighbridge.policies.cel.check.environment import Environment, environment
from weighbridge.policies.cel.rules.rule_verdict import new_rules, stored_rules
from weighbridge.policies.cel.values.declared import DeclaredType, SelfTypes
from weighbridge.policies.cel.versions import Version
from weighbridge.policies.schema.node import Schema

#: Expressions, and the first version that accepts them.
SINCE: dict[str, Version] = {
    "'a'.charAt(0)": (1, 23),
    "[1].isSorted()": (1, 23),
    "1 < 1.5": (1, 28),
    "{'a': 1}.?a.hasValue()": (1, 28),
    "[?optional.of(1)]": (1, 28),
    "{?'a': optional.of(1)}": (1, 28),
    "{'a': 1}[?'a'].hasValue()": (1, 28),
    "optional.of(1).optMap(x, x).hasValue()": (1, 28),
    "[1].first().hasValue()": (1, 28),
    "quantity('1').isInteger()": (1, 28),
    "'%d'.format([1])": (1, 29),
    "strings.quote('a')": (1, 29),
    "sets.contains([1], [1])": (1, 29),
    "isIP('::1')": (1, 30),
    "isCIDR('::/1')": (1, 30),
    "format.uuid().validate('a').hasValue()": (1, 31),
    "self.namespace == 'a'": (1, 31),
    "{'a': 1}.all(k, v, v > 0)": (1, 32),
    "[1].transformList(i, v, v)": (1, 32),
    "isSemver('1.0.0')": (1, 33),
    "[[1]].flatten()": (1, 34),
    "[1].sortBy(e, -e)": (1, 34),
}


def compiles(text: str, functions: Environment) -> bool:
    schema: dict[str, Any] = {"type": "object", "properties": {"namespace": {"type": "string"}}}
    types = SelfTypes(DeclaredType(Schema(schema)))
    return not isinstance(compile_text(text, functions.with_variables({"self": types.type}, types)), Refused)


@pytest.mark.parametrize(("text", "since"), SINCE.items())
def test_an_expression_compiles_from_its_version_on(text: str, since: Version) -> None:
    assert compiles(text, environment(since))
    assert not compiles(text, environment((1, since[1] - 1))) or since == (1, 23)
    assert compiles(text, new_rules())
    assert compiles(text, stored_rules())


@pytest.mark.parametrize("text", ["duration('x') == duration('1s')", "timestamp('x') == timestamp(1)", "'a'.matches('(')"])
def test_constants_are_looked_at_since_1_29(text: str) -> None:
    assert compiles(text, environment((1, 28)))
    assert not compiles(text, environment((1, 29)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{'a': 1}.?a", "1:9: unsupported syntax '.?'"),
        ("[1][?0]", "1:4: unsupported syntax '[?'"),
        ("[?1]", "1:2: unsupported syntax '?'"),
        ("{?'a': 1}", "1:2: unsupported syntax '?'"),
        ("M{?a: 1}", "1:3: unsupported syntax '?'"),
    ],
)
def test_what_older_servers_say_of_optionals(text: str, message: str) -> None:
    found = compile_text(text, environment((1, 27)))
    assert isinstance(found, Refused)
    assert found.message.splitlines()[0] == f"ERROR: <input>:{message}"


def test_no_rule_may_call_what_is_for_policies() -> None:
    assert not compiles("jsonpatch.escapeKey('a/b')", stored_rules())
    assert not compiles("authorizer.path('/').check('get').allowed()", stored_rules())
