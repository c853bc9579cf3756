"""The CEL type of a schema node while rules are checked, and the verdict on one rule there.

Source: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/cel_validation.go, pkg/apiserver/schema/cel/compilation.go, 1.36.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.apiserver.acceptance.schema_wordings import NO_DECLARATIONS
from weighbridge.policies.cel.check.checked import Checked, compile_text
from weighbridge.policies.cel.rules.errors import NOT_INSTANTIATED, UNDECLARED
from weighbridge.policies.cel.rules.rule_verdict import RuleVerdict, judge_rule, new_rules, stored_rules
from weighbridge.policies.cel.values.declared import DeclaredType, SelfTypes, Shape
from weighbridge.policies.cel.values.escapes import escape
from weighbridge.policies.cel.values.types import optional_of
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.schema.node import ValidationRule

#: The steps to nodes that aren't properties.
ITEMS: Final = "/items"
VALUES: Final = "/additionalProperties"


@dataclass(frozen=True, slots=True)
class RuleTypes:
    """The CEL type of a node; `None` if it has none, and then `why` is the reason."""

    declared: DeclaredType | None
    why: str = ""

    @classmethod
    def of(cls, declared: DeclaredType) -> RuleTypes:
        """The type of a node by itself."""
        return cls(declared) if declared.exposed else cls(None, NO_DECLARATIONS)

    def child(self, name: str) -> RuleTypes | None:
        """The type of a child as a part of this node; `None` if it must be found from the child itself."""
        if self.declared is None:
            return self
        if name in (ITEMS, VALUES):
            # On a node of another type `items` and `additionalProperties` have no effect, so they have no type.
            wanted = Shape.LIST if name == ITEMS else Shape.MAP
            found = self.declared.element if self.declared.shape is wanted else None
            return RuleTypes(found, "" if found is not None else UNDECLARED)
        identifier = escape(name)
        if identifier is None or identifier not in self.declared.fields:
            return None
        return RuleTypes(self.declared.properties[name])


@dataclass(frozen=True, slots=True)
class StoredExpressions:
    """The expressions that the stored definition has already: they may use functions that new ones can't use yet."""

    rules: frozenset[str] = frozenset()
    messages: frozenset[str] = frozenset()


def judge(raw: JSONObject, declared: DeclaredType, stored: StoredExpressions) -> RuleVerdict:
    """Compile a rule and its message expression on the node whose type is `declared`."""
    rule = ValidationRule.from_json(raw)
    for_rule = stored_rules() if rule.rule in stored.rules else new_rules()
    for_message = stored_rules() if rule.message_expression in stored.messages else new_rules()
    verdict = judge_rule(rule, declared, rule_environment=for_rule, message_environment=for_message)
    if not verdict.error.startswith(NOT_INSTANTIATED):
        return verdict
    # The server checks whether the rule uses an old value before it computes the rule's constants.
    types = SelfTypes(declared)
    old = optional_of(types.type) if rule.optional_old_self else types.type
    checked = compile_text(rule.rule, for_rule.with_variables({"self": types.type, "oldSelf": old}, types))
    return replace(verdict, uses_old_self=isinstance(checked, Checked) and checked.refers_to("oldSelf"))
