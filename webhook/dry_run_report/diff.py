"""`diff`: a unified diff in YAML from the author's object to the one that would be stored; each added value has its origin."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, TextIO

from weighbridge.policies.families.fill.record import KEY, has_record
from weighbridge.policies.ground.objects import SERVERS_OWN, JSONValue, is_stored
from weighbridge.webhook.dry_run_report.parts.verdicts import Verdict
from weighbridge.webhook.dry_run_report.parts.yaml_lines import lines_of, take_origin
from weighbridge.webhook.texts.escapes import comment, shown
from weighbridge.webhook.texts.style import Style

if TYPE_CHECKING:
    from weighbridge.webhook.dry_run_report.parts.shapes import VerdictRecord

_COLOURS: Final = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}
_RESET: Final = "\x1b[0m"


def diff_lines(given: JSONValue, record: VerdictRecord, name: str) -> Iterator[tuple[str, str]]:
    """The lines of the diff, each with the origin of an added value, else an empty text; no lines if nothing changes."""
    before = [line for line, _ in lines_of(_without_servers_own(given, given))] if given is not None else []
    stored = list(lines_of(_without_bookkeeping(record["object"], given))) if record["object"] is not None else []
    origins = {
        entry["field"]: f"{entry['source']}: {entry['reason']}" if entry["reason"] else entry["source"] for entry in record["provenance"]
    }
    matcher = difflib.unified_diff(before, [line for line, _ in stored], f"{name} (given)", f"{name} (stored)", lineterm="")
    added = iter(_added(before, stored))
    for line in matcher:
        if line.startswith("+") and not line.startswith("+++"):
            _, path = next(added, ("", ""))
            yield line, shown(take_origin(origins, path))
        else:
            yield line, ""


def _without_bookkeeping(stored: JSONValue, given: JSONValue) -> JSONValue:
    """The stored object without the metadata that the author didn't write: the servers' fields, and the record of filled-in values."""
    kept = _without_servers_own(stored, given)
    if not has_record(kept) or has_record(given):
        return kept
    annotations = {key: value for key, value in kept["metadata"]["annotations"].items() if key != KEY}
    metadata = {key: value for key, value in kept["metadata"].items() if key != "annotations"}
    return {**kept, "metadata": {**metadata, "annotations": annotations} if annotations else metadata}


def _without_servers_own(obj: JSONValue, given: JSONValue) -> JSONValue:
    """An object without the fields that servers write; also without a status, unless the author of `given` wrote one by hand."""
    if not isinstance(obj, dict) or not isinstance(obj.get("metadata"), dict):
        return obj
    metadata = {key: value for key, value in obj["metadata"].items() if key not in SERVERS_OWN}
    is_by_hand = isinstance(given, dict) and "status" in given and not is_stored(given)
    return {**{key: value for key, value in obj.items() if key != "status" or is_by_hand}, "metadata": metadata}


def _added(before: list[str], stored: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    matcher = difflib.SequenceMatcher(None, before, [line for line, _ in stored])
    for group in matcher.get_grouped_opcodes(3):
        for tag, _, _, start, end in group:
            if tag in {"insert", "replace"}:
                yield from stored[start:end]


class DiffFormat:
    """Writes one diff per request, after a line that says so if the request is refused."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        self._stream = stream
        self._colour = style.color

    def write(self, verdict: Verdict) -> None:
        """Write the diff, or a line that says that nothing changes."""
        record = verdict.record
        name = shown(verdict.place or record["id"])
        if not record["allowed"]:
            self._stream.writelines(f"{line}\n" for line in comment(f"{name}: {verdict.outcome}: {record['message']}"))
        lines = list(diff_lines(verdict.given, record, name))
        for text, origin in lines:
            line = f"{text}  # {origin}" if origin else text
            start = _COLOURS.get(line[:1], "") if self._colour else ""
            self._stream.write(f"{start}{line}{_RESET if start else ''}\n")
        if not lines and record["allowed"]:
            self._stream.write(f"# {name}: stored as given\n")

    def finish(self, passed_over: Mapping[str, int]) -> None:
        """Do nothing: the format has no end."""
