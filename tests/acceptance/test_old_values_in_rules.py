"""It is known whether a rule refers to an old value, even if its constants can't be computed."""

from __future__ import annotations

import pytest

from weighbridge.policies.apiserver.acceptance.rule_types import ITEMS, VALUES, RuleTypes, StoredExpressions, judge
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.node import Schema

TEXT: JSONObject = {"type": "string"}


def declared(schema: JSONObject) -> DeclaredType:
    return DeclaredType(Schema(schema))


@pytest.mark.parametrize(
    ("rule", "error", "uses_old_self"),
    [
        ({"rule": "self == 'a'"}, "", False),
        ({"rule": "self == oldSelf"}, "", True),
        ({"rule": "oldSelf.hasValue()", "optionalOldSelf": True}, "", True),
        ({"rule": "int('x') == self.size()"}, "program instantiation failed: ", False),
        ({"rule": "int('x') == oldSelf.size()"}, "program instantiation failed: ", True),
        ({"rule": "int('x') == 1 && oldSelf.hasValue()", "optionalOldSelf": True}, "program instantiation failed: ", True),
        ({"rule": "int('x') == 1", "optionalOldSelf": True}, "program instantiation failed: ", False),
        ({"rule": "self +"}, "compilation failed: ", False),
        ({"rule": "oldSelf +"}, "compilation failed: ", False),
    ],
)
def test_a_rule_speaks_of_an_old_value_or_does_not(rule: JSONObject, error: str, uses_old_self: bool) -> None:
    verdict = judge(rule, declared(TEXT), StoredExpressions())
    assert verdict.error.startswith(error)
    assert bool(verdict.error) is bool(error)
    assert verdict.uses_old_self is uses_old_self


def test_what_is_below_a_node_is_seen_by_way_of_it_or_not_at_all() -> None:
    fields = RuleTypes.of(declared({"type": "object", "properties": {"a": TEXT, "b-c": TEXT}}))
    listed, mapped = (
        RuleTypes.of(declared({"type": "array", "items": TEXT})),
        RuleTypes.of(declared({"type": "object", "additionalProperties": TEXT})),
    )
    for below in (fields.child("a"), fields.child("b-c"), listed.child(ITEMS), mapped.child(VALUES)):
        assert below is not None
        assert (below.declared is not None, below.why) == (True, "")
    for below in (fields.child(ITEMS), fields.child(VALUES), listed.child(VALUES), mapped.child(ITEMS)):
        assert below is not None
        assert (below.declared, below.why) == (None, "failed to convert to declType for CEL validation rules")
    assert fields.child("d") is None


def test_below_what_is_not_seen_nothing_is() -> None:
    unseen = RuleTypes(None, "why")
    assert unseen.child("a") is unseen.child(ITEMS) is unseen
