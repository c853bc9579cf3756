"""Records on an object what was filled into it, so that it can be updated later. `fill/record.py` describes the record.

It is written where the configuration asks for it, and kept up to date wherever there is one. What an object's author wrote as such a
record stays as they wrote it.
"""

from __future__ import annotations

from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.record import KEY, PATH, Recorded, has_record, read_record, record_text, standing, within
from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.findings import Provenance
from weighbridge.policies.ground.objects import JSONObject, Path, metadata_of
from weighbridge.policies.schema.object_meta import MAX_ANNOTATION_BYTES, annotation_bytes

_SOURCE = "configuration"
_REASON = "annotations.objects"


def annotate(mutation: Mutation, fields: frozenset[Path], max_bytes: int, *, is_asked_for: bool) -> None:
    """Update the record with what this mutation filled into the `fields`. Changes of the record itself aren't reported."""
    if mutation.authorship.owns_record or not (is_asked_for or has_record(mutation.object)):
        return
    told = len(mutation.provenance)
    kept = [entry for entry in mutation.authorship.kept(mutation.object, fields) if not _is_replaced(entry, mutation.provenance)]
    entries = [*kept, *_filled(mutation.provenance)]
    text = record_text(entries, min(max_bytes, _room(mutation.object)), mutation.authorship.unrecorded) if entries else ""
    annotations = metadata_of(mutation.object).get("annotations")
    if not text:
        # The server drops a map that is left empty.
        is_alone = isinstance(annotations, dict) and annotations.keys() == {KEY}
        mutation.remove(PATH[:-1] if is_alone else PATH, source=_SOURCE, reason=_REASON)
    elif annotations is None:
        # One operation: what stands beside it in the patch is about fields.
        mutation.replace(PATH[:-1], {KEY: text}, source=_SOURCE, reason=_REASON)
    else:
        mutation.replace(PATH, text, source=_SOURCE, reason=_REASON)
    del mutation.provenance[told:]


def _room(obj: JSONObject) -> int:
    """The bytes that other annotations leave for the record. The API server limits the size of all annotations together."""
    others = {key: value for key, value in text_map(obj, "metadata", "annotations").items() if key != KEY}
    return MAX_ANNOTATION_BYTES - len(KEY) - annotation_bytes(others)


def _filled(provenance: list[Provenance]) -> list[Recorded]:
    """What was filled in, as the record has it; a list is told item by item."""
    values = (entry for entry in provenance if entry.value is not None and type(entry.value) is not list)
    return [Recorded(entry.path, entry.value, entry.source) for entry in values]


def _is_replaced(entry: Recorded, provenance: list[Provenance]) -> bool:
    return any(told.path == entry.path for told in provenance)


def provenance_of_record(obj: JSONObject, fields: frozenset[Path]) -> list[Provenance]:
    """The provenance of the recorded values that are still in one of the `fields`."""
    found = within(standing(read_record(obj), obj), fields)
    return [Provenance(entry.path, entry.value, entry.source, f"told by {KEY}") for entry in found]
