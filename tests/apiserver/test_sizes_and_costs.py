"""The measures of an object: the bytes of its annotations and managed fields, and the costs of its rules."""

from __future__ import annotations

import pytest

from tests.apiserver.probe import a_plain, a_probe, send
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.object_meta import annotation_bytes, subdomain_name, validate_object_meta

KIB_256 = 256 * 1024


def fields_of(metadata: JSONObject) -> list[str]:
    found = validate_object_meta({"name": "a"} | metadata, namespaced=None, path="metadata", name_rule=subdomain_name)
    return [error.field for error in found]


def test_keys_and_values_of_all_annotations_count_in_bytes() -> None:
    assert annotation_bytes({}) == 0
    assert annotation_bytes({"ab": "cde", "f": "é"}) == 8
    half = "x" * (KIB_256 // 2 - 2)
    assert fields_of({"annotations": {"a1": half, "a2": half}}) == []
    assert fields_of({"annotations": {"a1": half, "a2": half + "x"}}) == ["metadata.annotations"]


@pytest.mark.parametrize(
    ("entry", "fields"),
    [
        ({"manager": "x" * 128, "subresource": "s" * 256}, []),
        ({"manager": "x" * 129}, ["manager"]),
        ({"manager": "é" * 64}, []),
        ({"manager": "é" * 64 + "x"}, ["manager"]),
        ({"subresource": "s" * 257}, ["subresource"]),
        ({"operation": "Apply"}, []),
        ({"operation": "apply"}, ["operation"]),
        ({"operation": ""}, ["operation"]),
        ({"fieldsType": "FieldsV1"}, []),
        ({"fieldsType": "fieldsV1"}, ["fieldsType"]),
        ({"manager": "a b"}, []),
        ({"manager": "a\u00a0b"}, ["manager"]),
        ({"manager": "\n\n"}, ["manager", "manager"]),
    ],
)
def test_an_entry_of_managed_fields_has_its_limits(entry: JSONObject, fields: list[str]) -> None:
    entries = [{"operation": "Update"}, {"operation": "Update"} | entry]
    assert fields_of({"managedFields": entries}) == [f"metadata.managedFields[1].{field}" for field in fields]


def test_the_cost_of_rules_is_told(probe: ResourceDefinition, plain: ResourceDefinition) -> None:
    def cost(definition: ResourceDefinition, body: JSONObject) -> int:
        validated = send(definition, body).validated
        assert validated is not None
        return validated.cel_cost

    alone = cost(probe, a_probe())
    assert 0 < alone < cost(probe, a_probe(spec={"gone": "good"})) < 100
    assert cost(plain, a_plain()) == 0
    assert cost(probe, a_probe(spec={"text": "x" * 11})) == 0, "after an error that blocks them no rule is asked"
