"""A body is decoded as a definition; these tests need no server."""

from __future__ import annotations

from typing import Any

import pytest

from tests.acceptance.definitions import DROP, edited, one_version, two_versions, with_rule, with_x
from weighbridge.policies.apiserver.acceptance import KIND, acceptance_errors, decode_definition, validate_definition
from weighbridge.policies.apiserver.acceptance.typed_decode import MAX_DEPTH
from weighbridge.policies.ground.go_base64 import base64_fault
from weighbridge.policies.ground.objects import FieldValidation, JSONObject, JSONValue, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.go_values import deep_copy

_PREFIX = 'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: '
_X = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/x"


def _request(body: JSONValue, **options: Any) -> Request:
    return Request(**{"uid": "1", "operation": Operation.CREATE, "gvk": KIND, "object": body, "dry_run": True} | options)


def _stored(body: JSONObject) -> JSONObject:
    request = _request(body)
    validated = validate_definition(request, decode_definition(request).object)
    assert (validated.refusal, validated.errors) == (None, [])
    stored: JSONObject = validated.object
    return stored


@pytest.mark.parametrize(
    ("place", "path"),
    [
        ("/zz", "zz"),
        ("/spec/names/zz", "spec.names.zz"),
        (f"{_X}/zz", "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.x.zz"),
    ],
)
def test_an_unknown_field_is_named_by_its_path(place: str, path: str) -> None:
    decoded = decode_definition(_request(edited(one_version(), {place: 1}), field_validation=FieldValidation.STRICT))
    assert decoded.refusal is not None
    assert (decoded.refusal.code, decoded.refusal.message) == (400, f'{_PREFIX}strict decoding error: unknown field "{path}"')
    assert [finding.field for finding in decoded.findings] == [path]


def test_an_unknown_field_is_a_warning_where_the_request_says_so() -> None:
    body = edited(one_version(), {"/zz": 1})
    assert decode_definition(_request(body, field_validation=FieldValidation.WARN)).warnings == ['unknown field "zz"']
    assert decode_definition(_request(body, field_validation=FieldValidation.IGNORE)).warnings == []


@pytest.mark.parametrize("keyword", ["items", "additionalProperties"])
def test_unknown_fields_below_types_that_decode_themselves_go_unnoticed(keyword: str) -> None:
    body = edited(one_version(), {_X: {"type": "object", keyword: {"type": "string", "zz": 1}}})
    assert decode_definition(_request(body, field_validation=FieldValidation.STRICT)).refusal is None


def test_repeated_fields_are_reported_where_the_decoder_looks_at_fields() -> None:
    seen, unseen = ("spec", "versions", 0, "name"), ("spec", "versions", 0, "schema", "openAPIV3Schema", "default", "a")
    decoded = decode_definition(_request(one_version(), field_validation=FieldValidation.STRICT), duplicates=[seen, unseen])
    assert decoded.refusal is not None
    assert decoded.refusal.message == f'{_PREFIX}strict decoding error: duplicate field "spec.versions[0].name"'


@pytest.mark.parametrize(
    ("place", "value", "why"),
    [
        ("/spec", "x", "string into Go struct field CustomResourceDefinition.spec of type v1.CustomResourceDefinitionSpec"),
        ("/spec/group", 3, "number into Go struct field CustomResourceDefinitionSpec.spec.group of type string"),
        (
            f"{_X}/items",
            {"x-kubernetes-validations": [{"rule": 5}]},
            (
                "number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.properties.items."
                "x-kubernetes-validations.rule of type string"
            ),
        ),
    ],
)
def test_a_wrong_type_is_refused_in_gos_words(place: str, value: JSONValue, why: str) -> None:
    refusal = decode_definition(_request(edited(one_version(), {place: value}))).refusal
    assert refusal is not None
    assert (refusal.code, refusal.message) == (400, f"{_PREFIX}json: cannot unmarshal {why}")


def test_a_body_without_a_type_has_that_of_the_endpoint() -> None:
    assert _stored(edited(one_version(), {"/kind": DROP, "/apiVersion": DROP})) == _stored(one_version())


