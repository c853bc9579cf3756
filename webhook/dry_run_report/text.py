"""`text`: a verdict for people: the decision, its reasons, what to change, then the operator's objects and the filled-in values.

Nothing is repeated. `-v` adds the notes, the excepted findings, the API server's own words, and every detail of the prediction.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, TextIO, cast

from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.dry_run_report.diff import diff_lines
from weighbridge.webhook.dry_run_report.effective import kept_condition, origin_of
from weighbridge.webhook.dry_run_report.parts.tables import shortened, table_lines
from weighbridge.webhook.dry_run_report.parts.verdicts import Outcome, Verdict
from weighbridge.webhook.texts.counts import bundled_releases, counted, partly_checked
from weighbridge.webhook.texts.escapes import shown
from weighbridge.webhook.texts.style import Style
from weighbridge.webhook.texts.yaml_text import block_text

if TYPE_CHECKING:
    from weighbridge.webhook.dry_run_report.parts.shapes import FindingRecord, TodayRecord, UncheckedRecord, VerdictRecord

_BOLD: Final = "\x1b[1m"
_RED: Final = "\x1b[31m"
_GREEN: Final = "\x1b[32m"
_YELLOW: Final = "\x1b[33m"
_DIM: Final = "\x1b[2m"
_RESET: Final = "\x1b[0m"
_OUTCOME_COLOURS: Final = {
    Outcome.ALLOWED: _GREEN,
    Outcome.REFUSED: _RED,
    Outcome.NEVER_RUNS: _RED,
    Outcome.PODS_REFUSED: _RED,
    Outcome.ERROR: _RED,
    Outcome.SKIPPED: _DIM,
    Outcome.NOT_CHECKED: _YELLOW,
}
_JUDGED: Final = (Outcome.ALLOWED, Outcome.REFUSED, Outcome.NEVER_RUNS, Outcome.PODS_REFUSED)
#: The number of rows of a table that are shown without -v.
_MOST_ROWS: Final = 20
#: The number of nodes that are named for one reason.
_MOST_NODES: Final = 5
#: Parts of the operator's work that only `-o effective` shows.
_DETAILS: Final = (".args[", ".initContainers[", ".metadata.", ".volumes[")
_DIFF_COLOURS: Final = {"+": _GREEN, "-": _RED}


class TextFormat:
    """Writes paragraphs as wide as the terminal; without a terminal, each is one line."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        self._stream = stream
        self._colour = style.color
        self._width = max(40, style.width)
        self._is_terminal = style.full
        self._verbose = style.verbose
        self._outcomes: Counter[Outcome] = Counter()
        self._partly = self._notes = self._excepted = 0
        self._told_crds: set[str] = set()
        self._bundled: set[str] = set()

    def write(self, verdict: Verdict) -> None:
        """Write one verdict."""
        record = verdict.record
        outcome = verdict.outcome
        self._outcomes[outcome] += 1
        self._bundled |= {record["bundled"]} if "bundled" in record else set()
        self._partly += bool(record["unchecked"]) and outcome in _JUDGED
        about = {Outcome.REFUSED: f" ({record['code']})", Outcome.SKIPPED: f": {record.get('skipped')}"}.get(outcome, "")
        word = self._paint(f"{outcome}{about}", _OUTCOME_COLOURS[outcome])
        self._line(f"{self._paint(shown(_subject(verdict)), _BOLD)}: {word}")
        has_reason = any(finding["severity"] == "error" for finding in record["findings"])
        if record["message"] and (self._verbose or not has_reason):
            # If findings follow that give the reasons, the message only repeats them.
            self._paragraph(record["message"], "  ")
        self._reasons(record)
        if verdict.advice:
            self._paragraph(verdict.advice, "  ")
        self._crd(record)
        self._effective(record)
        self._placement(record)
        self._changes(verdict)
        if outcome is not Outcome.ERROR:
            self._unchecked(record)
        self._line("")

    def finish(self, passed_over: Mapping[str, int]) -> None:
        """Write the counts; rare outcomes are named only if there are any."""
        outcomes = self._outcomes
        if self._bundled:
            self._paragraph(bundled_releases(self._bundled), "")
        rare = {
            f"{outcomes[Outcome.NEVER_RUNS]} that no node can run": outcomes[Outcome.NEVER_RUNS],
            f"{outcomes[Outcome.PODS_REFUSED]} whose pods are refused": outcomes[Outcome.PODS_REFUSED],
            partly_checked(self._partly, sum(outcomes[outcome] for outcome in _JUDGED)): self._partly,
            counted(outcomes[Outcome.ERROR], "error"): outcomes[Outcome.ERROR],
            f"{outcomes[Outcome.NOT_CHECKED]} not checked": outcomes[Outcome.NOT_CHECKED],
            f"{outcomes[Outcome.SKIPPED]} skipped": outcomes[Outcome.SKIPPED],
            f"{counted(self._notes, 'note')}{'' if self._verbose else ' (-v shows them)'}": self._notes,
            f"{self._excepted} excepted": self._excepted,
            **{f"{counted(count, what)} passed over": count for what, count in passed_over.items()},
        }
        parts = [f"{outcomes[Outcome.ALLOWED]} allowed", f"{outcomes[Outcome.REFUSED]} refused"]
        count_line = ", ".join([*parts, *(text for text, count in rare.items() if count)])
        if self._is_terminal:
            self._paragraph(count_line, "")
        else:
            self._line(count_line)  # in a file, readers look for it in the last line

    def _reasons(self, record: VerdictRecord) -> None:
        told = set()
        for finding in self._shown(record["findings"]):
            colour = {"error": _RED, "warning": _YELLOW, "note": _DIM}[finding["severity"]]
            said = f"{finding['field']}: {finding['message']}" if finding["field"] else finding["message"]
            told.add(f"{finding['rule']} {said}")
            self._paragraph(f"{finding['severity']}[{finding['rule']}] {said}", "  ", colour)
            for label in ("found", "expected", "nearest", "hint", "exempted"):
                text = str(finding.get(label, ""))
                if text and text not in finding["message"]:
                    self._paragraph(f"{label}: {text}", "      ")
            self._configuration(finding.get("configuration", ""))
        filled = {f"weighbridge {verb} {entry['field']} " for entry in record["provenance"] for verb in ("set", "removed")}
        for warning in record["warnings"]:
            if warning not in told and not any(warning.startswith(start) for start in filled):
                self._paragraph(f"warning: {warning}", "  ", _YELLOW)

    def _shown(self, findings: Iterable[FindingRecord]) -> list[FindingRecord]:
        """The findings to show, the most severe first. The others are only counted."""
        findings = list(findings)
        excepted = sum("exempted" in finding for finding in findings)
        self._excepted += excepted
        self._notes += sum(finding["severity"] == "note" for finding in findings) - excepted
        shown_ones = [finding for finding in findings if self._verbose or finding["severity"] != "note"]
        return sorted(shown_ones, key=lambda finding: ("error", "warning", "note").index(finding["severity"]))

    def _unchecked(self, record: VerdictRecord) -> None:
        """The unchecked rules and the missing predictions: each reason once, with everything that it applies to."""
        checks = _by_reason(record["unchecked"])
        predicted = _by_reason(record.get("effective", {}).get("unchecked", []))
        for reason, subjects in checks.items():
            self._paragraph(f"not checked: {', '.join(subjects)}: {reason}", "  ", _DIM)
        for reason, subjects in predicted.items():
            if reason not in checks:
                self._paragraph(f"not predicted: {', '.join(subjects)}: {reason}", "  ", _DIM)

    def _configuration(self, entry: str) -> None:
        """An entry to copy into the configuration, which would allow the object."""
        if entry:
            self._paragraph("if such a node will come, add to the configuration:", "      ")
            for line in block_text(entry).splitlines():
                self._line(f"        {shown(line)}")

    def _crd(self, record: VerdictRecord) -> None:
        """The checks that the installed CRD lacks, once for each kind."""
        if "crd" not in record:
            return
        from weighbridge.policies.apiserver.demands import told_losses

        text = told_losses(cast(JSONObject, record["crd"]))
        if text and text not in self._told_crds:
            self._told_crds.add(text)
            self._paragraph(text, "  ", _YELLOW)

    def _effective(self, record: VerdictRecord) -> None:
        """A summary of what the operator will create; `-o effective` shows the objects."""
        effective = record.get("effective")
        if effective is None or not record["allowed"]:
            return
        made = ", ".join(_created(effective["objects"]))
        phase = effective["status"].get("phase", "")
        told = [*([f"makes {made}"] if made else []), *([f"sets phase {phase}"] if phase else [])]
        tables = effective.get("tables", [])
        # If a deciding fact is unknown, it isn't certain that the operator creates nothing.
        if told or not (tables or effective.get("unchecked")):
            nothing = "creates nothing for it yet" if "waits" in effective else "creates nothing for it"
            self._paragraph(f"the operator {' and '.join(told) or nothing}", "  ", _BOLD)
        if "failure" in effective:
            self._paragraph(f"it fails: {effective['failure']}", "    ", _RED)
        if "kept" in effective:
            self._paragraph(kept_condition(effective), "    ")
        if "waits" in effective:
            self._paragraph(f"it waits: {effective['waits']}", "    ", _YELLOW)
        for table in tables:
            short, rest = (table, "") if self._verbose else shortened(table, _MOST_ROWS)
            for line in table_lines(short, self._width - 4):
                self._line(f"    {line}")
            if rest:
                self._line(f"    {rest} (-v shows {'why' if 'rest' in table else 'them'})")
        if not self._verbose:
            return
        for event in effective["events"]:
            self._paragraph(f"event {event['reason']}: {event['note']}", "    ", _YELLOW)
        for value in effective["values"]:
            if not any(part in value["field"] for part in _DETAILS):
                where = f"{value['object'].partition('/')[0]} {value['field'].removeprefix('spec.template.spec.').removeprefix('spec.')}"
                self._paragraph(f"{where}: {json_text(value['value'])} ({origin_of(value)})", "    ", _DIM)

    def _placement(self, record: VerdictRecord) -> None:
        """The nodes that could run the pods. If none can, the finding says so; `-v` adds the scheduler's words and the reasons."""
        placement = record.get("placement")
        if placement is None:
            return
        feasible, rejected = placement["feasible"], placement["rejected"]
        if feasible:
            what = "one of its pods" if placement["outlook"] == "never" else "it"
            count = f"{len(feasible)} of {len(feasible) + len(rejected)} nodes could run {what}"
            self._paragraph(f"{count}: {_listed(feasible)}", "  ", _GREEN)
        self._today(placement.get("today"))
        if not self._verbose:
            return
        if placement["message"]:
            self._paragraph(f"kube-scheduler: {placement['message']}", "  ", _DIM)
        nodes_by_reason: dict[str, list[str]] = {}
        for node, reasons in rejected.items():
            nodes_by_reason.setdefault(", ".join(reasons), []).append(node)
        for why, nodes in nodes_by_reason.items():
            self._paragraph(f"not {_listed(nodes)}: {why}", "  ", _DIM)

    def _today(self, today: TodayRecord | None) -> None:
        """The nodes that have room next to the pods that run now."""
        if today is None:
            return
        subject = f"{today['pod']} pods" if "pod" in today else "it"
        if today["feasible"]:
            count = f"{len(today['feasible'])} of them {'has' if len(today['feasible']) == 1 else 'have'}"
            self._paragraph(f"today {count} room for {subject}: {_listed(today['feasible'])}", "  ", _GREEN)
            return
        near = "; ".join(today.get("nearest", ()))
        self._paragraph(f"today none of them has room for {subject}{f': {near}' if near else ''}", "  ", _YELLOW)
        if "preemption" in today:
            self._paragraph(today["preemption"], "  ", _YELLOW)
        if self._verbose:
            self._paragraph(f"kube-scheduler, today: {today.get('message', '')}", "  ", _DIM)

    def _changes(self, verdict: Verdict) -> None:
        if verdict.given is None or not verdict.record["allowed"]:
            return
        lines = list(diff_lines(verdict.given, verdict.record, ""))[2:]
        for line, origin in lines:
            if line.startswith("@@"):
                continue
            colour, text = _DIFF_COLOURS.get(line[:1], ""), f"    {shown(line)}"
            told = f"{text}  # {origin}" if origin else text
            if not origin or len(told) <= self._width:
                self._line(self._paint(told, colour))
                continue
            # The origin is written below its value if both don't fit into one line.
            self._line(self._paint(text, colour))
            indent = " " * (len(text) - len(line.lstrip("+- ")) + 2)
            for part in textwrap.wrap(origin, max(20, self._width - len(indent) - 2), break_long_words=False, break_on_hyphens=False):
                self._line(self._paint(f"{indent}# {part}", _DIM))

    def _paragraph(self, text: str, indent: str, colour: str = "") -> None:
        for line in text.splitlines() or [""]:
            wrapped = textwrap.wrap(
                shown(line),
                self._width,
                initial_indent=indent,
                subsequent_indent=indent + "  ",
                break_long_words=False,
                break_on_hyphens=False,
            )
            for part in wrapped or [indent]:
                self._line(self._paint(part, colour))

    def _paint(self, text: str, colour: str) -> str:
        return f"{colour}{text}{_RESET}" if self._colour and colour else text

    def _line(self, text: str) -> None:
        self._stream.write(text + "\n")


