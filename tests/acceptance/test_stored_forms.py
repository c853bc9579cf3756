"""Definitions in their forms for validation and storage: fields are filled in, moved above the versions, or left out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.acceptance.definitions import two_versions, with_root
from weighbridge.policies.apiserver.acceptance import acceptance_errors
from weighbridge.policies.apiserver.acceptance.spec_form import schema_nodes, spec_form
from weighbridge.policies.apiserver.acceptance.stored_form import add_storage_version, fill_in, written
from weighbridge.policies.apiserver.acceptance.version_fields import has_status
from weighbridge.policies.ground.objects import JSONObject


def filled(definition: JSONObject) -> JSONObject:
    fill_in(definition)
    return definition


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ({}, {"spec": {"names": {}, "conversion": {"strategy": "None"}}, "status": {}}),
        (
            {"spec": {"names": {"kind": "AbC"}, "conversion": {"strategy": "x"}}},
            {"spec": {"names": {"kind": "AbC", "singular": "abc", "listKind": "AbCList"}, "conversion": {"strategy": "x"}}, "status": {}},
        ),
        (
            {"spec": {"names": {"kind": "A", "singular": "s", "listKind": "L"}, "conversion": {"webhook": {}}}},
            {"spec": {"names": {"kind": "A", "singular": "s", "listKind": "L"}, "conversion": {}}, "status": {}},
        ),
        (
            {"spec": {"names": {}, "conversion": {"webhook": {"conversionReviewVersions": []}}}},
            {"spec": {"names": {}, "conversion": {"webhook": {"conversionReviewVersions": []}}}, "status": {}},
        ),
        (
            {"spec": {"names": {}, "conversion": {"webhook": {"clientConfig": {"service": {}}}}}},
            {"spec": {"names": {}, "conversion": {"webhook": {"clientConfig": {"service": {"port": 443}}}}}, "status": {}},
        ),
        (
            {"spec": {"names": {}, "conversion": {}, "versions": [{"name": "v1"}]}, "status": {"storedVersions": []}},
            {"spec": {"names": {}, "conversion": {}, "versions": [{"name": "v1"}]}, "status": {}},
        ),
    ],
)
def test_what_is_left_open_is_filled_in(definition: JSONObject, expected: JSONObject) -> None:
    assert filled(definition) == expected


@pytest.mark.parametrize(
    ("versions", "stored", "expected"),
    [
        ([{"name": "v1"}, {"name": "v2", "storage": True}], None, ["v2"]),
        ([{"name": "v1", "storage": True}, {"name": "v2", "storage": True}], None, ["v1"]),
        ([{"name": "v2", "storage": True}], ["v1"], ["v1", "v2"]),
        ([{"name": "v2", "storage": True}], ["v2", "v1"], ["v2", "v1"]),
        ([{"storage": True}], None, [""]),
        ([{"name": "v1"}], ["v1"], ["v1"]),
        ([{"name": "v1"}], None, None),
    ],
)
def test_the_storage_version_is_noted_once(versions: Any, stored: Any, expected: Any) -> None:
    definition: JSONObject = {"spec": {"versions": versions}, "status": {} if stored is None else {"storedVersions": stored}}
    add_storage_version(definition)
    assert definition["status"].get("storedVersions") == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"items": [{"type": "string"}, {}]}, {"items": [{"type": "string"}, {}]}),
        ({"items": []}, {}),
        ({"items": {"maximum": 1.0}}, {"items": {"maximum": 1}}),
        ({"dependencies": {"a": ["b"], "c": [], "d": {"title": "t"}}}, {"dependencies": {"a": ["b"], "c": None, "d": {"title": "t"}}}),
        ({"additionalProperties": True}, {"additionalProperties": True}),
        ({"properties": {"a": {"enum": [1.0]}}, "required": [], "allOf": []}, {"properties": {"a": {"enum": [1]}}}),
    ],
)  # fmt: skip
def test_a_schema_is_written_without_what_is_empty(schema: JSONObject, expected: JSONObject) -> None:
    crd = written({"metadata": {}, "spec": {"versions": [{"name": "v1", "schema": {"openAPIV3Schema": schema}}]}})
    assert crd["spec"]["versions"] == [{"name": "v1", "served": False, "storage": False, "schema": {"openAPIV3Schema": expected}}]


def test_what_all_versions_share_stands_above_them() -> None:
    one, other = {"openAPIV3Schema": {"type": "object"}}, {"openAPIV3Schema": {"type": "object", "nullable": True}}
    shared = spec_form(two_versions({"schema": one}, {"schema": one})["spec"])
    assert (shared.validation, shared.schema_for("v1"), shared.schema_for("v9")) == (one, one, one)
    assert (shared.has_schema_for("v1"), shared.has_schema_for("v9"), shared.version) == (True, True, "v1")
    apart = spec_form(two_versions({"schema": one}, {"schema": other})["spec"])
    assert (apart.validation, apart.schema_for("v1"), apart.schema_for("v2"), apart.schema_for("v9")) == (None, one, other, None)
    assert (apart.has_schema_for("v2"), apart.has_schema_for("v9")) == (True, False)
    assert list(apart.schemas()) == [one["openAPIV3Schema"], other["openAPIV3Schema"]]


def test_the_nodes_of_a_schema_are_all_that_stand_below_it() -> None:
    def leaf(name: str) -> JSONObject:
        return {"title": name}

    schema: JSONObject = {
        "title": "root",
        "items": {"title": "items", "not": leaf("not")},
        "allOf": [leaf("all")],
        "anyOf": [leaf("any"), leaf("any 2")],
        "oneOf": [leaf("one")],
        "properties": {"a": leaf("property")},
        "additionalProperties": leaf("value"),
        "additionalItems": leaf("more"),
        "patternProperties": {"x": leaf("pattern")},
        "definitions": {"x": leaf("definition")},
        "dependencies": {"x": leaf("dependency"), "y": ["a"]},
        "default": leaf("no node"),
    }
    assert [node["title"] for node in schema_nodes(schema)] == [
        "root", "items", "not", "all", "any", "any 2", "one", "property", "value", "more", "pattern", "definition", "dependency",
    ]  # fmt: skip


@pytest.mark.parametrize(("subresources", "expected"), [
    (None, False), ({}, False), ({"scale": {}}, False), ({"status": None}, False), ({"status": {}}, True),
])  # fmt: skip
def test_the_status_has_an_endpoint_where_the_subresources_say_so(subresources: JSONObject | None, expected: bool) -> None:
    assert has_status(subresources) is expected


def test_with_a_status_endpoint_only_a_few_keywords_stand_at_the_root() -> None:
    root = {"type": "object", "minProperties": 1}
    assert acceptance_errors(with_root(root)) == []
    (error,) = acceptance_errors(with_root(root, subresources={"status": {}}))
    assert error.field == "spec.validation.openAPIV3Schema"
    assert "root" in error.detail
    assert acceptance_errors(with_root({"type": "object", "description": "d"}, subresources={"status": {}})) == []
