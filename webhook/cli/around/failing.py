"""What of a result `--fail-on` counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.webhook.report.parts.results import Failures, Result
from weighbridge.webhook.settings.values import Failing, FailOn, NotChecked

if TYPE_CHECKING:
    from collections.abc import Iterator

_SEVERITIES: Final = {
    FailOn.ERROR: frozenset({Severity.ERROR}),
    FailOn.PLACEMENT: frozenset({Severity.ERROR}),
    FailOn.WARNING: frozenset({Severity.ERROR, Severity.WARNING}),
    FailOn.NOTE: frozenset(Severity),
}


def failures_of(result: Result, level: Failing) -> Failures:
    """What of a result makes the exit code 1, if the level holds for it."""
    rules: set[str] = set()
    if result.never_runs and level.level is FailOn.PLACEMENT:
        # Without such a finding, any warning may be the cause.
        rules.update(set(_of_placement(result)) or {located.finding.rule for located in result.findings if _is_warning(located.finding)})
    if level.capacity and result.waits:
        from weighbridge.policies.verdict.judgement import NO_ROOM

        rules.add(NO_ROOM)
    return Failures(_SEVERITIES.get(level.level, frozenset()), frozenset(rules), _is_unchecked(result, level))


def _is_unchecked(result: Result, level: Failing) -> bool:
    if level.unchecked is None:
        return False
    return result.unknown or (level.unchecked is NotChecked.UNCHECKED and result.is_partly_checked)


def _is_warning(finding: Finding) -> bool:
    return finding.severity is Severity.WARNING


def _of_placement(result: Result) -> Iterator[str]:
    """The rules that report that no node runs the pods."""
    from weighbridge.policies.families import families
    from weighbridge.policies.verdict.judgement import NO_NODE
    from weighbridge.policies.verdict.pods.group_rules import TOGETHER

    known = tuple(families())
    for located in result.findings:
        rule = located.finding.rule
        if rule in (NO_NODE, TOGETHER) or any(family.speaks_of_placement(rule) for family in known):
            yield rule
