"""The whole chain on whole objects equals the recorded verdicts: pruned paths, defaults, errors, rules, costs and warnings."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path

from tests.conftest import CountVectors
from weighbridge.policies.apiserver.decode import decode
from weighbridge.policies.apiserver.definitions import ResourceDefinition, read_crd
from weighbridge.policies.apiserver.validation import ValidationOutcome, validate_create, validate_update
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request

#: The budget of a run; the recorded cost is what the run used of it.
BUDGET = 10_000_000
NOT_CHECKED = "some validation rules were not checked because the object was invalid"


def a_definition(gvk: GroupVersionKind, schema: JSONObject) -> ResourceDefinition:
    version = {"name": gvk.version, "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"} | schema}}
    names = {"plural": gvk.kind.lower() + "s", "kind": gvk.kind}
    spec = {"group": gvk.group, "scope": "Cluster", "names": names, "versions": [version]}
    manifest = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "x"}, "spec": spec}
    return read_crd(manifest)[0]


def decoded(body: JSONObject, definition: ResourceDefinition) -> tuple[JSONObject, list[str]]:
    """The object as webhooks would see it, and the paths that were pruned."""
    request = Request("1", Operation.CREATE, definition.gvk, body, name="n", field_validation=FieldValidation.WARN)
    result = decode(request, definition)
    assert result.refusal is None
    assert isinstance(result.object, dict)
    return result.object, [finding.field for finding in result.findings]


def texts(errors: list[FieldError]) -> Counter[tuple[str, str, str]]:
    return Counter((str(error.type), error.field_text, str(error)) for error in errors)


def expected_texts(verdict: JSONObject, definition: ResourceDefinition) -> Counter[tuple[str, str, str]]:
    # For the vectors the validators were called one by one, which reports "not checked" even if there is nothing to check.
    return Counter(
        (error["type"], error["field"], error["message"])
        for error in verdict["errors"]
        if definition.has_rules or NOT_CHECKED not in error["message"]
    )


def differences(definition: ResourceDefinition, body: JSONObject, old_body: JSONObject | None, verdict: JSONObject) -> list[str]:
    """The parts in which the chain's result differs from the recorded verdict."""
    obj, pruned = decoded(body, definition)
    old, pruned_old = (None, []) if old_body is None else decoded(old_body, definition)
    outcome: ValidationOutcome = validate_create(obj, definition) if old is None else validate_update(obj, old, definition)
    pairs: dict[str, tuple[object, object]] = {
        "prunedPaths": (pruned, verdict.get("prunedPaths", [])),
        "prunedPathsOld": (pruned_old, verdict.get("prunedPathsOld", [])),
        "object": (obj, verdict["object"]),
        "errors": (texts(outcome.errors), expected_texts(verdict, definition)),
        "warnings": (sorted(outcome.warnings), sorted(verdict.get("warnings", []))),
    }
    if "celCost" in verdict:
        is_typed = old is None or (definition.schema.holds(obj) and definition.schema.holds(old))
        result = definition.rules.validate(obj, old, has_old=old is not None, budget=BUDGET, is_typed=is_typed)
        pairs["celCost"] = (BUDGET - result.remaining_budget, verdict["celCost"])
    return [f"{part}: {ours!r}, recorded {recorded!r}" for part, (ours, recorded) in pairs.items() if ours != recorded]


def test_real_resources_get_the_recorded_verdicts(shared: Path, count_vectors: CountVectors) -> None:
    schemas: dict[str, JSONObject] = json.loads((shared / "conformance" / "crd_schemas.json").read_text())
    cases: list[JSONObject] = json.loads((shared / "conformance" / "crd_cases.json").read_text())["cases"]

    @cache
    def definition_of(key: str) -> ResourceDefinition:
        entry = schemas[key]
        return a_definition(GroupVersionKind(entry["group"], entry["version"], entry["kind"]), entry["schema"])

    wrong = {
        case["id"]: found
        for case in cases
        if (found := differences(definition_of(case["schemaKey"]), case["object"], case.get("oldObject"), case["verdict"]))
    }
    assert not wrong
    assert len(cases) > 900
    count_vectors("crd_cases", len(cases), len(cases))
    count_vectors("crd_schemas", len(schemas), len(schemas))


def test_edge_cases_get_the_recorded_verdicts(shared: Path, count_vectors: CountVectors) -> None:
    entries: list[JSONObject] = json.loads((shared / "conformance" / "probe_schema.json").read_text())["cases"]
    wrong = {}
    for entry in entries:
        case = entry["case"]
        gvk = GroupVersionKind.from_object(case["object"])
        assert gvk is not None
        found = differences(a_definition(gvk, case["schema"]), case["object"], case.get("oldObject"), entry["verdict"])
        if found:
            wrong[case["id"]] = found
    assert not wrong
    assert len(entries) > 100
    count_vectors("probe_schema", len(entries), len(entries))
