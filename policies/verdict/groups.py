"""The findings about pods that fit a node alone, and not together: groups, replicas, rolling updates, autoscalers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.content import content_of
from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.ground.objects import JSONObject, JSONValue, name_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.spelling import listed
from weighbridge.policies.placement.asked import READ_WITH_AUTOSCALERS, asked_by_pod
from weighbridge.policies.placement.packing.change import Left
from weighbridge.policies.placement.packing.shortages import Of, Shortage, Together, shortages, words
from weighbridge.policies.pods.groups import Groups
from weighbridge.policies.pods.workloads import claims_of
from weighbridge.policies.verdict.group_rules import CHANGE, SCALED, TOGETHER, UPDATE

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


def left_finding(left: Left) -> Finding:
    """The finding on an object that doesn't fit together with the others of a change."""
    rivals = listed(left.rivals) or "the rest"
    if left.room:
        message = f"{left.asked} of its replicas fit alone, and {left.room} together with {rivals} of this change: {left.why}"
    else:
        message = f"it fits alone, and not together with {rivals} of this change: {left.why}"
    hint = "which of them stays Pending depends on priority and on what comes first; let them come one after the other, or add nodes"
    if left.may_come:
        hint = f"{listed(left.may_come)} may bring room for the rest"
    severity = Severity.NOTE if left.may_come or left.is_by_daemons else Severity.WARNING
    return Finding(CHANGE, severity, (), message, hint)


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


def with_room(groups: Sequence[Groups], found: Sequence[Shortage]) -> list[Groups]:
    """The groups, as many as there is room for; none where it is their sum that has none."""
    short = [one for one in found if one.of in (Of.GROUP, Of.REPLICAS)]
    if any(one.number is None or not one.room for one in short):
        return []
    room = {one.number: one.room for one in short}
    return [replace(one, least=min(one.least, room.get(number, one.least))) for number, one in enumerate(groups)]