def _listed(nodes: list[str]) -> str:
    """Some names, and the number of the others."""
    more = len(nodes) - _MOST_NODES
    return ", ".join(nodes[:_MOST_NODES]) + (f" and {more} more" if more > 0 else "")


def _created(objects: Iterable[JSONObject]) -> list[str]:
    """The objects by kind and name; a kind is shown with its group if another has the same name."""
    kinds = [(obj["kind"], str(obj.get("apiVersion", "")).rpartition("/")[0], obj["metadata"]["name"]) for obj in objects]
    groups = Counter(kind for kind, _ in {(kind, group) for kind, group, _ in kinds})
    return [f"{kind}.{group} {name}" if group and groups[kind] > 1 else f"{kind} {name}" for kind, group, name in kinds]


def _by_reason(entries: Iterable[UncheckedRecord]) -> dict[str, list[str]]:
    """The things that each reason applies to."""
    out: dict[str, list[str]] = {}
    for entry in entries:
        out.setdefault(entry["reason"], []).append(entry["subject"])
    return out


def _subject(verdict: Verdict) -> str:
    request = verdict.request
    if request is None:
        return verdict.place or verdict.record["id"]
    name = request.name or "(unnamed)"
    where = f"{request.namespace}/{name}" if request.namespace else name
    at = f" ({verdict.place})" if verdict.place else ""
    return f"{request.gvk.kind} {where}{at}"
