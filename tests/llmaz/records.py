"""Recorded cases of llmaz, `llmaz.jsonl.gz`; the README next to them describes their form."""

from __future__ import annotations

import copy
import gzip
import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from tests.conftest import SHARED
from weighbridge.policies.apiserver.admission import decode, validate
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.llmaz.family import FAMILY
from weighbridge.policies.families.llmaz.operator import CONFIG, CONFIG_MAP, NAMESPACE
from weighbridge.policies.families.llmaz.subject.claims import claims_of
from weighbridge.policies.families.llmaz.upstream.rewrites import rewritten
from weighbridge.policies.families.llmaz.upstream.webhooks import objections_of
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, JSONObject, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

DEFINITIONS: Final = bundled_definitions()
_FILE: Final = SHARED / "conformance" / "operators" / "llmaz.jsonl.gz"
_KINDS: Final = (("llmaz.io", "OpenModel"), ("inference.llmaz.io", "BackendRuntime"), ("inference.llmaz.io", "Service"))


@cache
def _lines() -> list[dict[str, Any]]:
    if not _FILE.exists():
        return []
    with gzip.open(_FILE, "rt") as lines:
        return [json.loads(line) for line in lines]


def records() -> list[dict[str, Any]]:
    """All cases."""
    return [record for record in _lines() if "objects" in record]


def fixtures() -> list[JSONObject]:
    """The runtimes of the recorded cluster."""
    return next((record["fixtures"] for record in _lines() if "fixtures" in record), [])


@dataclass
class Answer:
    """The answer to one write: the stored object or the refusal; `labels` are those that upstream's webhook adds."""

    object: JSONObject | None
    message: str = ""
    beside: list[str] = field(default_factory=list)


def answer(obj: JSONObject, old: JSONObject | None = None) -> Answer:
    """The answer of the API server with llmaz's webhooks, as it is predicted here."""
    gvk = GroupVersionKind.from_object(obj)
    definition = DEFINITIONS.get(gvk) if gvk is not None else None
    if gvk is None or definition is None:
        return Answer(obj)
    operation = Operation.CREATE if old is None else Operation.UPDATE
    given = copy.deepcopy(obj)
    request = Request(
        "1",
        operation,
        gvk,
        given,
        copy.deepcopy(old),
        namespace=namespace_of(obj),
        name=name_of(obj),
        field_validation=FieldValidation.IGNORE,
    )
    decoded = decode(request, definition)
    if decoded.refusal is not None or not isinstance(decoded.object, dict):
        return Answer(None, decoded.refusal.message if decoded.refusal is not None else "")
    stored = rewritten(decoded.object, definition.openapi_schema).object
    stored = with_labels(stored)
    validated = validate(request, stored, definition)
    if validated.refusal is not None or not isinstance(validated.object, dict):
        return Answer(None, validated.refusal.message if validated.refusal is not None else "")
    # The webhook doesn't repeat the same words.
    against = list(dict.fromkeys(map(str, objections_of(validated.object, is_create=old is None))))
    if against:
        words = against[0] if len(against) == 1 else f"[{', '.join(against)}]"
        return Answer(None, f'admission webhook "v{gvk.kind.lower()}.kb.io" denied the request: {words}')
    return Answer(validated.object)


def with_labels(obj: JSONObject) -> JSONObject:
    """The object with the label that upstream's webhook writes into it."""
    metadata, spec = obj["metadata"], obj["spec"]
    if obj["kind"] == "OpenModel":
        added = {"llmaz.io/model-family-name": spec.get("familyName") or ""}
    elif obj["kind"] == "Playground":
        mains = [model.name for model in claims_of(obj).models if model.is_main]
        added = {"llmaz.io/model-name": mains[-1] if mains else ""}
    else:
        return obj
    labels = {**(metadata.get("labels") or {}), **added}
    return {**obj, "metadata": {**metadata, "labels": labels}}


@dataclass(frozen=True)
class Replayed:
    """One Playground or Service of a case with its prediction and its record."""

    object: JSONObject
    effective: Prediction
    outcome: JSONObject


def facts_of(record: dict[str, Any], stored: list[JSONObject]) -> Facts:
    """The recorded cluster at the end, without the objects that were created for the case's own objects."""
    config = record["operator"]["config"]
    held = [*stored, *(fixtures() if record["operator"]["runtimes"] else [])]
    if config is not None:
        data = {"config.data": config}
        held.append({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": CONFIG, "namespace": NAMESPACE}, "data": data})
    facts = from_objects(held, DEFINITIONS)
    facts.objects.complete(besides=[*_KINDS, ("", CONFIG_MAP)])
    return facts


def replay(record: dict[str, Any]) -> list[Replayed]:
    """The stored Playgrounds and Services of a case, in their last state."""
    stored: dict[tuple[str, str], JSONObject] = {}
    for obj in record["objects"]:
        key = (obj["apiVersion"] + obj["kind"], name_of(obj))
        kept = answer(obj, stored.get(key)).object
        if kept is not None:
            stored[key] = {**kept, "metadata": {**kept["metadata"], "uid": name_of(obj)}}
    out = []
    for key, obj in stored.items():
        if obj["kind"] not in ("Playground", "Service") or not obj["apiVersion"].startswith("inference"):
            continue
        others = [found for place, found in stored.items() if place != key]
        gvk = GroupVersionKind.from_object(obj)
        assert gvk is not None
        request = Request("1", Operation.CREATE, gvk, obj, namespace=namespace_of(obj), name=name_of(obj))
        effective = FAMILY.predict[obj["kind"]](request, facts_of(record, others), DEFAULT)
        if effective is not None:
            out.append(Replayed(obj, effective, record["outcome"]))
    return out
