"""A policy as ValidatingAdmissionPolicies with their bindings: one that refuses, one that warns, and one that only records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from weighbridge.policies.admission_policies.declarations import GROUP, VALIDATING_BINDING, VALIDATING_POLICY
from weighbridge.policies.apiserver.definitions import Definitions, ResourceDefinition
from weighbridge.policies.apiserver.unknown_fields import steps
from weighbridge.policies.config import Configuration
from weighbridge.policies.config.enforcement import Enforcement
from weighbridge.policies.config.policies import Policy, Validation
from weighbridge.policies.ground.objects import JSONObject, field
from weighbridge.policies.user_policies.compiled_policy import CompiledPolicy, Expression
from weighbridge.policies.user_policies.native.before import Before, holds_or_held_not
from weighbridge.policies.user_policies.native.checks import check, of_validations
from weighbridge.policies.user_policies.native.meant import Meant, Place, Translated, surely_bool
from weighbridge.policies.user_policies.native.texts import Untranslatable, discreet, enclosed, has_labels, literal
from weighbridge.policies.user_policies.vocabulary import OLD

_API: Final = f"{GROUP}/v1"
#: The actions of a binding, by the enforcement; if the whole configuration only audits, it warns of what it would refuse.
_ACTIONS: Final[Mapping[Enforcement, list[str]]] = {
    Enforcement.DENY: ["Deny"], Enforcement.WARN: ["Warn"], Enforcement.AUDIT: ["Audit"],
}  # fmt: skip
_ONLY_AUDITED: Final = ["Warn", "Audit"]


def translated(policy: Policy, definitions: Sequence[ResourceDefinition], known: Definitions, config: Configuration) -> Translated:
    """The validations of a policy as objects, for the kinds that it matches. Raises Untranslatable."""
    return _Translation(Meant(policy, definitions, config), known, config).translated()


class _Translation:
    """The translation of one policy."""

    def __init__(self, meant: Meant, known: Definitions, config: Configuration) -> None:
        self._policy, self._meant = meant.policy, meant
        self._is_audited = config.mode == "audit"
        compiled = [(one, CompiledPolicy(meant.policy, one.openapi_schema, known)) for one in meant.definitions]
        for definition, for_kind in compiled:
            check(for_kind, list(of_validations(for_kind)), is_namespaced=definition.namespaced)
        # All of them have the same expressions.
        self._compiled = compiled[0][1]
        self._before = None if self._compiled.is_about_changes else Before(self._compiled)

    def translated(self) -> Translated:
        """Its objects. Raises Untranslatable."""
        places = self._meant.places(self._policy.severity, str)
        if not places:
            raise Untranslatable("the configuration switches it off")
        objects = [obj for action in Enforcement if str(action) in places for obj in self._objects(action, places[str(action)])]
        return self._meant.translated(objects)

    def _objects(self, action: Enforcement, places: Sequence[Place]) -> Iterator[JSONObject]:
        """The policy for one enforcement, and a binding for each set of namespaces."""
        name = f"weighbridge-{self._policy.id.lower()}-{action}"
        yield {
            "apiVersion": _API,
            "kind": VALIDATING_POLICY,
            "metadata": self._meant.metadata(name),
            "spec": self._spec(places, is_refusing=action is Enforcement.DENY),
        }
        actions = _ONLY_AUDITED if self._is_audited and action is Enforcement.DENY else _ACTIONS[action]
        yield from self._meant.bindings((_API, VALIDATING_BINDING), name, places, {"validationActions": list(actions)})

    def _spec(self, places: Sequence[Place], *, is_refusing: bool) -> JSONObject:
        before = self._before if is_refusing else None
        spec = self._meant.head(self._compiled, places)
        variables = list(self._variables(before))
        spec |= {"variables": variables} if variables else {}
        return spec | {"validations": list(self._validations(before))}

    def _variables(self, before: Before | None) -> Iterator[JSONObject]:
        for entry in self._policy.variables:
            yield {"name": entry.name, "expression": entry.expression.strip()}
            if before is not None and entry.name in before.variables:
                name, text = before.variables[entry.name]
                yield {"name": name, "expression": text.strip()}

    def _validations(self, before: Before | None) -> Iterator[JSONObject]:
        for entry, own in zip(self._policy.validations, self._compiled.validations, strict=True):
            place = field(steps(own.path)) if own.path else ""
            start, end = f"{place}: " if place else "", f" ({self._policy.id})"
            text = entry.message.strip() or f"failed expression: {' '.join(entry.expression.split())}"
            if before is not None:
                expression = self._ratcheted(entry, own.expression, own.message, before)
            else:
                expression = surely_bool(entry.expression, own.expression)
            found: JSONObject = {"expression": expression, "message": f"{start}{text}{end}"}
            if entry.message_expression:
                said = self._first_new(entry, before) or enclosed(entry.message_expression)
                parts = [literal(start)] if start else []
                found["messageExpression"] = discreet(" + ".join([*parts, said, literal(end)]))
            yield found | {"reason": "Forbidden"}

    def _ratcheted(self, entry: Validation, own: Expression, message: Expression | None, before: Before) -> str:
        """The expression of a validation that also accepts an update that keeps what was wrong before."""
        policy = self._policy
        asked = [
            *has_labels(policy.match.label_selector, OLD),
            *(
                enclosed(before.of(known, one.expression))
                for one, (_, known) in zip(policy.match_conditions, self._compiled.conditions, strict=True)
            ),
        ]
        same = ""
        if found := before.findings(entry):
            same = f"{found[0]}.all(one, one in {found[1]})"
        elif message is not None:
            said, was = enclosed(entry.message_expression), enclosed(before.of(message, entry.message_expression))
            same = f"{said} == {was}" if said != was else ""
        return holds_or_held_not(entry.expression, before.of(own, entry.expression), asked, same)

    def _first_new(self, entry: Validation, before: Before | None) -> str:
        """The first of a rule's findings that the stored object doesn't have; empty if the validation has no list of them."""
        found = before.findings(entry) if before is not None else None
        return f"({OLD} == null ? {found[0]} : {found[0]}.filter(one, !(one in {found[1]})))[0]" if found is not None else ""
