"""A policy as ValidatingAdmissionPolicies with their bindings: one for all that refuses, one for what warns, one for what is recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from weighbridge.policies.admission_policies.acceptance import problems_of
from weighbridge.policies.admission_policies.reading import GROUP, VALIDATING_BINDING, VALIDATING_POLICY
from weighbridge.policies.apiserver.definitions import Definitions, ResourceDefinition
from weighbridge.policies.apiserver.unknown_fields import steps
from weighbridge.policies.config import Configuration
from weighbridge.policies.config.enforcement import Enforcement
from weighbridge.policies.config.policies import Policy, Validation
from weighbridge.policies.config.selection import Names
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Path, field
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.server_release import RELEASES, judging, release
from weighbridge.policies.user_policies.compiled_policy import CompiledPolicy, Expression
from weighbridge.policies.user_policies.native.areas import enforced
from weighbridge.policies.user_policies.native.asked import area_of, conditions_of, exceptions_of, not_excepted
from weighbridge.policies.user_policies.native.before import Before, holds_or_held_not
from weighbridge.policies.user_policies.native.differences import differences, is_surely_bool, names_namespace, words_of_ours
from weighbridge.policies.user_policies.native.texts import Untranslatable, enclosed, has_labels, literal, resources
from weighbridge.policies.user_policies.vocabulary import OLD

_API: Final = f"{GROUP}/v1"
_OPERATIONS: Final = ("CREATE", "UPDATE")
#: What a binding does, by the enforcement; where the whole configuration only audits, it warns of what it would refuse.
_ACTIONS: Final[Mapping[Enforcement, list[str]]] = {
    Enforcement.DENY: ["Deny"], Enforcement.WARN: ["Warn"], Enforcement.AUDIT: ["Audit"],
}  # fmt: skip
_ONLY_AUDITED: Final = ["Warn", "Audit"]
_MANAGED: Final = {"app.kubernetes.io/managed-by": "weighbridge"}
_RULE: Final = "weighbridge.dev/rule"


@dataclass(frozen=True, slots=True)
class Translated:
    """A policy in the server's words: its objects, the kinds that they are about, and the oldest release of Kubernetes that takes them.

    `ends` are the days on which exceptions end, which the server can't know.
    """

    objects: list[JSONObject]
    kinds: list[GroupVersionKind]
    needs: str
    ends: list[str]


def translated(policy: Policy, definitions: Sequence[ResourceDefinition], known: Definitions, config: Configuration) -> Translated:
    """A policy as objects, for the kinds that it is about. Raises Untranslatable."""
    if config.own_exceptions and Names(config.own_exceptions).mean(policy.id):
        raise Untranslatable("ownExceptions lets objects except themselves from it, which the API server doesn't read")
    return _Translation(policy, definitions, known, config).translated()


class _Translation:
    """One policy on its way."""

    def __init__(self, policy: Policy, definitions: Sequence[ResourceDefinition], known: Definitions, config: Configuration) -> None:
        self._policy = policy
        self._config = config
        meant = ((one, area_of(policy.match, is_namespaced=one.namespaced)) for one in definitions)
        self._areas = {one: area for one, area in meant if not isinstance(area, bool)}
        if not self._areas:
            raise Untranslatable("it is about no kind whose CRD is known")
        compiled = [(one, CompiledPolicy(policy, one.openapi_schema, known)) for one in self._areas]
        for definition, for_kind in compiled:
            _check(for_kind, is_namespaced=definition.namespaced)
        # All of them have the same expressions.
        self._compiled = compiled[0][1]
        self._before = None if self._compiled.is_about_changes else Before(self._compiled)
        self._exceptions = exceptions_of(policy.id, [one.gvk for one in self._areas], config)

    def translated(self) -> Translated:
        """Its objects. Raises Untranslatable."""
        places: dict[Enforcement, dict[str, tuple[JSONObject, list[ResourceDefinition]]]] = {}
        for definition, area in self._areas.items():
            for part, action in enforced(self._policy.id, self._policy.severity, definition.gvk, area, self._config):
                selector = part.selector if definition.namespaced else {}
                found = places.setdefault(action, {}).setdefault(repr(selector), (selector, []))
                found[1].append(definition)
        if not places:
            raise Untranslatable("the configuration switches it off")
        objects = [obj for action in Enforcement if action in places for obj in self._objects(action, list(places[action].values()))]
        for obj in objects:
            for error in problems_of(obj):
                raise Untranslatable(
                    f"Kubernetes {release().version[0]}.{release().version[1]} wouldn't store it: {error.field}: {error.body}"
                )
        kinds = [one.gvk for one in self._areas]
        return Translated(objects, kinds, _oldest(objects), [entry.expires for entry in self._exceptions if entry.expires is not None])

    def _objects(self, action: Enforcement, places: Sequence[tuple[JSONObject, list[ResourceDefinition]]]) -> Iterator[JSONObject]:
        """The policy for one enforcement, and a binding for each set of namespaces."""
        policy, name = self._policy, f"weighbridge-{self._policy.id.lower()}-{action}"
        definitions = [one for one in self._areas if any(one in own for _, own in places)]
        operations = policy.match.operations or _OPERATIONS
        metadata = {"labels": _MANAGED, "annotations": {_RULE: f"{policy.id} {policy.name}"}}
        yield {
            "apiVersion": _API,
            "kind": VALIDATING_POLICY,
            "metadata": {"name": name, **metadata},
            "spec": self._spec(definitions, operations, is_refusing=action is Enforcement.DENY),
        }
        is_audited = self._config.mode == "audit" and action is Enforcement.DENY
        for number, (selector, own) in enumerate(places, 1):
            match: JSONObject = {"namespaceSelector": selector} if selector else {}
            if len(own) < len(definitions):
                match["resourceRules"] = resources(map(_resource, own), operations)
            bound: JSONObject = {"policyName": name, "validationActions": list(_ONLY_AUDITED if is_audited else _ACTIONS[action])}
            yield {
                "apiVersion": _API,
                "kind": VALIDATING_BINDING,
                "metadata": {"name": name if number == 1 else f"{name}-{number}", **metadata},
                "spec": bound | ({"matchResources": match} if match else {}),
            }

    def _spec(self, definitions: Sequence[ResourceDefinition], operations: Sequence[str], *, is_refusing: bool) -> JSONObject:
        policy, before = self._policy, self._before if is_refusing else None
        kinds = [one.gvk for one in self._areas]
        written = zip(policy.match_conditions, self._compiled.conditions, strict=True)
        conditions = [
            *conditions_of(policy.match),
            *not_excepted(self._exceptions, kinds),
            *({"name": entry.name, "expression": _surely_bool(entry.expression, own)} for entry, (_, own) in written),
        ]
        spec: JSONObject = {
            "failurePolicy": policy.failure_policy,
            "matchConstraints": {"resourceRules": resources(map(_resource, definitions), operations)},
        }
        spec |= {"matchConditions": conditions} if conditions else {}
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
                expression = _surely_bool(entry.expression, own.expression)
            found: JSONObject = {"expression": expression, "message": f"{start}{text}{end}"}
            if entry.message_expression:
                parts = [literal(start)] if start else []
                found["messageExpression"] = " + ".join([*parts, enclosed(entry.message_expression), literal(end)])
            yield found | {"reason": "Forbidden"}

    def _ratcheted(self, entry: Validation, own: Expression, message: Expression | None, before: Before) -> str:
        """The expression of a validation that lets an update pass which leaves what was wrong before."""
        policy = self._policy
        asked = [
            *has_labels(policy.match.label_selector, OLD),
            *(
                enclosed(before.of(known, one.expression))
                for one, (_, known) in zip(policy.match_conditions, self._compiled.conditions, strict=True)
            ),
        ]
        same = ""
        if message is not None:
            said, was = enclosed(entry.message_expression), enclosed(before.of(message, entry.message_expression))
            same = f"{said} == {was}" if said != was else ""
        return holds_or_held_not(entry.expression, before.of(own, entry.expression), asked, same)


def _joined(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _resource(definition: ResourceDefinition) -> tuple[str, str, str]:
    return definition.gvk.group, definition.gvk.version, definition.plural


def _surely_bool(text: str, own: Expression) -> str:
    return text.strip() if is_surely_bool(own.compiled.checked.root) else f"{enclosed(text)} == true"


def _check(compiled: CompiledPolicy, *, is_namespaced: bool) -> None:
    """Raises Untranslatable where the server would judge otherwise."""
    if compiled.faults:
        path, fault = compiled.faults[0]
        raise Untranslatable(f"{field(path)}: {fault.message}")
    words = list(dict.fromkeys(word for expression in compiled.expressions() for word in words_of_ours(expression)))
    if words:
        raise Untranslatable(f"it uses {_joined(words)}, which the API server doesn't have")
    for path, expression in _placed(compiled):
        for why in differences(expression, compiled.types, is_namespaced=is_namespaced):
            raise Untranslatable(f"{field(path)} {why}")
    for index, (_, condition) in enumerate(compiled.conditions):
        if names_namespace(condition):
            raise Untranslatable(f"matchConditions[{index}] reads namespaceObject, which is null there to the API server; use a validation")


def _placed(compiled: CompiledPolicy) -> Iterator[tuple[Path, Expression]]:
    yield from ((("matchConditions", index), condition) for index, (_, condition) in enumerate(compiled.conditions))
    yield from (((name,), variable) for name, variable in compiled.variables.items())
    for entry in compiled.validations:
        yield ("validations", entry.index, "expression"), entry.expression
        if entry.message is not None:
            yield ("validations", entry.index, "messageExpression"), entry.message


def _oldest(objects: Sequence[JSONObject]) -> str:
    """The oldest release that would store the objects."""
    for known in RELEASES:
        with judging(known):
            if not any(map(problems_of, objects)):
                return known.name
    return release().name
