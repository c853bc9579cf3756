"""The checker: overloads, types of literals and variables, the types that schemas declare, and its messages."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cel.typed_tree import typed_tree
from tests.cel.vectors.type_texts import parse_type
from weighbridge.policies.cel.check.checked import Checked, Refused, compile_text
from weighbridge.policies.cel.check.environment import environment
from weighbridge.policies.cel.values.declared import DeclaredType, SelfTypes
from weighbridge.policies.schema.node import Schema

TYPES = {"i": "int", "u": "uint", "d": "double", "s": "string", "x": "dyn", "l": "list(int)", "m": "map(string, list(int))", "b": "bool"}


def checked(text: str, types: dict[str, str] = TYPES) -> Checked | Refused:
    return compile_text(text, environment().with_variables({name: parse_type(type_) for name, type_ in types.items()}))


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("i + 1", "_+_(i: int, 1: int)^add_int64: int"),
        ("x + 1", "_+_(x: dyn, 1: int)^add_int64: int"),
        ("x + x", "_+_(x: dyn, x: dyn)^add_bytes|add_double|add_duration_duration|{}: dyn"),
        ("i < 1.5", "_<_(i: int, 1.5: double)^less_int64_double: bool"),
        ("s.size()", "(s: string).size()^string_size: int"),
        ("m.a[0]", "_[_](m: map(string, list(int)).a: list(int), 0: int)^index_list: int"),
        ("i in l", "@in(i: int, l: list(int))^in_list: bool"),
        ("b ? i : x", "_?_:_(b: bool, i: int, x: dyn)^conditional: dyn"),
        ("[]", "[]: list(dyn)"),
        ("[i, 2]", "[i: int, 2: int]: list(int)"),
        ("[[1], []]", "[[1: int]: list(int), []: list(int)]: list(list(int))"),
        ("{'a': 1}", "{'a': string -> 1: int}: map(string, int)"),
        ("has(m.a)", "has(m: map(string, list(int)).a): bool"),
        ("type(1)", "type(1: int)^type: type(int)"),
        ("l == []", "_==_(l: list(int), []: list(int))^equals: bool"),
        ("optional.of(i)", "optional.of(i: int)^optional_of: optional_type(int)"),
        ("m[?s]", "_[?_](m: map(string, list(int)), s: string)^map_optindex_optional_value: optional_type(list(int))"),
        ("int(s)", "int(s: string)^string_to_int64: int"),
    ],
)
def test_overloads_and_types_are_found(text: str, tree: str) -> None:
    found = checked(text)
    assert isinstance(found, Checked), found
    if "{}" in tree and text != "{'a': 1}":
        start, _, end = tree.partition("{}")
        assert typed_tree(found.root).startswith(start)
        assert typed_tree(found.root).endswith(end)
    else:
        assert typed_tree(found.root) == tree


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("i == d", "found no matching overload for '_==_' applied to '(int, double)'"),
        ("i + u", "found no matching overload for '_+_' applied to '(int, uint)'"),
        ("s.size(1)", "found no matching overload for 'size' applied to 'string.(int)'"),
        ("b ? i : s", "found no matching overload for '_?_:_' applied to '(bool, int, string)'"),
        ("y", "undeclared reference to 'y' (in container '')"),
        ("f(1)", "undeclared reference to 'f' (in container '')"),
        ("i.a", "type 'int' does not support field selection"),
        ("i in m.a.b", "type 'list(int)' does not support field selection"),
        ("[1, 's']", "expected type 'int' but found 'string'"),
        ("{'a': 1, 1: 1}", "expected type 'string' but found 'int'"),
        ("i.all(e, true)", "expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)"),
        ("l.all(e, e)", "expected type 'bool' but found 'int'"),
        ("[i, x]", "expected type 'int' but found 'dyn'"),
        ("s.matches('[')", "invalid matches argument"),
        ("duration('x')", "invalid duration argument"),
        ("M{a: 1}", "undeclared reference to 'M' (in container '')"),
    ],
)
def test_what_has_no_type_is_refused_in_the_servers_words(text: str, message: str) -> None:
    found = checked(text)
    assert isinstance(found, Refused)
    assert found.message.splitlines()[0].split(": ", 2)[2] == message


def declared_type(schema: dict[str, Any], rule: str = "self", *, root: bool = False) -> str:
    """The type of an expression over the data that a schema describes, or the error."""
    declared = DeclaredType(Schema(schema), root=root)
    types = SelfTypes(declared)
    found = compile_text(rule, environment().with_variables({"self": types.type}, types))
    return str(found.type) if isinstance(found, Checked) else found.message.splitlines()[0].split(": ", 2)[2]


STRING = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "type_"),
    [
        (STRING, "string"),
        ({"type": "string", "format": "date-time"}, "timestamp"),
        ({"type": "string", "format": "date"}, "timestamp"),
        ({"type": "string", "format": "duration"}, "duration"),
        ({"type": "string", "format": "byte"}, "bytes"),
        ({"type": "string", "format": "uuid"}, "string"),
        ({"type": "integer", "format": "int32"}, "int"),
        ({"type": "number"}, "double"),
        ({"type": "boolean"}, "bool"),
        ({"x-kubernetes-int-or-string": True}, "dyn"),
        ({"type": "array", "items": STRING}, "list(string)"),
        ({"type": "object", "additionalProperties": {"type": "array", "items": {"type": "number"}}}, "map(string, list(double))"),
    ],
)
def test_schemas_give_data_its_type(schema: dict[str, Any], type_: str) -> None:
    assert declared_type(schema) == type_
    nested = {"type": "object", "properties": {"field": schema}}
    assert declared_type(nested, "self.field") == type_


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("a", "self.a"),
        ("namespace", "self.__namespace__"),
        ("namespace", "self.namespace"),
        ("x-y", "self.x__dash__y"),
        ("x.y/z", "self.x__dot__y__slash__z"),
        ("a__b", "self.a__underscores__b"),
    ],
)
def test_fields_are_read_under_their_escaped_names(name: str, rule: str) -> None:
    assert declared_type({"type": "object", "properties": {name: STRING}}, rule) == "string"


@pytest.mark.parametrize(
    ("schema", "rule", "message"),
    [
        ({"type": "object", "properties": {"a": STRING}}, "self.b", "undefined field 'b'"),
        ({"type": "object", "properties": {"1a": STRING}}, "self.1a", "Syntax error: mismatched input '.1' expecting <EOF>"),
        ({"type": "object", "properties": {"a": {"x-kubernetes-preserve-unknown-fields": True}}}, "self.a", "undefined field 'a'"),
        ({"type": "object", "properties": {"a": STRING}}, "self.metadata", "undefined field 'metadata'"),
    ],
)
def test_what_a_schema_does_not_describe_cannot_be_read(schema: dict[str, Any], rule: str, message: str) -> None:
    assert declared_type(schema, rule) == message


def test_the_root_of_a_resource_has_its_name_and_nothing_else_of_the_metadata() -> None:
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"a": STRING}}}}
    assert declared_type(schema, "self.metadata.name + self.metadata.generateName + self.kind + self.apiVersion", root=True) == "string"
    assert declared_type(schema, "self.metadata.labels", root=True) == "undefined field 'labels'"
    embedded = {"type": "object", "properties": {"template": {"type": "object", "x-kubernetes-embedded-resource": True}}}
    assert declared_type(embedded, "self.template.metadata.name") == "string"
