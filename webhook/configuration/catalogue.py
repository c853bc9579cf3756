"""What configurations can name: the ids of rules, and the kinds that rules judge."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from functools import cache
from typing import Final

from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.config.ignores import ENDED, GONE, UNUSABLE, UNUSED
from weighbridge.policies.config.sections import POLICY_FAILS
from weighbridge.policies.config.selection import covers, is_pattern
from weighbridge.policies.families import families
from weighbridge.policies.ground.cautions import ONE_NODE_STORAGE, OTHER_ZONE, SLICES, SMALL_DISK
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import GroupVersionKind
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.verdict.breakage import BREAKS
from weighbridge.policies.verdict.general_rules import GENERAL_RULES
from weighbridge.policies.verdict.judgement import NEVER_ADMITTED, NO_NODE, NO_ROOM, PODS_VIOLATE, QUOTA_EXCEEDED
from weighbridge.policies.verdict.pods.group_rules import CHANGE, SCALED, TOGETHER, UPDATE
from weighbridge.policies.verdict.repeated_objects import TWICE
from weighbridge.webhook.texts.rule_addresses import meant_rule

#: The workloads whose pods are placed, apart from the families' own kinds; the pods of other kinds with a pod template are placed too.
_WORKLOADS: Final = (
    GroupVersionKind("", "v1", "Pod"),
    GroupVersionKind("", "v1", "PodTemplate"),
    GroupVersionKind("", "v1", "ReplicationController"),
    GroupVersionKind("apps", "v1", "DaemonSet"),
    GroupVersionKind("apps", "v1", "Deployment"),
    GroupVersionKind("apps", "v1", "ReplicaSet"),
    GroupVersionKind("apps", "v1", "StatefulSet"),
    GroupVersionKind("batch", "v1", "CronJob"),
    GroupVersionKind("batch", "v1", "Job"),
    GroupVersionKind("leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet"),
)


#: The rules about the pods of an object, which judge workloads and the kinds whose operators create workloads.
_OF_PODS: Final = (
    *(NO_NODE, TOGETHER, CHANGE, UPDATE, SCALED, NO_ROOM),
    *(SLICES, ONE_NODE_STORAGE, OTHER_ZONE, SMALL_DISK),
    *(PODS_VIOLATE, QUOTA_EXCEEDED, NEVER_ADMITTED),
    TWICE,
)


@dataclass(frozen=True, slots=True)
class ListedRule:
    """A rule's id and name, the severity of its findings, and the kinds that it judges."""

    id: str
    name: str
    severity: Severity
    kinds: tuple[GroupVersionKind, ...]


@cache
def listed_rules() -> tuple[ListedRule, ...]:
    """Every rule that can be configured, in order of the ids."""
    own = [
        ListedRule(rule.id, rule.name, rule.severity, tuple(kind.gvk for kind in family.kinds if kind.gvk.kind in rule.kinds))
        for family in families()
        for rule in family.rules()
    ]
    kinds = (*_WORKLOADS, *(kind.gvk for family in families() for kind in family.kinds if kind.gvk.kind in family.predict))
    named = {rule.id: rule.name for rule in GENERAL_RULES}
    weights = {POLICY_FAILS: Severity.ERROR, UPDATE: Severity.NOTE, SCALED: Severity.NOTE, NO_ROOM: Severity.NOTE}
    judged: tuple[tuple[str, tuple[GroupVersionKind, ...]], ...]
    judged = (*((rule, kinds) for rule in _OF_PODS), (BREAKS, tuple(_influencing())))
    judged += ((POLICY_FAILS, tuple(kind.gvk for family in families() for kind in family.kinds)),)
    # The rules about ignores are for lint, and no namespace can relax them.
    judged += tuple((rule, ()) for rule in (UNUSED, ENDED, UNUSABLE, GONE))
    general = [ListedRule(rule, named[rule], weights.get(rule, Severity.WARNING), of_kinds) for rule, of_kinds in judged]
    return tuple(sorted([*own, *general], key=lambda rule: rule.id))


def _influencing() -> Iterator[GroupVersionKind]:
    """The kinds whose changes may break objects of other kinds."""
    return (kind.gvk for family in families() for kind in family.kinds if family.breaking(kind.gvk.kind))


def with_policies(config: Configuration) -> tuple[ListedRule, ...]:
    """Every rule that can be configured, with the policies of a configuration."""
    if config.policies is None:
        return listed_rules()
    judged = [kind.gvk for family in families() for kind in family.kinds]
    own = (
        ListedRule(policy.id, policy.name, policy.severity, tuple(gvk for gvk in judged if policy.match.means_kind(gvk)))
        for policy in config.policies
    )
    return tuple(sorted([*listed_rules(), *own], key=lambda rule: rule.id))


def rules_by_kind(config: Configuration = DEFAULT) -> Iterator[tuple[ListedRule, GroupVersionKind]]:
    """Every rule with each of its kinds."""
    return ((rule, gvk) for rule in with_policies(config) for gvk in rule.kinds)


def trouble_with_rule(rule: str, config: Configuration = DEFAULT) -> str:
    """The message that there is no such rule, with the nearest one; empty if there is one. Policies of the configuration count as rules."""
    known = [*(listed.id for listed in listed_rules()), *(policy.id for policy in config.policies or ())]
    if rule in known:
        return ""
    if is_pattern(rule):
        return "" if any(covers(rule, listed) for listed in known) else "no rule matches; weighbridge rules lists them"
    by_name = next((listed.id for listed in with_policies(config) if listed.name == rule.lower()), "")
    if by_name or rule.upper() in known:
        return f"write the id {by_name or rule.upper()}"
    return f"unknown rule; {meant_rule(rule, known) or 'weighbridge rules lists them'}"


def trouble_with_kind(kind: str, config: Configuration = DEFAULT) -> str:
    """The message about an unknown kind that is similar to a known one. Other kinds may have pod templates, so they are accepted."""
    known = {spelling for _, gvk in rules_by_kind(config) for spelling in (gvk.kind, f"{gvk.kind}.{gvk.group}")}
    if kind in known:
        return ""
    near = difflib.get_close_matches(kind, sorted(known), n=1, cutoff=0.8)
    return f"no kind of ours; did you mean {near[0]}?" if near else ""
