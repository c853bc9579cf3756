"""The annotation that tells, on an object itself, what was filled in; written where the configuration asks for it.

``weighbridge.dev/filled-in`` holds a JSON list of maps with `field`, `value` and `source`. What stands there from before is kept as long
as its value does; what no longer fits into the configured size is counted in a last map, `more`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from policies.families.mutation import Mutation
from policies.findings import Provenance
from policies.objects import JSONObject, JSONValue, Path, field, lookup, metadata_of

KEY: Final = "weighbridge.dev/filled-in"
PATH: Final[Path] = ("metadata", "annotations", KEY)


def annotate(mutation: Mutation, max_bytes: int) -> None:
    """Tell on the object what this mutation has filled in; nothing where it has filled in nothing."""
    filled = [entry for entry in mutation.provenance if entry.value is not None]
    if not mutation.provenance:
        return
    now = {field(entry.path) for entry in mutation.provenance}
    kept = [entry for entry in _told_before(mutation.object) if entry["field"] not in now]
    text = _fitted([*kept, *map(_entry, filled)], max_bytes)
    if text:
        mutation.replace(PATH, text, source="configuration", reason="annotations.objects")
    else:
        mutation.remove(PATH, source="configuration", reason="annotations.objects")


def _entry(told: Provenance) -> JSONObject:
    return {"field": field(told.path), "value": told.value, "source": told.source}


def _told_before(obj: JSONObject) -> Iterator[JSONObject]:
    """The entries of the annotation that stands there already; what isn't ours is passed over."""
    annotations = metadata_of(obj).get("annotations")
    text = annotations.get(KEY) if isinstance(annotations, dict) else None
    try:
        entries = json.loads(text) if isinstance(text, str) else []
    except ValueError:
        return
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict) and isinstance(entry.get("field"), str) and _value_at(obj, entry["field"]) == entry.get("value"):
            yield entry


def _value_at(obj: JSONObject, told: str) -> JSONValue:
    """The value at a field as Kubernetes prints it, of those that defaults fill in: keys without dots, and indexes."""
    steps = (step for part in told.split(".") for step in part.replace("]", "").split("["))
    return lookup(obj, [int(step) if step.isdigit() else step for step in steps])


def _fitted(entries: list[JSONObject], max_bytes: int) -> str:
    """As many entries as have room; empty where there is none for any."""
    for count in range(len(entries), 0, -1):
        left = len(entries) - count
        text = json.dumps([*entries[:count], *([{"more": left}] if left else [])], separators=(",", ":"), ensure_ascii=False)
        if len(text.encode("utf-8", "surrogatepass")) <= max_bytes:
            return text
    return ""
