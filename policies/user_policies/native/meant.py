"""The match of an exported policy: its kinds with their namespaces and its exceptions, as parts of policies and bindings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from weighbridge.policies.admission_policies.acceptance import problems_of
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.config import Configuration
from weighbridge.policies.config.enforcement import Enforcement
from weighbridge.policies.config.policies import Policy
from weighbridge.policies.config.selection import Names
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.records import field as record_field
from weighbridge.policies.ground.server_release import RELEASES, judging, release
from weighbridge.policies.user_policies.compiled_policy import CompiledPolicy, Expression
from weighbridge.policies.user_policies.native.areas import Area, enforced
from weighbridge.policies.user_policies.native.asked import area_of, conditions_of, exceptions_of, not_excepted
from weighbridge.policies.user_policies.native.differences import is_surely_bool
from weighbridge.policies.user_policies.native.texts import Untranslatable, enclosed, resources

#: A selector of namespaces, and the kinds that are bound there.
Place = tuple[JSONObject, list[ResourceDefinition]]
_OPERATIONS: Final = ("CREATE", "UPDATE")
_MANAGED: Final = {"app.kubernetes.io/managed-by": "weighbridge"}
_RULE: Final = "weighbridge.dev/rule"


@dataclass(frozen=True, slots=True)
class Translated:
    """A translated policy: its objects, the kinds that they match, and the oldest release of Kubernetes that accepts them.

    `ends` are the days on which exceptions end, which the server can't know; `left` says which parts of it aren't in the objects.
    """

    objects: list[JSONObject]
    kinds: list[GroupVersionKind]
    needs: str
    ends: list[str]
    left: list[str] = record_field(default_factory=list)


class Meant:
    """The kinds that a policy matches, each with its namespaces, and the exceptions from it. Raises Untranslatable."""

    def __init__(self, policy: Policy, definitions: Sequence[ResourceDefinition], config: Configuration) -> None:
        if config.own_exceptions and Names(config.own_exceptions).mean(policy.id):
            raise Untranslatable("ownExceptions lets objects except themselves from it, which the API server doesn't read")
        self.policy, self._config = policy, config
        found = ((one, area_of(policy.match, is_namespaced=one.namespaced)) for one in definitions)
        self._areas = {one: area for one, area in found if not isinstance(area, bool)}
        if not self._areas:
            raise Untranslatable("it is about no kind whose CRD is known")
        self.exceptions = exceptions_of(policy.id, self.kinds, config)
        self.operations = policy.match.operations or _OPERATIONS

    @property
    def definitions(self) -> list[ResourceDefinition]:
        """The kinds by their definitions."""
        return list(self._areas)

    @property
    def kinds(self) -> list[GroupVersionKind]:
        """The kinds."""
        return [one.gvk for one in self._areas]

    def places(self, severity: Severity, group: Callable[[Enforcement], str]) -> Mapping[str, list[Place]]:
        """The places where it is bound, by their enforcement; places with the same `group` are one list."""
        found: dict[str, dict[str, Place]] = {}
        for definition, area in self._areas.items():
            for part, action in self._enforced(definition, severity, area):
                selector = part.selector if definition.namespaced else {}
                found.setdefault(group(action), {}).setdefault(repr(selector), (selector, []))[1].append(definition)
        return {key: list(places.values()) for key, places in found.items()}

    def _enforced(self, definition: ResourceDefinition, severity: Severity, area: Area | None) -> list[tuple[Area, Enforcement]]:
        return enforced(self.policy.id, severity, definition.gvk, area, self._config)

    def metadata(self, name: str) -> JSONObject:
        """The metadata of an object."""
        return {"name": name, "labels": dict(_MANAGED), "annotations": {_RULE: f"{self.policy.id} {self.policy.name}"}}

    def bindings(self, kind: tuple[str, str], name: str, places: Sequence[Place], more: JSONObject) -> Iterator[JSONObject]:
        """A binding for each place, of a kind given by version and kind; `more` is added to its spec."""
        definitions = bound(places)
        for number, (selector, own) in enumerate(places, 1):
            match: JSONObject = {"namespaceSelector": selector} if selector else {}
            if len(own) < len(definitions):
                match["resourceRules"] = resources(map(resource, own), self.operations)
            yield {
                "apiVersion": kind[0],
                "kind": kind[1],
                "metadata": self.metadata(name if number == 1 else f"{name}-{number}"),
                "spec": {"policyName": name, **more} | ({"matchResources": match} if match else {}),
            }

    def head(self, compiled: CompiledPolicy, places: Sequence[Place], conditions: Sequence[JSONObject] = ()) -> JSONObject:
        """The common part of validating and mutating policies' specs; `conditions` come before the policy's own."""
        policy = self.policy
        written = zip(policy.match_conditions, compiled.conditions, strict=True)
        found = [
            *conditions_of(policy.match),
            *not_excepted(self.exceptions, self.kinds),
            *conditions,
            *({"name": entry.name, "expression": surely_bool(entry.expression, own)} for entry, (_, own) in written),
        ]
        rules = resources(map(resource, [one for one in self._areas if one in bound(places)]), self.operations)
        spec: JSONObject = {"failurePolicy": policy.failure_policy, "matchConstraints": {"resourceRules": rules}}
        return spec | ({"matchConditions": found} if found else {})

    def translated(self, objects: list[JSONObject], needs: str = RELEASES[0].name) -> Translated:
        """The result, if the server would store the objects; at least one release must. Raises Untranslatable."""
        for obj in objects:
            for error in problems_of(obj):
                raise Untranslatable(f"Kubernetes {release().name} wouldn't store it: {error.field}: {error.body}")
        ends = [entry.expires for entry in self.exceptions if entry.expires is not None]
        return Translated(objects, self.kinds, _oldest(objects, needs), ends)


def bound(places: Sequence[Place]) -> list[ResourceDefinition]:
    """The kinds that are bound in any of these places."""
    return list(dict.fromkeys(one for _, own in places for one in own))


def resource(definition: ResourceDefinition) -> tuple[str, str, str]:
    """A kind by group, version and plural."""
    return definition.gvk.group, definition.gvk.version, definition.plural


def surely_bool(text: str, own: Expression) -> str:
    """The text of an expression that gives a bool for the server, too."""
    return text.strip() if is_surely_bool(own.compiled.checked.root) else f"{enclosed(text)} == true"


def _oldest(objects: Sequence[JSONObject], needs: str) -> str:
    """The oldest release that would store the objects, not older than the one that is needed."""
    names = [known.name for known in RELEASES]
    for known in RELEASES[names.index(needs) :]:
        with judging(known):
            if not any(map(problems_of, objects)):
                return known.name
    return release().name
