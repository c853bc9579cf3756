"""apiVersion and kind of a body, in kube-apiserver's words."""

from __future__ import annotations

import pytest

from tests.apiserver.probe import a_probe, send
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.ground.objects import FieldValidation, JSONObject, JSONValue

UNRECOGNIZED = "the object provided is unrecognized (must be of type Probe): "
PARSE_ERROR = UNRECOGNIZED + "couldn't get version/kind; json parse error: json: cannot unmarshal "
GO_TYPE = 'Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
MISMATCH = "the API version in the data ({}) does not match the expected API version (weighbridge.test/v1)"


def test_a_body_without_a_kind_is_quoted_whole(probe: ResourceDefinition) -> None:
    answer = send(probe, a_probe(kind=...))
    body = '{"apiVersion":"weighbridge.test/v1","metadata":{"name":"a"},"spec":{}}'
    assert answer.message == f"{UNRECOGNIZED}Object 'Kind' is missing in '{body}' ({{\"apiVersion\":\"weighbridge.tes ...)"
    assert (answer.code, list(answer.causes), answer.decoded.object) == (400, [], None)


@pytest.mark.parametrize(("kind", "text"), [("", '"kind":"",'), (None, '"kind":null,')])
def test_an_empty_kind_is_none(probe: ResourceDefinition, kind: str | None, text: str) -> None:
    assert f'Object \'Kind\' is missing in \'{{"apiVersion":"weighbridge.test/v1",{text}' in send(probe, a_probe(kind=kind)).message


def test_without_field_validation_a_missing_kind_is_worded_otherwise(probe: ResourceDefinition) -> None:
    answer = send(probe, {}, validation=FieldValidation.IGNORE)
    assert answer.message == "Probe in version \"v1\" cannot be handled as a Probe: Object 'Kind' is missing in '{}'"


@pytest.mark.parametrize(
    ("parts", "field", "begins"),
    [
        ({"kind": 1}, ".kind", '{"apiVersion":"weighbridge.tes ...'),
        ({"apiVersion": 1}, ".apiVersion", '{"apiVersion":1,"kind":"Probe" ...'),
    ],
    ids=["kind", "apiVersion"],
)
def test_a_type_that_is_no_string_is_a_parse_error(probe: ResourceDefinition, parts: dict[str, int], field: str, begins: str) -> None:
    message = send(probe, a_probe(**parts)).message
    assert message == f"{PARSE_ERROR}number into Go struct field {field} of type string ({begins})"


@pytest.mark.parametrize(
    ("body", "word", "quoted"),
    [([1, 2], "array", "5b312c325d"), ("x", "string", "227822"), (3, "number", "33"), (True, "bool", "74727565")],
    ids=["list", "text", "number", "flag"],
)
def test_a_body_that_is_no_map_is_quoted_in_hexadecimal(probe: ResourceDefinition, body: JSONValue, word: str, quoted: str) -> None:
    assert send(probe, body).message == f"{PARSE_ERROR}{word} into {GO_TYPE} ({quoted})"


def test_a_null_body_has_no_kind(probe: ResourceDefinition) -> None:
    assert send(probe, None).message == f"{UNRECOGNIZED}Object 'Kind' is missing in 'null' (6e756c6c)"


def test_an_api_version_of_three_parts_is_none(probe: ResourceDefinition) -> None:
    answer = send(probe, a_probe(apiVersion="a/b/c"))
    assert answer.message == UNRECOGNIZED + 'unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c","kind":" ...)'


def test_a_null_api_version_is_an_accessor_error(probe: ResourceDefinition) -> None:
    why = ".apiVersion accessor error: <nil> is of the type <nil>, expected string"
    assert send(probe, a_probe(apiVersion=None)).message == f'Probe in version "" cannot be handled as a Probe: {why}'


@pytest.mark.parametrize("validation", list(FieldValidation))
@pytest.mark.parametrize(("api_version", "shown"), [("other/v1", "other/v1"), ("v1", "v1"), ("", ""), (..., ""), ("/v1", "v1")])
def test_another_group_is_refused_whatever_else_is_wrong(
    probe: ResourceDefinition, api_version: str, shown: str, validation: FieldValidation
) -> None:
    answer = send(probe, a_probe(apiVersion=api_version, zz=1), validation=validation)
    assert (answer.code, answer.message, answer.warnings) == (400, MISMATCH.format(shown), [])


def test_of_a_version_that_the_resource_has_not_everything_is_unknown(probe: ResourceDefinition) -> None:
    body = a_probe(apiVersion="weighbridge.test/v9")
    strict = send(probe, body)
    assert strict.message == 'Probe in version "v9" cannot be handled as a Probe: strict decoding error: unknown field "spec"'
    warned = send(probe, body, validation=FieldValidation.WARN)
    assert (warned.message, warned.warnings) == (MISMATCH.format("weighbridge.test/v9"), ['unknown field "spec"'])
    assert send(probe, body, validation=FieldValidation.IGNORE).warnings == []


def test_an_unserved_version_is_read_by_its_own_schema(probe: ResourceDefinition) -> None:
    body = a_probe(apiVersion="weighbridge.test/v0", spec={"ancient": "x", "text": "y"})
    assert send(probe, body).message.endswith('strict decoding error: unknown field "spec.text"')


def test_an_empty_version_trips_the_wording_of_strict_errors(probe: ResourceDefinition) -> None:
    answer = send(probe, a_probe(apiVersion="weighbridge.test/"))
    assert answer.message == "Object 'apiVersion' is missing in 'object has no apiVersion field'"


def test_another_kind_is_invalid_and_names_itself(probe: ResourceDefinition) -> None:
    answer = send(probe, a_probe(kind="Pod", zz=1))
    assert answer.message == 'Pod.weighbridge.test "a" is invalid: kind: Invalid value: "Pod": must be Probe'
    assert answer.causes == [{"reason": "FieldValueInvalid", "message": 'Invalid value: "Pod": must be Probe', "field": "kind"}]


def test_the_first_look_does_not_mind_the_case_of_keys(probe: ResourceDefinition) -> None:
    assert ".kind of type string" in send(probe, a_probe(Kind=3)).message
    assert send(probe, a_probe(Kind="Pod")).message.endswith('unknown field "Kind"')


@pytest.mark.parametrize(
    ("body", "claimed"),
    [
        ({"apiversion": "Edition"}, 'Probe in version "Edition"'),
        ({"Kind": "Pod"}, 'Pod in version "v1"'),
        ({"apiVersion": "a/b/c", "apiversion": "x/", "kind": "Pod"}, 'Pod in version ""'),
    ],
)
def test_without_field_validation_the_first_look_names_what_has_no_kind(probe: ResourceDefinition, body: JSONObject, claimed: str) -> None:
    answer = send(probe, body | {"metadata": {"name": "a"}}, validation=FieldValidation.IGNORE)
    assert answer.message.startswith(f"{claimed} cannot be handled as a Probe: Object 'Kind' is missing in '{{")
