"""`effective`: the objects that the operator will create, as YAML, with the origin of each value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TextIO

from weighbridge.policies.ground.objects import name_of
from weighbridge.webhook.dry_run_report.parts.tables import shortened, table_lines
from weighbridge.webhook.dry_run_report.parts.verdicts import Verdict
from weighbridge.webhook.dry_run_report.parts.yaml_lines import lines_of, take_origin
from weighbridge.webhook.texts.escapes import comment, shown
from weighbridge.webhook.texts.streams import in_utf_8
from weighbridge.webhook.texts.style import UNBROKEN, Style

if TYPE_CHECKING:
    from weighbridge.webhook.dry_run_report.parts.shapes import EffectiveRecord, EffectiveValueRecord

_DIM = "\x1b[2m"
_RESET = "\x1b[0m"


class EffectiveFormat:
    """Writes one YAML document for each object that the operator creates."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        self._stream = in_utf_8(stream)
        self._colour, self._verbose = style.color, style.verbose

    def write(self, verdict: Verdict) -> None:
        """Write the objects created for one request."""
        record = verdict.record
        self._comment(f"{shown(verdict.place or record['id'])}: {verdict.outcome}")
        if record["message"]:
            self._comment(record["message"])
        effective = record.get("effective")
        if effective is None:
            self._comment("what is created for objects of this kind isn't predicted")
            return
        for text in _told(effective):
            self._comment(text)
        for table in effective.get("tables", []):
            short, rest = (table, "") if self._verbose else shortened(table)
            for line in table_lines(short, UNBROKEN):
                self._comment(line)
            if rest:
                self._comment(f"{rest} (-v shows why)")
        for obj in effective["objects"]:
            self._stream.write("---\n")
            self._object(obj, effective)

    def finish(self, passed_over: Mapping[str, int]) -> None:
        """Do nothing: the format has no end."""

    def _object(self, obj: dict[str, Any], effective: EffectiveRecord) -> None:
        for line, origin in explained(obj, f"{obj.get('kind')}/{name_of(obj)}", effective):
            said = f"  {self._paint(f'# {shown(origin)}')}" if origin else ""
            self._stream.write(f"{line}{said}\n")

    def _comment(self, text: str) -> None:
        for line in comment(text):
            self._stream.write(self._paint(line) + "\n")

    def _paint(self, text: str) -> str:
        return f"{_DIM}{text}{_RESET}" if self._colour else text


def explained(obj: dict[str, Any], name: str, effective: EffectiveRecord) -> Iterator[tuple[str, str]]:
    """The YAML lines of the object with this name, each with the origin of the value that begins on it, if any, else an empty text."""
    values = [value for value in effective["values"] if value["object"] == name]
    origins = {value["field"]: origin_of(value) for value in values}
    flags = {value["field"].rpartition("args[")[2].removesuffix("]"): origin_of(value) for value in values if "args[" in value["field"]}
    for line, field in lines_of(obj):
        yield line, take_origin(origins, field) or (flags.get(line.strip().removeprefix("- ").strip("'"), "") if ".args[" in field else "")


def merged_lines(effective: EffectiveRecord) -> Iterator[str]:
    """The configuration that applies, as YAML with the origin of each value; no lines if none applies."""
    if (merged := effective.get("merged")) is None:
        return
    yield merged["title"]
    for line, origin in explained({"spec": merged["spec"]}, merged["object"], effective):
        yield f"  {line}  # {shown(origin)}" if origin else f"  {line}"


def origin_of(value: EffectiveValueRecord) -> str:
    """The origin of a value: who decided it, and why."""
    return f"{value['source']}: {value['reason']}" if value["reason"] else value["source"]


def kept_condition(effective: EffectiveRecord) -> str:
    """A sentence that an earlier condition stays, though its cause is over."""
    return f"the condition Degraded ({effective['kept']}) stays from before until it is Ready"


def _told(effective: EffectiveRecord) -> Iterator[str]:
    """The remarks before the objects."""
    phase = effective["status"].get("phase")
    if phase:
        yield f"the operator sets phase {phase}"
    if "failure" in effective:
        yield f"it fails: {effective['failure']}"
    if "kept" in effective:
        yield kept_condition(effective)
    if "waits" in effective:
        yield f"it waits: {effective['waits']}"
    for event in effective["events"]:
        yield f"event {event['reason']}: {event['note']}"
    for setting in effective["settings"]:
        if setting["origin"] != "upstream default":
            yield f"{setting['name']} is {setting['value']} ({setting['origin']})"
    for entry in effective.get("unchecked", []):
        yield f"not predicted: {entry['subject']}: {entry['reason']}"
