"""Policies and bindings as they are read, with the server's defaults.

The objects have passed `acceptance`; a part of another type counts as missing. Source: k8s.io/api/admissionregistration/v1/types.go and
kubernetes pkg/apis/admissionregistration/v1/defaults.go, 1.37.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.fields import items, part, text, texts
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, name_of
from weighbridge.policies.ground.records import dataclass

GROUP: Final = "admissionregistration.k8s.io"
VALIDATING_POLICY: Final = "ValidatingAdmissionPolicy"
VALIDATING_BINDING: Final = "ValidatingAdmissionPolicyBinding"
MUTATING_POLICY: Final = "MutatingAdmissionPolicy"
MUTATING_BINDING: Final = "MutatingAdmissionPolicyBinding"
ALL: Final = "*"


@dataclass(frozen=True, slots=True)
class MatchRule:
    """A rule that matches requests by operation, resource (``pods/status``), scope and the names of objects."""

    operations: tuple[str, ...]
    groups: tuple[str, ...]
    versions: tuple[str, ...]
    resources: tuple[str, ...]
    scope: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchResources:
    """The requests that a policy or a binding matches."""

    rules: tuple[MatchRule, ...]
    excluded: tuple[MatchRule, ...]
    is_exact: bool
    namespaces: JSONObject
    objects: JSONObject


@dataclass(frozen=True, slots=True)
class ParamRef:
    """A binding's parameters: one by name, or all that a selector chooses. `denies` says that the request is refused if there are none."""

    name: str
    namespace: str
    selector: JSONObject | None
    denies: bool


@dataclass(frozen=True, slots=True)
class Named:
    """An expression with a name: a variable, a condition, an audit annotation."""

    name: str
    expression: str


@dataclass(frozen=True, slots=True)
class PolicyHead:
    """The common part of validating and mutating policies. `fails` says that the failurePolicy is Fail."""

    name: str
    fails: bool
    param_kind: GroupVersionKind | None
    match: MatchResources
    conditions: tuple[Named, ...]
    variables: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class BindingHead:
    """The common part of both kinds of bindings."""

    name: str
    policy: str
    param_ref: ParamRef | None
    match: MatchResources | None


@dataclass(frozen=True, slots=True)
class PolicyValidation:
    """One validation; `reason` is empty if none is written."""

    expression: str
    message: str
    message_expression: str
    reason: str


@dataclass(frozen=True, slots=True)
class ValidatingPolicy:
    """A ValidatingAdmissionPolicy."""

    head: PolicyHead
    validations: tuple[PolicyValidation, ...]
    annotations: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class ValidatingBinding:
    """A ValidatingAdmissionPolicyBinding."""

    head: BindingHead
    actions: tuple[str, ...]


def read_policy(obj: JSONObject) -> ValidatingPolicy:
    """Read a ValidatingAdmissionPolicy."""
    spec = part(obj, "spec")
    validations = (
        PolicyValidation(text(one, "expression"), text(one, "message"), text(one, "messageExpression"), text(one, "reason"))
        for one in items(spec, "validations")
    )
    return ValidatingPolicy(read_policy_head(obj), tuple(validations), _named(spec, "auditAnnotations", "key", "valueExpression"))


def read_binding(obj: JSONObject) -> ValidatingBinding:
    """Read a ValidatingAdmissionPolicyBinding."""
    return ValidatingBinding(read_binding_head(obj), texts(part(obj, "spec"), "validationActions"))


def read_policy_head(obj: JSONObject) -> PolicyHead:
    """Read the common part of both kinds of policies."""
    spec = part(obj, "spec")
    return PolicyHead(
        name=name_of(obj),
        fails=text(spec, "failurePolicy", "Fail") != "Ignore",
        param_kind=_kind(part(spec, "paramKind")) if isinstance(spec.get("paramKind"), dict) else None,
        match=_match(part(spec, "matchConstraints")),
        conditions=_named(spec, "matchConditions", "name", "expression"),
        variables=_named(spec, "variables", "name", "expression"),
    )


def read_binding_head(obj: JSONObject) -> BindingHead:
    """Read the common part of both kinds of bindings."""
    spec = part(obj, "spec")
    match = spec.get("matchResources")
    return BindingHead(
        name=name_of(obj),
        policy=text(spec, "policyName"),
        param_ref=_param_ref(spec.get("paramRef")),
        match=_match(match) if isinstance(match, dict) else None,
    )


def _named(spec: JSONObject, key: str, name: str, expression: str) -> tuple[Named, ...]:
    return tuple(Named(text(one, name), text(one, expression)) for one in items(spec, key))


def _kind(found: JSONObject) -> GroupVersionKind:
    group, _, version = text(found, "apiVersion").rpartition("/")
    return GroupVersionKind(group, version, text(found, "kind"))


def _match(found: JSONObject) -> MatchResources:
    return MatchResources(
        rules=tuple(map(_rule, items(found, "resourceRules"))),
        excluded=tuple(map(_rule, items(found, "excludeResourceRules"))),
        is_exact=text(found, "matchPolicy", "Equivalent") == "Exact",
        namespaces=part(found, "namespaceSelector"),
        objects=part(found, "objectSelector"),
    )


def _rule(found: JSONObject) -> MatchRule:
    return MatchRule(
        operations=texts(found, "operations"),
        groups=texts(found, "apiGroups"),
        versions=texts(found, "apiVersions"),
        resources=texts(found, "resources"),
        scope=text(found, "scope", ALL),
        names=texts(found, "resourceNames"),
    )


def _param_ref(found: JSONValue) -> ParamRef | None:
    if not isinstance(found, dict):
        return None
    selector = found.get("selector")
    return ParamRef(
        name=text(found, "name"),
        namespace=text(found, "namespace"),
        selector=selector if isinstance(selector, dict) else None,
        denies=text(found, "parameterNotFoundAction") == "Deny",
    )
