"""Our answers equal those of a real API server with LLMKube's CRDs and its webhook for Models, object by object, for v0.9.5 and the newest
version.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CountVectors
from tests.llmkube.upstream_model_webhook import MODEL_WEBHOOK, defaulted_model, model_refusal
from weighbridge.policies.apiserver.admission import Refusal, decode, headers, validate
from weighbridge.policies.apiserver.definitions import Definitions, ResourceDefinition
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, JSONObject, JSONValue, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

RECORDS = "conformance/operators/llmkube.jsonl.gz"
#: The webhooks that only refuse; other tests compare their messages.
VALIDATING = ("vmodelrouter.inference.llmkube.dev", "vinferenceservicequota.inference.llmkube.dev")
#: Parts of a record that are about a cluster, not about an object.
BUILT_IN = frozenset({"PersistentVolumeClaim", "Secret", "Namespace", "ResourceClaim", "ResourceClaimTemplate"})


@dataclass
class Admission:
    """An answer of the API server."""

    code: int
    message: str = ""
    causes: list[JSONObject] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    changed: JSONObject = field(default_factory=dict)


@cache
def definitions(version: str) -> Definitions:
    return bundled_definitions(parse({"llmkube": {} if version == "head" else {"version": version}}))


def definition_of(version: str, obj: JSONObject) -> ResourceDefinition:
    found = definitions(version).get(GroupVersionKind("inference.llmkube.dev", "v1alpha1", obj["kind"]))
    assert found is not None
    return found


def admitted(obj: JSONObject, version: str, webhooks: list[str], field_validation: FieldValidation) -> Admission:
    """Our answer to the creation of an object."""
    definition = definition_of(version, obj)
    request = Request(
        "1",
        Operation.CREATE,
        definition.gvk,
        obj,
        namespace=namespace_of(obj),
        name=name_of(obj),
        field_validation=field_validation,
    )
    decoded = decode(request, definition)
    if decoded.refusal is not None or not isinstance(decoded.object, dict):
        assert decoded.refusal is not None
        return refused(decoded.refusal, decoded.warnings)
    given = decoded.object
    if obj["kind"] == "Model" and MODEL_WEBHOOK in webhooks:
        unreadable = model_refusal(given)
        if unreadable is not None:
            return refused(unreadable, decoded.warnings)
        given = defaulted_model(given)
    validated = validate(request, given, definition)
    warnings = [*decoded.warnings, *validated.warnings]
    if validated.refusal is not None:
        return refused(validated.refusal, warnings)
    return Admission(201, warnings=unquoted(warnings), changed=dict(changes(obj.get("spec"), spec_of(validated.object), "spec")))


def refused(refusal: Refusal, warnings: list[str]) -> Admission:
    return Admission(refusal.code, refusal.message, list(refusal.causes), unquoted(warnings))


def unquoted(warnings: list[str]) -> list[str]:
    """Warnings in the form of the records, without the quotes of the header."""
    return [warning.replace('"', "") for warning in headers(warnings)]


def spec_of(obj: JSONValue) -> JSONValue:
    return obj.get("spec") if isinstance(obj, dict) else None


def changes(before: JSONValue, after: JSONValue, path: str) -> Iterator[tuple[str, JSONValue]]:
    """The added, replaced and dropped values by their paths, dropped ones as null; nulls in the sent object don't count."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in {**before, **after}:
            if before.get(key) is not None or key in after:
                yield from changes(before.get(key), after.get(key), f"{path}.{key}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from changes(one, other, f"{path}[{index}]")
    elif before != after:
        yield path, after


def recorded(entry: JSONObject) -> Admission:
    causes, warnings = entry.get("causes", []), entry.get("warnings", [])
    return Admission(entry["code"], entry.get("message", ""), causes, warnings, entry.get("changed", {}))


def cases(shared: Path) -> list[Any]:
    with gzip.open(shared / RECORDS, "rt") as file:
        return [case for case in map(json.loads, file) if "operator" in case]


@pytest.mark.parametrize("version", ["head", "v0.9.5"])
def test_every_recorded_answer_is_ours(shared: Path, count_vectors: CountVectors, version: str) -> None:
    wrong: dict[str, tuple[Admission, Admission]] = {}
    counts: Counter[str] = Counter()
    for case in cases(shared):
        operator = case["operator"]
        if operator["version"] != version:
            continue
        # The cases of this name are sent as kubectl sends them.
        strict = FieldValidation.STRICT if case["id"].endswith("strict-typo") else FieldValidation.WARN
        for obj, entry in zip(case["objects"], case["outcome"]["admission"], strict=True):
            if obj["kind"] in BUILT_IN:
                continue
            theirs = recorded(entry)
            counts["all"] += 1
            ours = admitted(obj, version, operator["webhooks"], strict)
            if any(f'webhook "{name}" denied' in theirs.message for name in VALIDATING):
                # These come last: the API server itself would accept the objects that they refuse.
                counts["refused by others"] += 1
                theirs = Admission(201, changed=ours.changed)
            if ours != theirs:
                wrong[f"{case['id']} {obj['kind']}"] = ours, theirs
    assert not wrong
    assert counts["all"] > 500
    count_vectors(f"llmkube admission {version}", counts["all"] - counts["refused by others"], counts["all"])
