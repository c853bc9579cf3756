"""Each keyword's field error: type, field, printed bad value and message, as kube-apiserver 1.36 gives them."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.schema.compiled import CompiledSchema
from weighbridge.policies.schema.node import Schema

Keywords = dict[str, Any]
BAD_PATTERN = (
    'f: Invalid value: "a": f in body should match '
    r"'\Z, but pattern is invalid: error parsing regexp: invalid escape sequence: `\Z`'"
)


def errors_at(keywords: Keywords, value: Any, name: str = "f") -> list[str]:
    """The texts for an object whose one field has these keywords, sorted."""
    schema = CompiledSchema(Schema({"type": "object", "properties": {name: keywords}}), "test")
    return sorted(map(str, schema.validate({name: value})))


@pytest.mark.parametrize(
    ("keywords", "value", "text"),
    [
        ({"type": "string"}, 1, 'f: Invalid value: "integer": f in body must be of type string: "integer"'),
        ({"type": "string"}, 1.5, 'f: Invalid value: "number": f in body must be of type string: "number"'),
        ({"type": "string"}, None, 'f: Invalid value: "null": f in body must be of type string: "null"'),
        ({"type": "object"}, [], 'f: Invalid value: "array": f in body must be of type object: "array"'),
        ({"type": "array"}, {}, 'f: Invalid value: "object": f in body must be of type array: "object"'),
        ({"type": "boolean"}, "true", 'f: Invalid value: "string": f in body must be of type boolean: "string"'),
        ({"type": "number"}, True, 'f: Invalid value: "boolean": f in body must be of type number: "boolean"'),
        ({"x-kubernetes-int-or-string": True}, [], 'f: Invalid value: "array": f in body must be of type integer,string: "array"'),
    ],
)
def test_a_wrong_type_is_named_as_json_names_it(keywords: Keywords, value: Any, text: str) -> None:
    assert errors_at(keywords, value) == [text]


@pytest.mark.parametrize(
    ("keywords", "value", "text"),
    [
        ({"type": "string", "maxLength": 2}, "abc", "f: Too long: may not be more than 2 bytes"),
        ({"type": "string", "maxLength": 1}, "éé", "f: Too long: may not be more than 1 byte"),
        ({"type": "string", "maxLength": 0}, "a", "f: Too long: may not be more than 0 bytes"),
        ({"type": "string", "minLength": 1}, "", 'f: Invalid value: "": f in body should be at least 1 chars long'),
        ({"type": "string", "minLength": 3}, 'a"', 'f: Invalid value: "a\\"": f in body should be at least 3 chars long'),
        ({"type": "string", "pattern": "^a$"}, "a\n", "f: Invalid value: \"a\\n\": f in body should match '^a$'"),
        ({"type": "string", "pattern": r"\Z"}, "a", BAD_PATTERN),
        (
            {"type": "string", "format": "date"},
            "2020-13-01",
            'f: Invalid value: "2020-13-01": f in body must be of type date: "2020-13-01"',
        ),
        ({"type": "string", "enum": ["a", "b"]}, "c", 'f: Unsupported value: "c": supported values: "a", "b"'),
        ({"type": "integer", "enum": [1, 2]}, 3, 'f: Unsupported value: 3: supported values: "1", "2"'),
        ({"type": "string", "nullable": True, "enum": ["a", None]}, None, 'f: Unsupported value: null: supported values: "a", "null"'),
        ({"type": "object", "enum": [{"a": 1}]}, {}, 'f: Unsupported value: {}: supported values: "{\\"a\\":1}"'),
    ],
)
def test_a_string_or_enum_is_refused_with_the_servers_words(keywords: Keywords, value: Any, text: str) -> None:
    assert errors_at(keywords, value) == [text]


def test_only_the_first_broken_keyword_of_a_string_is_told() -> None:
    keywords = {"type": "string", "maxLength": 1, "minLength": 5, "pattern": "^x"}
    assert errors_at(keywords, "abc") == ["f: Too long: may not be more than 1 byte"]
    assert errors_at(keywords, "a") == ['f: Invalid value: "a": f in body should be at least 5 chars long']


@pytest.mark.parametrize(
    ("keywords", "value", "text"),
    [
        ({"type": "integer", "maximum": 3}, 4, "f: Invalid value: 4: f in body should be less than or equal to 3"),
        ({"type": "integer", "maximum": 3, "exclusiveMaximum": True}, 3, "f: Invalid value: 3: f in body should be less than 3"),
        ({"type": "integer", "minimum": 3}, 2, "f: Invalid value: 2: f in body should be greater than or equal to 3"),
        ({"type": "number", "minimum": 1.5, "exclusiveMinimum": True}, 1.5, "f: Invalid value: 1.5: f in body should be greater than 1.5"),
        ({"type": "integer", "maximum": 1000000}, 1000001, "f: Invalid value: 1000001: f in body should be less than or equal to 1000000"),
        (
            {"type": "number", "maximum": 1000000},
            2147483647.0,
            "f: Invalid value: 2.147483647e+09: f in body should be less than or equal to 1e+06",
        ),
        ({"type": "number", "minimum": 0, "exclusiveMinimum": True}, -0.0, "f: Invalid value: -0: f in body should be greater than 0"),
        ({"type": "integer", "multipleOf": 3}, 4, "f: Invalid value: 4: f in body should be a multiple of 3"),
        ({"type": "number", "multipleOf": 0.1}, 0.25, "f: Invalid value: 0.25: f in body should be a multiple of 0.1"),
        ({"type": "number", "multipleOf": 0.5}, 1, "f: Invalid value: 0: factor MultipleOf declared for f must be positive: 0"),
        (
            {"type": "integer", "format": "int32"},
            2**31,
            '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in f',
        ),
        (
            {"type": "number", "format": "float"},
            1e300,
            '<nil>: Invalid value: "": Checked value must be of type number with format float in f',
        ),
    ],
)
def test_a_number_is_refused_with_the_servers_words(keywords: Keywords, value: float, text: str) -> None:
    assert errors_at(keywords, value) == [text]


def test_a_bound_that_is_no_integer_is_reported_and_compared_as_a_float() -> None:
    assert errors_at({"type": "integer", "minimum": 1.5}, 1) == [
        '<nil>: Invalid value: "": Minimum boundary value must be of type integer (default format) in f',
        "f: Invalid value: 1: f in body should be greater than or equal to 1.5",
    ]
    assert errors_at({"type": "number", "minimum": 1.5}, 1) == [], "an integer is compared with the bound cut to 1"


@pytest.mark.parametrize(
    ("keywords", "value", "text"),
    [
        ({"type": "array", "maxItems": 1}, [1, 2], "f: Too many: 2: must have at most 1 item"),
        ({"type": "array", "maxItems": 0}, [1, 2], "f: Too many: 2: must have at most 0 items"),
        ({"type": "array", "minItems": 1}, [], "f: Invalid value: 0: f in body should have at least 1 items"),
        ({"type": "array", "uniqueItems": True}, [1, 1], 'f: Invalid value: "": f in body shouldn\'t contain duplicates'),
        ({"type": "object", "maxProperties": 1}, {"a": 1, "b": 1}, "f: Too many: 2: must have at most 1 item"),
        ({"type": "object", "minProperties": 2}, {"a": 1}, "f: Invalid value: 1: f in body should have at least 2 properties"),
        ({"type": "object", "required": ["a"]}, {}, "f.a: Required value"),
        ({"type": "object", "additionalProperties": False}, {"a": 1}, 'f: Invalid value: "a": f.a in body is a forbidden property'),
        (
            {"type": "object", "additionalProperties": {"type": "string"}},
            {"a.b/c": 1},
            'f.a.b/c: Invalid value: "integer": f.a.b/c in body must be of type string: "integer"',
        ),
        (
            {"type": "array", "items": {"type": "string"}},
            ["a", None],
            'f[1]: Invalid value: "null": f[1] in body must be of type string: "null"',
        ),
    ],
)
def test_a_container_is_refused_with_the_servers_words(keywords: Keywords, value: Any, text: str) -> None:
    assert errors_at(keywords, value) == [text]


def test_the_root_has_no_field_and_a_missing_field_of_it_no_leading_dot() -> None:
    schema = CompiledSchema(Schema({"type": "object", "required": ["spec"]}), "test")
    assert list(map(str, schema.validate({}))) == ["spec: Required value"]
    assert list(map(str, schema.validate([]))) == ['<nil>: Invalid value: "array":  in body must be of type object: "array"']


def test_a_prefix_leads_the_field_but_not_the_text() -> None:
    schema = CompiledSchema(Schema({"type": "object", "properties": {"lastUsed": {"type": "string", "format": "date-time"}}}), "test")
    (error,) = schema.validate({"lastUsed": "true"}, "status")
    assert str(error) == 'status.lastUsed: Invalid value: "true": lastUsed in body must be of type date-time: "true"'
    (root,) = schema.validate(1, "status")
    assert root.field == "status"


@pytest.mark.parametrize(
    ("keywords", "value"),
    [
        ({"type": "number", "enum": [1]}, 1.7),
        ({"type": "number", "enum": [1.0]}, 1),
        ({"x-kubernetes-int-or-string": True, "enum": ["A"]}, 65),
        ({"x-kubernetes-int-or-string": True, "pattern": "^[0-9]+%$"}, 5),
        ({"type": "string", "nullable": True}, None),
        ({"type": "string", "format": "no-such-format"}, "anything"),
        ({"type": "integer"}, 1.0),
        ({}, None),
    ],
)
def test_what_looks_wrong_but_the_server_takes_is_taken(keywords: Keywords, value: Any) -> None:
    assert errors_at(keywords, value) == []
