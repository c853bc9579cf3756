"""`diff`: what the author wrote against what would be stored, as a unified diff of YAML; each added value says where it came from."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Final, TextIO

from policies.go_text import json_text
from policies.objects import JSONValue, Path, field, metadata_of
from webhook.verdict import Verdict
from webhook.verdict.record import VerdictRecord
from webhook.yaml_text import yaml_text

_COLOURS: Final = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}
_RESET: Final = "\x1b[0m"


def diff_lines(given: JSONValue, record: VerdictRecord, name: str) -> Iterator[str]:
    """The lines of the diff; none where nothing changes."""
    before = [line for line, _ in _lines(given)] if given is not None else []
    stored = list(_lines(_without_bookkeeping(record["object"], given))) if record["object"] is not None else []
    origins = {
        entry["field"]: f"{entry['source']}: {entry['reason']}" if entry["reason"] else entry["source"] for entry in record["provenance"]
    }
    matcher = difflib.unified_diff(before, [line for line, _ in stored], f"{name} (given)", f"{name} (stored)", lineterm="")
    added = iter(_added(before, stored))
    for line in matcher:
        if line.startswith("+") and not line.startswith("+++"):
            _, path = next(added, ("", ""))
            origin = origins.get(path)
            yield f"{line}  # {origin}" if origin else line
        else:
            yield line


def _without_bookkeeping(stored: JSONValue, given: JSONValue) -> JSONValue:
    """The stored object without the metadata that the server counts by itself and the author didn't write."""
    if not isinstance(stored, dict) or not isinstance(stored.get("metadata"), dict):
        return stored
    written = metadata_of(given)
    kept = {key: value for key, value in stored["metadata"].items() if key != "generation" or key in written}
    return {**stored, "metadata": kept}


def _added(before: list[str], stored: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    matcher = difflib.SequenceMatcher(None, before, [line for line, _ in stored])
    for group in matcher.get_grouped_opcodes(3):
        for tag, _, _, start, end in group:
            if tag in {"insert", "replace"}:
                yield from stored[start:end]


#: What nests deeper is shown on one line.
_DEEPEST: Final = 100


def _lines(value: JSONValue) -> Iterator[tuple[str, str]]:
    """The lines of a value as YAML, each with the field that begins on it; keys are sorted so that order is no difference."""
    yield from _walk(value, 0, ())


def _walk(value: JSONValue, depth: int, path: Path) -> Iterator[tuple[str, str]]:
    indent = "  " * depth
    if len(path) > _DEEPEST:
        yield f"{indent}{json_text(value)}", field(path)
    elif isinstance(value, dict) and value:
        for key in _ordered(value):
            child = value[key]
            if isinstance(child, (dict, list)) and child:
                yield f"{indent}{_scalar(key)}:", field((*path, key))
                yield from _walk(child, depth + (0 if isinstance(child, list) else 1), (*path, key))
            else:
                yield f"{indent}{_scalar(key)}: {_scalar(child)}", field((*path, key))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            lines = list(_walk(item, depth + 1, (*path, index)))
            first, origin = lines[0]
            yield f"{indent}- {first.strip()}", origin
            yield from lines[1:]
    else:
        yield f"{indent}{_scalar(value)}", field(path)


def _ordered(value: dict[str, JSONValue]) -> list[str]:
    first = [key for key in ("apiVersion", "kind", "metadata", "name", "namespace") if key in value]
    return first + sorted(key for key in value if key not in first)


def _scalar(value: JSONValue) -> str:
    return yaml_text(value).removesuffix("\n...\n").rstrip("\n").replace("\n", " ")


class DiffFormat:
    """Writes one diff per request; what is refused says so in front of it."""

    def __init__(self, stream: TextIO, *, colour: bool) -> None:
        self._stream = stream
        self._colour = colour

    def write(self, verdict: Verdict) -> None:
        """The diff, or a line that says that there is none."""
        record = verdict.record
        name = verdict.place or record["id"]
        if not record["allowed"]:
            self._stream.write(f"# {name}: {verdict.outcome}: {record['message']}\n")
        lines = list(diff_lines(verdict.given, record, name))
        for line in lines:
            start = _COLOURS.get(line[:1], "") if self._colour else ""
            self._stream.write(f"{start}{line}{_RESET if start else ''}\n")
        if not lines and record["allowed"]:
            self._stream.write(f"# {name}: stored as given\n")

    def finish(self, passed_over: Mapping[str, int]) -> None:
        """Nothing comes last."""
