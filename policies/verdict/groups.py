"""The findings about pods that fit a node alone, and not together: groups and replicas, rolling updates, and what autoscalers may ask for."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.content import content_of
from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.ground.objects import JSONObject, JSONValue, name_of
from weighbridge.policies.placement.asked import READ_WITH_AUTOSCALERS, asked_by_pod
from weighbridge.policies.placement.packing.shortages import Of, Shortage, Together, shortages, words
from weighbridge.policies.pods.groups import Groups
from weighbridge.policies.pods.workloads import claims_of
from weighbridge.policies.verdict.group_rules import SCALED, TOGETHER, UPDATE

_RULES: Final = {Of.GROUP: TOGETHER, Of.REPLICAS: TOGETHER, Of.UPDATE: UPDATE, Of.MOST: SCALED}


def lacking(groups: Sequence[Groups], made: Sequence[JSONObject], facts: Facts, config: Configuration, namespace: str) -> list[Shortage]:
    """What of an object's pods doesn't fit together. The state remembers it for all whose pods ask for the same."""
    if facts.inventory is None or not any(one.most * one.size > 1 or (one.surge and one.least) for one in groups):
        return []

    def work_out() -> list[Shortage]:
        return list(shortages(Together.of(groups, made, facts, namespace), config))

    content = content_of([_asked(groups), [claim for obj in made for claim in claims_of(obj)]])
    if content is None:
        return work_out()
    key: Hashable = (lacking, namespace, content, id(config))
    # The configuration is kept with the result, so that no other one gets its id.
    held = facts.objects.once(READ_WITH_AUTOSCALERS, key, lambda: (config, work_out()), by=(facts.inventory, facts.former))
    return held[1]


def _asked(groups: Sequence[Groups]) -> list[JSONValue]:
    """What the verdict depends on."""
    found: list[JSONValue] = []
    for one in groups:
        pods = {role: [asked_by_pod(pod), text_map(pod, "metadata", "labels"), count] for role, (pod, count) in one.pods.items()}
        surge = [one.surge.more, one.surge.less] if one.surge is not None else []
        found.append([pods, one.least, one.most, one.topology, surge, one.is_daemon, one.workload.get("kind"), name_of(one.workload)])
    return found


def findings_of(found: Sequence[Shortage], groups: Sequence[Groups], *, changes_pods: bool) -> list[Finding]:
    """The findings; `changes_pods` says that the request itself begins a rolling update."""
    return [_finding(one, groups, changes_pods=changes_pods) for one in found]


def _finding(shortage: Shortage, groups: Sequence[Groups], *, changes_pods: bool) -> Finding:
    message, hint = words(shortage, groups)
    is_note = bool(shortage.may_come) or shortage.of is Of.MOST or (shortage.of is Of.UPDATE and not changes_pods)
    return Finding(_RULES[shortage.of], Severity.NOTE if is_note else Severity.WARNING, (), message, hint)


def never_serves(found: Sequence[Shortage]) -> bool:
    """Whether not even one group comes up, and nothing may bring nodes."""
    return any(one.of is Of.GROUP and not one.may_come for one in found)

