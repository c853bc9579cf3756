"""The kinds that a policy's expressions are checked against: those of the resources in the policy's rules that a cluster has.

The controller looks them up by client-go's RESTMapper. In it a rule of the core group means every group that has such a resource in that
version, and a name may be the singular. Source: k8s.io/apiserver pkg/admission/plugin/policy/validating/typechecking.go, `typesToCheck`;
k8s.io/apimachinery pkg/api/meta/restmapper.go, `KindsFor`; k8s.io/client-go restmapper/discovery.go, 1.34 to 1.37.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Final

from weighbridge.policies.admission_policies.declarations import ALL, MatchRule
from weighbridge.policies.apiserver.built_in import built_in_groups, plural_of
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.ground.objects import GroupVersionKind, GroupVersionResource

#: The most kinds of a rule.
_MOST: Final = 10
Missing = Callable[[GroupVersionResource], None]


def kinds_to_check(rules: tuple[MatchRule, ...], definitions: Definitions, missing: Missing) -> list[GroupVersionKind]:
    """The kinds of a policy's rules, sorted; `missing` is called with each resource without a known kind.

    A rule that reaches the limit ends the search, so later rules aren't read.
    """
    found: set[GroupVersionKind] = set()
    for rule in rules:
        count = 0
        for resource in _resources(rule):
            kinds = list(_kinds_of(resource, definitions))
            if not kinds:
                missing(resource)
            for kind in kinds:
                found.add(kind)
                count += 1
                if count == _MOST:
                    return _sorted(found)
    return _sorted(found)


def _sorted(found: set[GroupVersionKind]) -> list[GroupVersionKind]:
    return sorted(found, key=lambda gvk: (gvk.group, gvk.version, gvk.kind))


def _resources(rule: MatchRule) -> Iterator[GroupVersionResource]:
    """The resources of a rule; none if a group or a version is `*`. Resources with `*` and subresources are skipped."""
    if any(ALL in name for name in (*rule.groups, *rule.versions)):
        return
    names = sorted(name for name in rule.resources if ALL not in name and "/" not in name)
    for group, version, name in product(sorted(rule.groups), sorted(rule.versions), names):
        yield GroupVersionResource(group, version, name.lower())


def _kinds_of(resource: GroupVersionResource, definitions: Definitions) -> Iterator[GroupVersionKind]:
    """The kinds that the name of a resource may mean."""
    for group, kinds in built_in_groups().items():
        if resource.group in ("", group):
            for kind, versions in kinds.items():
                if resource.version in versions:
                    yield from _meant(resource.resource, GroupVersionKind(group, resource.version, kind), plural_of(kind), kind.lower())
    for gvk, plural, singular in definitions.names(resource.group):
        if resource.version == gvk.version:
            yield from _meant(resource.resource, gvk, plural, singular)


def _meant(name: str, gvk: GroupVersionKind, plural: str, singular: str) -> Iterator[GroupVersionKind]:
    """The kind, or the kind of its lists, if a name means it."""
    if name in (plural, singular):
        yield gvk
    elif name in (f"{gvk.kind}list".lower(), f"{gvk.kind}lists".lower()):
        yield GroupVersionKind(gvk.group, gvk.version, f"{gvk.kind}List")
