"""Whether JSON is a schema at all: the values that each keyword may have, and the errors for others."""

from __future__ import annotations

import math
import sys
from typing import Any

import pytest

from weighbridge.policies.apiserver.schema_shape import shape_problems

LARGEST = sys.float_info.max
ANYTHING: dict[str, Any] = {
    "a map": {}, "a list": [], "texts": ["a"], "mixed": ["a", 1], "text": "a", "true": True, "false": False, "one": 1, "zero": 0,
    "whole": 2.0, "half": 0.5, "largest": LARGEST, "smallest": -LARGEST, "huge": 10**400, "inf": math.inf, "-inf": -math.inf,
    "nan": math.nan, "type": "object",
}  # fmt: skip
NUMBERS = {"one", "zero", "whole", "half", "largest", "smallest"}
WHOLE = NUMBERS - {"half"}
FLAGS = {"true", "false"}
LISTS = {"a list", "texts", "mixed"}
WANTED: dict[str, tuple[set[str], str]] = {
    "type": ({"type"}, "one of array, boolean, integer, number, object, string"),
    **dict.fromkeys(("format", "pattern", "x-kubernetes-list-type", "x-kubernetes-map-type"), ({"text", "type"}, "a string")),
    **dict.fromkeys(("properties", "items", "not"), ({"a map"}, "a map")),
    "additionalProperties": ({"a map", "true", "false"}, "a schema or true"),
    **dict.fromkeys(("required", "x-kubernetes-list-map-keys"), ({"a list", "texts"}, "a list of strings")),
    "enum": (LISTS, "a list"),
    **dict.fromkeys(("maximum", "minimum", "multipleOf"), (NUMBERS, "a number")),
    **dict.fromkeys(("maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties"), (WHOLE, "an integer")),
    **dict.fromkeys(
        (
            "nullable", "exclusiveMaximum", "exclusiveMinimum", "uniqueItems", "x-kubernetes-preserve-unknown-fields",
            "x-kubernetes-embedded-resource", "x-kubernetes-int-or-string",
        ),
        (FLAGS, "true or false"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("keyword", WANTED)
def test_each_keyword_takes_values_of_its_shape_alone(keyword: str) -> None:
    good, wanted = WANTED[keyword]
    for name, value in ANYTHING.items():
        problems = list(shape_problems({keyword: value}, "at"))
        assert (problems == []) is (name in good), (keyword, name)
        assert all(place == f"at.{keyword}" and text.endswith(f", wanted {wanted}") for place, text in problems)


@pytest.mark.parametrize("keyword", [*WANTED, "allOf", "anyOf", "oneOf", "x-kubernetes-validations"])
def test_a_keyword_that_is_null_is_none(keyword: str) -> None:
    assert list(shape_problems({keyword: None, "description": 1, "default": 1, "zz": []}, "at")) == []


@pytest.mark.parametrize(
    ("schema", "problems"),
    [
        ([], [("at", "found a list, a schema is a map")]),
        (None, [("at", "found null, a schema is a map")]),
        ({"type": {}}, [("at.type", "found a map, wanted one of array, boolean, integer, number, object, string")]),
        ({"pattern": True}, [("at.pattern", "found true, wanted a string")]),
        ({"pattern": 1.5}, [("at.pattern", "found the number 1.5, wanted a string")]),
        ({"nullable": "y" * 40}, [("at.nullable", f"found '{'y' * 40}', wanted true or false")]),
        ({"nullable": "y" * 41}, [("at.nullable", f"found '{'y' * 39}…', wanted true or false")]),
        ({"nullable": "yes"}, [("at.nullable", "found 'yes', wanted true or false")]),
        ({"properties": {"a": 1, "b": {"maxLength": "x"}}}, [
            ("at.properties[b].maxLength", "found 'x', wanted an integer"), ("at.properties[a]", "found the number 1, a schema is a map"),
        ]),
        ({"items": {"maxLength": []}}, [("at.items.maxLength", "found a list, wanted an integer")]),
        ({"additionalProperties": {"format": {}}}, [("at.additionalProperties.format", "found a map, wanted a string")]),
        ({"not": {"enum": 1}}, [("at.not.enum", "found the number 1, wanted a list")]),
        ({"anyOf": 1}, [("at.anyOf", "found the number 1, wanted a list")]),
        ({"allOf": [{}, "x"]}, [("at.allOf[1]", "found 'x', a schema is a map")]),
        ({"anyOf": [{"minimum": "x"}]}, [("at.anyOf[0].minimum", "found 'x', wanted a number")]),
        ({"oneOf": [{}, {"items": []}]}, [("at.oneOf[1].items", "found a list, wanted a map")]),
        ({"x-kubernetes-validations": {}}, [("at.x-kubernetes-validations", "found a map, wanted a list")]),
        ({"x-kubernetes-validations": [{}, 1]}, [("at.x-kubernetes-validations[1]", "found the number 1, a rule is a map")]),
    ],
)  # fmt: skip
def test_what_is_no_schema_is_named_with_its_place(schema: Any, problems: list[tuple[str, str]]) -> None:
    assert list(shape_problems(schema, "at")) == problems


@pytest.mark.parametrize("keyword", ["$ref", "definitions", "dependencies", "patternProperties"])
def test_a_keyword_that_no_definition_may_hold_is_refused(keyword: str) -> None:
    text = "is not supported in a CustomResourceDefinition; write the schema out where it is used"
    assert list(shape_problems({keyword: {}}, "at")) == [(f"at.{keyword}", text)]


@pytest.mark.parametrize("name", ["rule", "message", "messageExpression", "reason", "fieldPath"])
def test_the_parts_of_a_rule_are_texts(name: str) -> None:
    place = f"at.x-kubernetes-validations[0].{name}"
    assert list(shape_problems({"x-kubernetes-validations": [{name: 1}]}, "at")) == [(place, "found the number 1, wanted a string")]
    assert list(shape_problems({"x-kubernetes-validations": [{name: "a"}, {name: None}]}, "at")) == []


def test_whether_a_rule_takes_an_optional_old_value_is_a_flag() -> None:
    rules = [{"optionalOldSelf": True}, {"optionalOldSelf": "x"}]
    place = "at.x-kubernetes-validations[1].optionalOldSelf"
    assert list(shape_problems({"x-kubernetes-validations": rules}, "at")) == [(place, "found 'x', wanted true or false")]
