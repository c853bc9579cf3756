"""The record of the values that were filled into an object, on the object itself.

The annotation ``weighbridge.dev/filled-in`` holds a JSON list of maps with `field`, `value` and `source`. A last map, `more`, has the
number of values beyond the configured size. The record is Weighbridge's own: every mutation writes it anew, and an entry is valid as long
as its field has its value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from weighbridge.policies.config.sections import POLICY_PREFIX
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import part, text, whole
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, lookup

KEY: Final = "weighbridge.dev/filled-in"
_STEP: Final = expression(r"\[([^\]]*)\]|([^.\[\]]+)")
PATH: Final[Path] = ("metadata", "annotations", KEY)


class Recorded(NamedTuple):
    """One value that was filled in, with its source."""

    path: Path
    value: JSONValue
    source: str

    @property
    def field(self) -> Path:
        """The field that a family fills in; for an item of a list, the list."""
        return self.path[:-1] if isinstance(self.path[-1], int) else self.path


def is_of_policy(entry: Recorded) -> bool:
    """Whether a policy of the configuration filled the value in, rather than a family."""
    return entry.source.startswith(POLICY_PREFIX)


def has_record(obj: JSONValue) -> bool:
    """Whether an object has the annotation, whatever it holds."""
    return KEY in part(obj, "metadata", "annotations")


def read_record(obj: JSONValue) -> tuple[Recorded, ...]:
    """The entries of the annotation; malformed ones are ignored."""
    return tuple(_recorded(_entries(obj)))


def left_out(obj: JSONValue) -> int:
    """The number of values for which the annotation had no room."""
    return sum(max(whole(entry, "more"), 0) for entry in _entries(obj))


def _entries(obj: JSONValue) -> list[JSONValue]:
    written = text(part(obj, "metadata", "annotations"), KEY)
    if not written:
        return []
    from json import loads

    try:
        entries = loads(written)
    except (ValueError, RecursionError):
        return []
    return entries if isinstance(entries, list) else []


def _recorded(entries: list[JSONValue]) -> Iterator[Recorded]:
    for entry in entries:
        if isinstance(entry, dict) and isinstance(entry.get("field"), str) and entry.get("value") is not None:
            yield Recorded(_path(entry["field"]), entry["value"], text(entry, "source"))


def _path(written: str) -> Path:
    """The path of a field that is written as Kubernetes prints it, but with brackets around a key with dots."""
    steps = [found[1] or found[2] for found in _STEP.finditer(written)]
    return tuple(int(step) if step.isdecimal() and len(step) < 6 else step for step in steps) or (written,)


def field_text(path: Path) -> str:
    """The path of a field as the record has it."""
    return "".join(f"[{step}]" if isinstance(step, int) or "." in step else f".{step}" for step in path).removeprefix(".")


def standing(record: Iterable[Recorded], obj: JSONValue) -> list[Recorded]:
    """The entries whose value is still in its field. An item of a list may have moved; the entry then has its new place."""
    found = []
    for entry in record:
        there = lookup(obj, entry.field)
        if entry.field == entry.path:
            if there == entry.value:
                found.append(entry)
        elif isinstance(there, list) and entry.value in there:
            found.append(entry._replace(path=(*entry.field, there.index(entry.value))))
    return found


def within(record: Iterable[Recorded], fields: Iterable[Path]) -> list[Recorded]:
    """The entries about these fields and what is in them. Weighbridge never writes others, so they are ignored."""
    return [entry for entry in record if any(entry.field[: len(field)] == field for field in fields)]


def record_text(entries: Iterable[Recorded], max_bytes: int, more: int = 0) -> str:
    """The annotation's text, with as many entries as fit; empty if none fits. `more` were left out before."""
    from json import dumps

    maps: list[JSONObject] = [{"field": field_text(entry.path), "value": entry.value, "source": entry.source} for entry in entries]
    for count in range(len(maps), 0, -1):
        left = len(maps) - count + more
        written = dumps([*maps[:count], *([{"more": left}] if left else [])], separators=(",", ":"), ensure_ascii=False)
        if len(written.encode("utf-8", "surrogatepass")) <= max_bytes:
            return written
    return ""
