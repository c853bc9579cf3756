"""Coercion and validation of embedded objects, compared with the recorded verdicts."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import CountVectors
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.embedded import EmbeddedResourceError, EmbeddedResources
from weighbridge.policies.schema.node import Schema


def cases(shared: Path, name: str) -> list[JSONObject]:
    found: list[JSONObject] = json.loads((shared / "conformance" / name).read_text())["cases"]
    assert len(found) > 70
    return found


def resources(case: JSONObject) -> EmbeddedResources:
    return EmbeddedResources(Schema(case["schema"] or {}), is_resource_root=case["isResourceRoot"])


def path_of(case: JSONObject) -> str:
    path: str = case["path"]
    return "" if path == "<nil>" else path


def test_embedded_objects_are_validated_as_recorded(shared: Path, count_vectors: CountVectors) -> None:
    recorded = cases(shared, "objectmeta.json")
    for case in recorded:
        errors = resources(case).validate(case["object"], path_of(case))
        found = sorted((str(error.type), error.field_text, str(error)) for error in errors)
        assert found == sorted((error["type"], error["field"], error["message"]) for error in case["errors"]), case["test"]
    count_vectors("objectmeta", len(recorded), len(recorded))


def test_embedded_objects_are_coerced_as_recorded(shared: Path, count_vectors: CountVectors) -> None:
    recorded = cases(shared, "coerce.json")
    for case in recorded:
        obj, errors, unknown = case["object"], [], []
        try:
            unknown = resources(case).coerce(obj, path_of(case), drop_invalid=case["dropInvalidFields"])
        except EmbeddedResourceError as error:
            errors = [str(error)]
        assert errors == [error["message"] for error in case["errors"]], case["test"]
        if not errors:
            assert obj == case["coerced"], case["test"]
        if case["returnUnknown"]:
            assert unknown == (case["unknown"] or []), case["test"]
    count_vectors("coerce", len(recorded), len(recorded))