def test_a_stored_definition_has_its_defaults_and_a_status() -> None:
    stored = _stored(one_version())
    assert stored["spec"]["names"] == {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"}
    assert stored["spec"]["conversion"] == {"strategy": "None"}
    assert stored["metadata"] == {"name": "things.weighbridge.test", "generation": 1}
    assert stored["status"] == {"conditions": None, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": ["v1"]}


def test_a_stored_schema_keeps_neither_empty_lists_nor_whole_floats() -> None:
    crd = with_x({"type": "number", "default": 3.0, "maximum": 5.0, "required": [], "enum": [3.0, 2.5]})
    x = _stored(crd)["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["x"]
    assert x == {"type": "number", "default": 3, "maximum": 5, "enum": [3, 2.5]}
    assert [type(number) for number in (x["default"], x["maximum"], x["enum"][0])] == [int, int, int]


def test_neither_object_of_a_request_is_touched() -> None:
    body, old = edited(one_version(), {f"{_X}/default": "a"}), _stored(one_version())
    request = _request(body, operation=Operation.UPDATE, old_object=old)
    before = deep_copy([body, old])
    validate_definition(request, decode_definition(request).object)
    assert [body, old] == before


def test_a_changed_spec_begins_a_new_generation() -> None:
    old = _stored(one_version())
    for body, generation in ((one_version(), 1), (edited(one_version(), {f"{_X}/description": "d"}), 2)):
        request = _request(body, operation=Operation.UPDATE, old_object=old)
        validated = validate_definition(request, decode_definition(request).object)
        assert (validated.refusal, validated.object["metadata"]["generation"]) == (None, generation)


def test_errors_of_one_version_stand_above_the_versions() -> None:
    (error,) = acceptance_errors(with_x({"type": "bogus"}))
    assert error.field == "spec.validation.openAPIV3Schema.properties[spec].properties[x].type"


def test_errors_of_differing_versions_stand_in_them() -> None:
    other = {"openAPIV3Schema": {"type": "object", "nullable": True}}
    assert [str(error) for error in acceptance_errors(two_versions({}, {"schema": other}))] == [
        "spec.versions[1].schema.openAPIV3Schema.nullable: Forbidden: nullable cannot be true at the root",
    ]


def test_a_rule_that_may_cost_too_much_is_refused() -> None:
    rule = "self.all(a, self.all(b, a == b || true))"
    errors = acceptance_errors(with_rule({"type": "array", "items": {"type": "integer"}}, rule))
    assert [error.body.partition(" (")[0] for error in errors] == [
        "Forbidden: estimated rule cost exceeds budget by factor of more than 100x",
        "Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema",
        (
            "Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget "
            "by factor of more than 100x"
        ),
    ]


def test_a_wrong_type_is_the_only_error() -> None:
    assert [error.detail for error in acceptance_errors(edited(with_x({}), {"/spec/group": 3}))] == [
        "json: cannot unmarshal number into Go struct field CustomResourceDefinitionSpec.spec.group of type string",
    ]


def _nested(levels: int, keyword: str) -> JSONObject:
    schema: JSONObject = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "array", "items": schema} if keyword == "items" else {"type": "object", keyword: {"a": schema}}
    return with_x(schema | {"x-kubernetes-validations": [{"rule": "true"}]})


@pytest.mark.parametrize(("keyword", "steps"), [("items", 1), ("properties", 2)])
def test_deep_schemas_are_followed_as_far_as_real_ones_go(keyword: str, steps: int) -> None:
    assert acceptance_errors(_nested((MAX_DEPTH - 20) // steps, keyword)) == []


@pytest.mark.parametrize("levels", [MAX_DEPTH + 1, 10_000])
def test_a_schema_that_nests_too_deep_gets_one_clear_error(levels: int) -> None:
    crd = _nested(levels, "items")
    (error,) = acceptance_errors(crd)
    assert error.detail.startswith(f"the definition nests deeper than {MAX_DEPTH} levels")
    refusal = decode_definition(_request(crd)).refusal
    assert refusal is not None
    assert refusal.message == error.detail


def test_a_deep_default_is_no_trouble() -> None:
    value: JSONValue = "a"
    for _ in range(MAX_DEPTH - 20):
        value = [value]
    assert acceptance_errors(with_x({"x-kubernetes-preserve-unknown-fields": True, "default": value})) == []


@pytest.mark.parametrize(
    ("text", "byte"),
    [
        *(("no base64!", 2), ("abcde", 4), ("abcdef", 4), ("abc\n=d", 5), ("\r\n!", 2), ("abcd=", 4), ("a=", 1), ("ab=", 3), ("ab=c", 2)),
        *(("ab==c", 4), ("ab=\n=c", 5), ("a\u00e9", 1), ("abcd\ne", 5)),
    ],
)
def test_the_first_fault_of_base64_is_where_go_finds_it(text: str, byte: int) -> None:
    conversion = {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"caBundle": text}}}
    refusal = decode_definition(_request(edited(one_version(), {"/spec/conversion": conversion}))).refusal
    assert refusal is not None
    assert f"illegal base64 data at input byte {byte}" in refusal.message


@pytest.mark.parametrize("text", ["", "\n", "abcd", "abc=", "ab==", "ab=\n=\r\n", "a\nb\nc\nd"])
def test_base64_may_be_broken_anywhere(text: str) -> None:
    assert base64_fault(text) is None


def test_each_fault_of_a_version_is_told() -> None:
    body = edited(one_version(), {"/spec/versions/0/name": "V" * 64})
    request = _request(body)
    errors = validate_definition(request, decode_definition(request).object).errors
    told = {error.field: error.detail for error in errors}
    for field in ("spec.version", "spec.versions[0].name"):
        assert "63 characters,a DNS-1035 label must" in told[field]
