"""The objects that a policy matches, and those that are excepted, as match conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.config import Configuration, RuleException
from weighbridge.policies.config.exceptions import ExceptionMatch
from weighbridge.policies.config.policies import PolicyMatch
from weighbridge.policies.config.selection import Kinds, Names
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.user_policies.native.areas import EVERYWHERE, Area, in_namespaces, requirements_of
from weighbridge.policies.user_policies.native.texts import either, has_labels, is_among, is_named, listed
from weighbridge.policies.user_policies.vocabulary import OBJECT

_NAMESPACE: Final = "request.?namespace.orValue('')"
_NAME: Final = "request.?name.orValue('')"
_USER: Final = "request.userInfo.?username.orValue('')"
_GROUPS: Final = "request.userInfo.?groups.orValue([])"
_KIND: Final = "request.kind.kind + '.' + request.kind.group"


def area_of(match: PolicyMatch, *, is_namespaced: bool) -> Area | bool | None:
    """The namespaces that a match chooses by their labels; `None` for a kind without namespaces, False if it doesn't match the kind."""
    names = Names(match.namespaces)
    if not is_namespaced:
        return None if names.mean("") and match.namespace_selector.is_empty else False
    wanted = [] if names.patterns else in_namespaces(names, "match")
    return EVERYWHERE.within([*wanted, *requirements_of(match.namespace_selector)]) or False


def conditions_of(match: PolicyMatch) -> Iterator[JSONObject]:
    """The conditions of a match that resources and namespaces can't express."""
    if Names(match.namespaces).patterns and "*" not in match.namespaces:
        yield _condition("namespaces", is_among(_NAMESPACE, match.namespaces))
    if match.names:
        yield _condition("names", is_named(_NAME, match.names))
    labels = " && ".join(has_labels(match.label_selector, OBJECT))
    if labels:
        yield _condition("labels", labels)


def exceptions_of(rule: str, kinds: Sequence[GroupVersionKind], config: Configuration) -> list[RuleException]:
    """The exceptions from a rule that are in force and may be used by objects of these kinds."""
    return [
        entry
        for entry in config.exceptions
        if Names(entry.rules).mean(rule) and entry.holds(config.moment) and any(map(Kinds(entry.match.kinds).mean, kinds))
    ]


def not_excepted(exceptions: Sequence[RuleException], kinds: Sequence[GroupVersionKind]) -> Iterator[JSONObject]:
    """The condition that no exception applies; none without exceptions."""
    tests = [" && ".join(_tests(entry.match, kinds)) or "true" for entry in exceptions]
    if tests:
        yield _condition("no-exception", f"!({' || '.join(f'({test})' for test in tests) if len(tests) > 1 else tests[0]})")


def _tests(match: ExceptionMatch, kinds: Sequence[GroupVersionKind]) -> Iterator[str]:
    meant = list(dict.fromkeys(f"{gvk.kind}.{gvk.group}" for gvk in kinds if Kinds(match.kinds).mean(gvk)))
    if len(meant) < len({(gvk.kind, gvk.group) for gvk in kinds}):
        yield f"{_KIND} in {listed(meant)}"
    if match.namespaces and "*" not in match.namespaces:
        yield is_among(_NAMESPACE, match.namespaces)
    if match.names:
        yield is_named(_NAME, match.names)
    yield from has_labels(match.label_selector, OBJECT)
    if match.users:
        yield is_named(_USER, match.users)
    if match.groups:
        yield f"{_GROUPS}.exists(group, {either([is_among('group', match.groups)])})"


def _condition(name: str, expression: str) -> JSONObject:
    return {"name": f"weighbridge-{name}", "expression": expression}
