"""Settings of the right form that can't be meant: unknown rules and kinds, exceptions for everything, sections that widen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from weighbridge.policies.config import Configuration, Enforcement, NamespaceSection, PlacedSection, RuleException, crd_rules
from weighbridge.policies.config.enforcement import EnforcementEntry, NamespaceEnforcement
from weighbridge.policies.config.exceptions import read_end
from weighbridge.policies.config.namespaces import widenings
from weighbridge.policies.config.sections import key_of
from weighbridge.policies.config.values import is_amount, is_resource_name
from weighbridge.policies.families import family_groups
from weighbridge.policies.families.configuration import sections
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.objects import Path
from weighbridge.policies.schema.object_meta import MAX_ANNOTATION_BYTES
from weighbridge.webhook.configuration.catalogue import rules_by_kind, trouble_with_kind, trouble_with_rule

_NAMESPACE: Final = expression(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
_NAMESPACE_PATTERN: Final = expression(r"[-a-z0-9*]{1,63}")


class MistakenKey(str):
    """The last step of a path whose key is wrong, rather than its value."""

    __slots__ = ()


#: A mistake's path and text.
Trouble = tuple[Path, str]


def contradictions(config: Configuration) -> Iterator[Trouble]:
    """The contradictions in the cluster-wide document."""
    yield from _rules(config.rules, config.enforcement, (), config)
    for index, exception in enumerate(config.exceptions):
        yield from _exception(exception, ("exceptions", index), config)
    for index, rule in enumerate(config.own_exceptions or ()):
        if trouble := trouble_with_rule(rule, config):
            yield ("ownExceptions", index), trouble
    yield from crd_rules.mistakes(config.crd_rules, tuple(family_groups()), ("crdRules",))
    yield from config.images.mistakes(("images",))
    yield from _hardware(config)
    yield from config.pod_security.mistakes(("podSecurity",))
    for name, own in sections().items():
        if hasattr(own, "mistakes"):
            yield from config.settings_of(own).mistakes((key_of(name),))
    most = config.annotations.max_bytes
    if not 1 <= most <= MAX_ANNOTATION_BYTES:
        yield ("annotations", "maxBytes"), f"{most} is out of range; all annotations of an object may have {MAX_ANNOTATION_BYTES} bytes"
    for namespace, section in config.namespaces.items():
        if not _NAMESPACE.fullmatch(namespace):
            yield ("namespaces", namespace), "no namespace can have this name; a section is for one namespace"
        yield from section_contradictions(config, PlacedSection(namespace, section))


def section_contradictions(config: Configuration, placed: PlacedSection) -> Iterator[Trouble]:
    """The contradictions in a section, and settings that would widen what the cluster-wide document allows."""
    section: NamespaceSection = placed.section
    yield from _rules(section.rules, section.enforcement, placed.prefix, config)
    yield from section.images.mistakes((*placed.prefix, "images"))
    yield from widenings(config, placed, rules_by_kind(config))


def _rules(
    rules: Mapping[str, Enforcement], entries: Iterable[NamespaceEnforcement], prefix: Path, config: Configuration
) -> Iterator[Trouble]:
    for rule in rules:
        trouble = trouble_with_rule(rule, config)
        if trouble:
            yield (*prefix, "rules", MistakenKey(rule)), trouble
    for index, entry in enumerate(entries):
        where = (*prefix, "enforcement", index)
        yield from _rule_list(entry.rules, (*where, "rules"), config)
        yield from _kinds(entry.kinds, (*where, "kinds"), config)
        if isinstance(entry, EnforcementEntry):
            yield from _namespaces(entry.namespaces, (*where, "namespaces"))
            if entry.namespace_selector is not None:
                yield from entry.namespace_selector.mistakes((*where, "namespaceSelector"))


def _rule_list(rules: list[str], path: Path, config: Configuration) -> Iterator[Trouble]:
    if not rules:
        yield path, "name one rule at least; * is all of them"
    for index, rule in enumerate(rules):
        trouble = trouble_with_rule(rule, config)
        if trouble:
            yield (*path, index), trouble


def _kinds(kinds: list[str], path: Path, config: Configuration) -> Iterator[Trouble]:
    for index, kind in enumerate(kinds):
        trouble = trouble_with_kind(kind, config)
        if trouble:
            yield (*path, index), trouble


def _namespaces(namespaces: list[str], path: Path) -> Iterator[Trouble]:
    for index, namespace in enumerate(namespaces):
        if not _NAMESPACE_PATTERN.fullmatch(namespace):
            yield (*path, index), "no namespace can have this name"


def _exception(exception: RuleException, path: Path, config: Configuration) -> Iterator[Trouble]:
    yield from _rule_list(exception.rules, (*path, "rules"), config)
    match = exception.match
    if match.is_empty:
        yield (*path, "match"), "means every object; to switch a rule off for all use rules or enforcement"
    yield from _kinds(match.kinds, (*path, "match", "kinds"), config)
    yield from _namespaces(match.namespaces, (*path, "match", "namespaces"))
    yield from match.label_selector.mistakes((*path, "match", "labelSelector"))
    if not exception.reason.strip():
        yield (*path, "reason"), "say why in a few words; reports show them"
    if exception.expires is not None:
        try:
            read_end(exception.expires)
        except (ValueError, OverflowError):
            said = f"{exception.expires[:64]!r} is neither a date nor a time; write one such as 2026-12-31 or 2026-12-31T18:00:00Z"
            yield (*path, "expires"), said


def _hardware(config: Configuration) -> Iterator[Trouble]:
    for name, most in config.expected_resources.items():
        if most < 1:
            yield ("expectedResources", name), f"{most} is too few for one node; write at least 1, or leave it out"
    for name, node in config.expected_nodes.items():
        for resource, amount in node.allocatable.items():
            if not is_amount(amount):
                yield ("expectedNodes", name, "allocatable", resource), f"{amount!r} isn't an amount; write one such as 8, 500m or 64Gi"
    for resource, tolerations in config.tolerations.items():
        if not is_resource_name(resource):
            yield ("tolerations", resource), "the key isn't a resource name; write domain/name, such as amd.com/gpu"
        for index, toleration in enumerate(tolerations):
            yield from toleration.mistakes(("tolerations", resource, index))
