"""Records on an object what was filled into it, so that it can be updated later. `fill/record.py` describes the record.

A new record is written if the configuration asks for it. A record that exists is always kept up to date. A record that the author wrote
stays as it is.
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
    """Update the record with what this mutation filled into the `fields`. The mutation doesn't report changes of the record itself."""
    if mutation.authorship.owns_record or not (is_asked_for or has_record(mutation.object)):
        return
    reported = len(mutation.provenance)
    kept = [entry for entry in mutation.authorship.kept(mutation.object, fields) if not _is_replaced(entry, mutation.provenance)]
    entries = [*kept, *_filled(mutation.provenance)]
    text = record_text(entries, min(max_bytes, _room(mutation.object)), mutation.authorship.unrecorded) if entries else ""
    annotations = metadata_of(mutation.object).get("annotations")
    if not text:
        # The API server drops an empty map.
        is_alone = isinstance(annotations, dict) and annotations.keys() == {KEY}
        mutation.remove(PATH[:-1] if is_alone else PATH, source=_SOURCE, reason=_REASON)
    elif annotations is None:
        # One operation of the patch: the others are about fields.
        mutation.replace(PATH[:-1], {KEY: text}, source=_SOURCE, reason=_REASON)
    else:
        mutation.replace(PATH, text, source=_SOURCE, reason=_REASON)
    del mutation.provenance[reported:]


def _room(obj: JSONObject) -> int:
    """The bytes that other annotations leave for the record. The API server limits the size of all annotations together."""
    others = {key: value for key, value in text_map(obj, "metadata", "annotations").items() if key != KEY}
    return MAX_ANNOTATION_BYTES - len(KEY) - annotation_bytes(others)


def _filled(provenance: list[Provenance]) -> list[Recorded]:
    """Entries of the record for what was filled in; the items of a list have entries of their own."""
    values = (entry for entry in provenance if entry.value is not None and type(entry.value) is not list)
    return [Recorded(entry.path, entry.value, entry.source) for entry in values]


def _is_replaced(entry: Recorded, provenance: list[Provenance]) -> bool:
    return any(newer.path == entry.path for newer in provenance)


def provenance_of_record(obj: JSONObject, fields: frozenset[Path]) -> list[Provenance]:
    """The provenance of the recorded values that are still in one of the `fields`."""
    found = within(standing(read_record(obj), obj), fields)
    return [Provenance(entry.path, entry.value, entry.source, f"recorded in {KEY}") for entry in found]
