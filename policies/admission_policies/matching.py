"""Finds whether a policy or a binding matches a request.

Source: k8s.io/apiserver pkg/admission/plugin/policy/matching/matching.go and pkg/admission/plugin/webhook/predicates, 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from weighbridge.policies.admission_policies import wordings
from weighbridge.policies.admission_policies.attributes import Attributes
from weighbridge.policies.admission_policies.declarations import (
    ALL,
    GROUP,
    MUTATING_BINDING,
    MUTATING_POLICY,
    VALIDATING_BINDING,
    VALIDATING_POLICY,
    MatchResources,
    MatchRule,
)
from weighbridge.policies.apiserver.built_in import equivalent_kinds, plural_of
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.cel.values.values import NotKnownError
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.namespaces import namespace_labels
from weighbridge.policies.facts.selectors import selects
from weighbridge.policies.ground.fields import part, text_map
from weighbridge.policies.ground.objects import GroupVersionKind, GroupVersionResource, JSONObject, JSONValue, Operation
from weighbridge.policies.ground.records import dataclass

#: The resources that no policy ever checks.
_EXEMPT: Final = frozenset(
    {
        *((GROUP, kind) for kind in (VALIDATING_POLICY, VALIDATING_BINDING, MUTATING_POLICY, MUTATING_BINDING)),
        ("authentication.k8s.io", "TokenReview"),
        ("authorization.k8s.io", "SelfSubjectAccessReview"),
    }
)
_NAMESPACES: Final = GroupVersionResource("", "v1", "namespaces")


@dataclass(frozen=True, slots=True)
class Matched:
    """The resource and the kind as which a request matches: the requested ones, or equivalent ones of another version."""

    resource: GroupVersionResource
    kind: GroupVersionKind


def is_exempt(attributes: Attributes) -> bool:
    """Whether no policy checks the request, whatever its rules say."""
    return (attributes.kind.group, attributes.kind.kind) in _EXEMPT


def matched(match: MatchResources, attributes: Attributes, facts: Facts) -> Matched | None:
    """The resource and kind as which a request matches; `None` if it doesn't. Raises NotKnownError if that depends on unknown facts."""
    unknown: list[str] = []
    try:
        if not _namespace_matches(match.namespaces, attributes, facts):
            return None
    except NotKnownError as error:
        # The unknown labels matter only if everything else matches.
        unknown.append(str(error))
    if not _object_matches(match.objects, attributes):
        return None
    if _by_rules(match.excluded, match, attributes, facts) is not None:
        return None
    found = _by_rules(match.rules, match, attributes, facts) if match.rules else Matched(attributes.resource, attributes.kind)
    if found is not None and unknown:
        raise NotKnownError(unknown[0])
    return found


def may_match(match: MatchResources, attributes: Attributes, facts: Facts) -> bool:
    """Whether the rules match a request, without regard to selectors."""
    try:
        return not match.rules or _by_rules(match.rules, match, attributes, facts) is not None
    except NotKnownError:
        return True


def _is_empty(selector: JSONValue) -> bool:
    return not (selector.get("matchLabels") or selector.get("matchExpressions"))


def _namespace_matches(selector: JSONValue, attributes: Attributes, facts: Facts) -> bool:
    if (not attributes.namespace and attributes.resource.resource != "namespaces") or _is_empty(selector):
        return True
    is_written = attributes.operation in {Operation.CREATE, Operation.UPDATE}
    if attributes.resource.resource == "namespaces" and not attributes.subresource and is_written:
        return selects(selector, text_map(attributes.object, "metadata", "labels"))
    labels = namespace_labels(attributes.namespace, facts.objects)
    if labels is None:
        raise NotKnownError(wordings.labels_of_namespace(attributes.namespace))
    return selects(selector, labels)


def _object_matches(selector: JSONValue, attributes: Attributes) -> bool:
    if _is_empty(selector):
        return True
    objects = (attributes.object, attributes.old_object)
    return any(isinstance(obj, dict) and selects(selector, _labels(obj)) for obj in objects)


def _labels(obj: JSONObject) -> Mapping[str, str]:
    """The labels of an object; none if one of them isn't a text, which a policy may have caused."""
    found = part(obj, "metadata", "labels")
    return text_map(obj, "metadata", "labels") if all(isinstance(value, str) for value in found.values()) else {}


def _by_rules(rules: Sequence[MatchRule], match: MatchResources, attributes: Attributes, facts: Facts) -> Matched | None:
    if any(_rule_matches(rule, attributes.resource, attributes) for rule in rules):
        return Matched(attributes.resource, attributes.kind)
    if match.is_exact or not rules:
        return None
    others = list(_equivalents(attributes, facts))
    for rule in rules:
        for other in others:
            if _rule_matches(rule, other.resource, attributes):
                return other
    return None


def _equivalents(attributes: Attributes, facts: Facts) -> Iterator[Matched]:
    """The other versions under which the resource is served."""
    resource = attributes.resource
    definition = facts.definitions.by_resource(resource.group, resource.version, resource.resource)
    if definition is not None:
        for sibling in definition.siblings.values():
            if sibling is not definition and sibling.served and _has_subresource(sibling, attributes.subresource):
                kind = attributes.kind if attributes.subresource == "scale" else sibling.gvk
                yield Matched(GroupVersionResource(resource.group, sibling.gvk.version, resource.resource), kind)
        return
    if not attributes.subresource:
        for gvk in equivalent_kinds(attributes.kind):
            yield Matched(GroupVersionResource(gvk.group, gvk.version, plural_of(gvk.kind)), gvk)


def _has_subresource(definition: ResourceDefinition, subresource: str) -> bool:
    if subresource == "scale":
        return definition.scale is not None
    return definition.status_subresource if subresource == "status" else True


def _rule_matches(rule: MatchRule, resource: GroupVersionResource, attributes: Attributes) -> bool:
    if not (
        _is_in_scope(rule.scope, resource, attributes.namespace)
        and _has(rule.operations, attributes.operation)
        and _has(rule.groups, resource.group)
        and _has(rule.versions, resource.version)
        and any(_is_resource(name, resource.resource, attributes.subresource) for name in rule.resources)
    ):
        return False
    if not rule.names:
        return True
    if not attributes.is_named:
        raise NotKnownError(wordings.GENERATED_NAME)
    return attributes.name in rule.names


def _has(words: Sequence[str], wanted: str) -> bool:
    return ALL in words or wanted in words


def _is_in_scope(scope: str, resource: GroupVersionResource, namespace: str) -> bool:
    if scope == ALL:
        return True
    is_cluster_scoped = resource == _NAMESPACES or not namespace
    return is_cluster_scoped if scope == "Cluster" else scope == "Namespaced" and not is_cluster_scoped


def _is_resource(name: str, resource: str, subresource: str) -> bool:
    wanted, _, below = name.partition("/")
    return wanted in {ALL, resource} and below in {ALL, subresource}
