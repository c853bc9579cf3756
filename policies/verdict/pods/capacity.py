"""The finding that the pods of an object fit an empty cluster, but find no node in addition to the pods that run now.

It is a note, or a warning if the configuration says so. It never refuses, since other pods may run tomorrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Finding, Severity, TodayPlacement
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.placement.now.request_today import PodToday, today_of
from weighbridge.policies.placement.now.today_words import near_lines, preempted, sentence
from weighbridge.policies.verdict.judgement import NO_ROOM, enforce


def placed_today(
    request: Request, made: Iterable[JSONObject], facts: Facts, config: Configuration, *, is_offline: bool
) -> tuple[TodayPlacement | None, Sequence[Finding]]:
    """Where pods fit in addition to running ones, and the finding that they don't.

    Only offline it has all nodes and the scheduler's message.
    """
    found = today_of(made, facts, request.namespace or "default", whole=is_offline)
    if found is None:
        return None, ()
    answer = found.today
    told = TodayPlacement(answer.feasible, answer.message, tuple(near_lines(answer)), preempted(answer.candidates), found.pod)
    if answer.fits:
        return told, ()
    enforced = enforce([_finding(found)], config, request, facts.objects)
    return told, [replace(finding, severity=Severity.WARNING) if finding.severity is Severity.ERROR else finding for finding in enforced]


def _finding(found: PodToday) -> Finding:
    answer = found.today
    wanted = found.asked.filters.pod.requests.get(answer.scarce, 0)
    message = f"{found.pod or 'its'} pods fit an empty cluster; today {sentence(answer, wanted)}"
    room = preempted(answer.candidates)
    if room:
        return Finding(NO_ROOM, Severity.NOTE, (), f"{message}; {room}", "PodDisruptionBudgets aren't looked at")
    return Finding(NO_ROOM, Severity.NOTE, (), message, "the pods stay Pending until there is room")
