"""The findings on one object, as the results of a report.

An error has the result `fail`. Warnings and notes have `warn`; a note has the severity `info`. A finding that an exception allows has
`skip`. A rule that lacks a fact, or that fails itself, is an error of the evaluation. Source: openreports/reports-api v0.2.1,
report_types.go, Result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from weighbridge.policies.config.sections import POLICY_FAILS, POLICY_PREFIX
from weighbridge.policies.ground.findings import Finding, Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, Operation
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.verdict.judgement import INTERNAL_RULE
from weighbridge.webhook.inputs.stored import JudgedObject
from weighbridge.webhook.texts.cells import one_line
from weighbridge.webhook.texts.rule_addresses import address_of

#: Policy Reporter names the source of a report by that of its first result.
SOURCE: Final = "Weighbridge"
#: The results, the worst first.
RESULTS: Final = ("fail", "error", "warn", "skip")
_FAILED: Final = frozenset({INTERNAL_RULE, POLICY_FAILS})
_RESULT: Final = {Severity.ERROR: "fail", Severity.WARNING: "warn", Severity.NOTE: "warn"}
_SEVERITY: Final = {Severity.ERROR: "high", Severity.WARNING: "medium", Severity.NOTE: "info"}
_LONGEST_MESSAGE: Final = 1000
_LONGEST_PROPERTY: Final = 250
_CUT: Final = "…"


@dataclass(slots=True)
class _Found:
    """A finding with its highest severity, and the operations that it refuses."""

    finding: Finding
    refuses: list[str] = field(default_factory=list)


def results_of(one: JudgedObject, names: Mapping[str, str]) -> list[JSONObject]:
    """The results of an object, the worst first and without the time; `names` has the names of rules by their ids.

    The same finding on an update without a change and on a creation is one result.
    """
    found: dict[tuple[str, str, str], _Found] = {}
    for operation, decision in ((Operation.UPDATE, one.unchanged), (Operation.CREATE, one.anew)):
        for finding in decision.findings:
            entry = found.setdefault((finding.rule, finding.field, finding.message), _Found(finding))
            if entry.finding.severity.is_below(finding.severity):
                entry.finding = finding
            if finding.severity is Severity.ERROR and str(operation) not in entry.refuses:
                entry.refuses.append(str(operation))
    results = [_of_finding(entry, names) for entry in found.values()]
    results += _unchecked([*one.unchanged.unchecked, *one.anew.unchecked], names)
    return sorted(results, key=_rank)


def _rank(result: JSONObject) -> tuple[int, str, str]:
    return RESULTS.index(result["result"]), result["policy"], result["message"]


def _of_finding(found: _Found, names: Mapping[str, str]) -> JSONObject:
    finding = found.finding
    result = "skip" if finding.exempted else "error" if finding.rule in _FAILED else _RESULT[finding.severity]
    properties = {
        "field": finding.field,
        "refuses": ", ".join(found.refuses),
        "found": finding.found,
        "expected": finding.expected,
        "nearest": finding.nearest,
        "hint": finding.hint,
        "exempted": finding.exempted,
        "page": address_of(finding.rule),
    }
    return {
        **_named(finding.rule, names.get(finding.rule, "")),
        "severity": _SEVERITY[finding.severity],
        "result": result,
        "scored": result == "fail",
        "message": _short(str(finding), _LONGEST_MESSAGE),
        "properties": {key: _short(text, _LONGEST_PROPERTY) for key, text in properties.items() if text},
    }


def _unchecked(entries: Iterable[Unchecked], names: Mapping[str, str]) -> Iterable[JSONObject]:
    """The rules that lacked a fact. Other unknowns, such as a part of a prediction, aren't results of rules."""
    for entry in dict.fromkeys(entries):
        rule, _, _ = entry.subject.partition(" ")
        if rule in names:
            message = _short(f"not checked: {entry.reason}", _LONGEST_MESSAGE)
            yield {**_named(rule, names[rule]), "result": "error", "scored": False, "message": message}


def _named(rule: str, name: str) -> JSONObject:
    page = address_of(rule)
    category = "policies" if rule.startswith(POLICY_PREFIX) else page.partition("#")[0].rpartition("/")[2].removesuffix(".md")
    entries = {"policy": rule, "rule": name, "category": category}
    return {"source": SOURCE, **{key: text for key, text in entries.items() if text}}


def _short(text: str, longest: int) -> str:
    """The text on one line, with at most `longest` characters."""
    shown = one_line(text)
    return shown if len(shown) <= longest else shown[: longest - len(_CUT)] + _CUT
