"""The findings about pods that fit a node alone but not together: groups, replicas, rolling updates, autoscalers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.spelling import listed
from weighbridge.policies.placement.packing.change import Left
from weighbridge.policies.placement.packing.shortages import Shortage, ShortOf, words
from weighbridge.policies.pods.groups import Groups
from weighbridge.policies.verdict.pods.group_rules import CHANGE, SCALED, TOGETHER, UPDATE

_RULES: Final = {ShortOf.GROUP: TOGETHER, ShortOf.REPLICAS: TOGETHER, ShortOf.UPDATE: UPDATE, ShortOf.MOST: SCALED}


def left_finding(left: Left) -> Finding:
    """The finding on an object that doesn't fit together with the others of a change."""
    rivals = listed(left.rivals) or "the rest"
    if left.awaits:
        message = f"nodes may come for it alone, but not together with {rivals} of this change: {left.why}"
        return Finding(CHANGE, Severity.WARNING, (), message, "raise the limit of the pool, or let them come one after the other")
    if left.room:
        message = f"{left.asked} of its replicas fit alone, and {left.room} together with {rivals} of this change: {left.why}"
    else:
        message = f"it fits alone, but not together with {rivals} of this change: {left.why}"
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
    is_note = bool(shortage.may_come) or shortage.of is ShortOf.MOST or (shortage.of is ShortOf.UPDATE and not changes_pods)
    return Finding(_RULES[shortage.of], Severity.NOTE if is_note else Severity.WARNING, (), message, hint)


def never_serves(found: Sequence[Shortage]) -> bool:
    """Whether not even one group fits, and nothing may add nodes."""
    return any(one.of is ShortOf.GROUP and not one.may_come for one in found)


def with_room(groups: Sequence[Groups], found: Sequence[Shortage]) -> list[Groups]:
    """The groups, as many as there is room for; none if only their sum has no room."""
    short = [one for one in found if one.of in (ShortOf.GROUP, ShortOf.REPLICAS)]
    if any(one.number is None or not one.room for one in short):
        return []
    room = {one.number: one.room for one in short}
    return [replace(one, least=min(one.least, room.get(number, one.least))) for number, one in enumerate(groups)]
