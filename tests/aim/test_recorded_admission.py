"""The answers of a real API server with AIM's CRDs, object by object and patch by patch, for both groups."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.aim.records import FILES, records
from tests.conftest import CountVectors
from weighbridge.policies.apiserver.admission import Refusal, decode, validate
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, JSONObject, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

DEFINITIONS = bundled_definitions()


def definition_of(obj: JSONObject) -> ResourceDefinition | None:
    gvk = GroupVersionKind.from_object(obj)
    return DEFINITIONS.get(gvk) if gvk is not None and gvk.group.startswith("aim.") else None


def answer(obj: JSONObject, old: JSONObject | None = None) -> tuple[JSONObject | None, Refusal | None]:
    """The object as it is stored, or the API server's error."""
    definition = definition_of(obj)
    assert definition is not None
    operation = Operation.CREATE if old is None else Operation.UPDATE
    request = Request(
        "1",
        operation,
        definition.gvk,
        copy.deepcopy(obj),
        copy.deepcopy(old),
        namespace=namespace_of(obj),
        name=name_of(obj),
        field_validation=FieldValidation.IGNORE,
    )
    decoded = decode(request, definition)
    if decoded.refusal is not None or not isinstance(decoded.object, dict):
        return None, decoded.refusal
    validated = validate(request, decoded.object, definition)
    return (None, validated.refusal) if validated.refusal is not None else (validated.object, None)


def merged(obj: Any, patch: Any) -> Any:
    """A JSON merge patch applied (RFC 7386)."""
    if not isinstance(patch, dict):
        return copy.deepcopy(patch)
    out = dict(obj) if isinstance(obj, dict) else {}
    for key, value in patch.items():
        if value is None:
            out.pop(key, None)
        else:
            out[key] = merged(out.get(key), value)
    return out


def as_operator_leaves_it(obj: JSONObject) -> JSONObject:
    """A service as both operators write it back with their finalizer: it always has a `template`, even if its author left it out."""
    if obj["kind"] == "AIMService" and isinstance(obj.get("spec"), dict):
        return {**obj, "spec": {"template": {}, **obj["spec"]}}
    return obj


def asked(record: dict[str, Any]) -> Iterator[tuple[str, JSONObject | None, Refusal | None]]:
    """The requests of a case to the server, by their names in the record, with our answer."""
    stored: dict[str, JSONObject] = {}
    for obj in record["objects"]:
        if definition_of(obj) is None:
            continue
        name = f"{obj['kind']}/{name_of(obj)}"
        kept, refusal = answer(obj)
        if kept is not None:
            stored[name] = as_operator_leaves_it(kept)
        yield f"object {name}", kept, refusal
    for step in record.get("steps", ()):
        for patch in step.get("patch", ()):
            name = f"{patch['kind']}/{patch['name']}"
            if name in stored:
                kept, refusal = answer(merged(stored[name], patch["body"]), stored[name])
                stored[name] = kept or stored[name]
                yield f"patchOf {name}", kept, refusal


@pytest.mark.parametrize("file", FILES)
def test_every_recorded_answer_is_ours(file: str, shared: Path, count_vectors: CountVectors) -> None:
    wrong: dict[str, tuple[str, str]] = {}
    counts: Counter[str] = Counter()
    for record in records(file):
        theirs = {f"{key} {entry[key]}": entry for entry in record.get("refused") or () for key in ("object", "patchOf") if key in entry}
        for name, _, refusal in asked(record):
            counts["all"] += 1
            expected = theirs.pop(name, {}).get("message", "")
            ours = refusal.message.strip() if refusal is not None else ""
            if ours != expected:
                wrong[f"{record['id']} {name}"] = ours, expected
        wrong |= {f"{record['id']} {name}": ("", entry["message"]) for name, entry in theirs.items()}
    assert not wrong
    count_vectors(f"{file} admission", counts["all"], counts["all"])
