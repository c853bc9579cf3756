"""The whole chain on whole objects: pruned paths, defaults, errors, rules, costs and warnings, against the recorded verdicts."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from policies.apiserver.decode import decode
from policies.apiserver.definitions import ResourceDefinition, read_crd
from policies.apiserver.validation import Outcome, validate_create, validate_update
from policies.field_errors import FieldError
from policies.objects import FieldValidation, GroupVersionKind, JSONObject, Operation
from policies.request import Request

#: What a run may cost altogether; the recorded cost is what is missing from it afterwards.
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


def texts(errors: list[FieldError], definition: ResourceDefinition) -> Counter[tuple[str, str, str]]:
    return Counter((str(error.type), error.field_text, str(error)) for error in errors)


def expected_texts(verdict: JSONObject, definition: ResourceDefinition) -> Counter[tuple[str, str, str]]:
    # The vectors come from calling the validators one by one, which says "not checked" even where there is nothing to check.
    return Counter(
        (error["type"], error["field"], error["message"])
        for error in verdict["errors"]
        if definition.rules.has_rules or NOT_CHECKED not in error["message"]
    )


def check(definition: ResourceDefinition, body: JSONObject, old_body: JSONObject | None, verdict: JSONObject) -> None:
    obj, pruned = decoded(body, definition)
    assert pruned == verdict.get("prunedPaths", [])
    old = None
    if old_body is not None:
        old, pruned_old = decoded(old_body, definition)
        assert pruned_old == verdict.get("prunedPathsOld", [])
    assert obj == verdict["object"]
    outcome: Outcome = validate_create(obj, definition) if old is None else validate_update(obj, old, definition)
    assert texts(outcome.errors, definition) == expected_texts(verdict, definition)
    assert sorted(outcome.warnings) == sorted(verdict.get("warnings", []))
    if "celCost" in verdict:
        result = definition.rules.validate(obj, old, has_old=old is not None, budget=BUDGET)
        assert BUDGET - result.remaining_budget == verdict["celCost"]


@pytest.fixture(scope="module")
def crd_schemas(shared: Path) -> dict[str, JSONObject]:
    schemas: dict[str, JSONObject] = json.loads((shared / "conformance" / "crd_schemas.json").read_text())
    return schemas


def test_real_resources_get_the_recorded_verdicts(shared: Path, crd_schemas: dict[str, JSONObject], subtests: pytest.Subtests) -> None:
    @cache
    def definition_of(key: str) -> ResourceDefinition:
        entry = crd_schemas[key]
        return a_definition(GroupVersionKind(entry["group"], entry["version"], entry["kind"]), entry["schema"])

    for case in json.loads((shared / "conformance" / "crd_cases.json").read_text())["cases"]:
        with subtests.test(case["id"]):
            check(definition_of(case["schemaKey"]), case["object"], case.get("oldObject"), case["verdict"])


def test_edge_cases_get_the_recorded_verdicts(shared: Path, subtests: pytest.Subtests) -> None:
    for entry in json.loads((shared / "conformance" / "probe_schema.json").read_text())["cases"]:
        case = entry["case"]
        gvk = GroupVersionKind.from_object(case["object"])
        with subtests.test(case["id"]):
            assert gvk is not None
            check(a_definition(gvk, case["schema"]), case["object"], case.get("oldObject"), entry["verdict"])
