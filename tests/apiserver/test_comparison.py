"""The demands that one schema has and another lacks: copies that lost keywords, and CRDs of other releases."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from weighbridge.policies.apiserver.comparison import RULES, Comparison, common, compare

RULE = {"rule": "!has(self.low) || !has(self.high) || self.low <= self.high", "message": "low must not be above high"}


def schema(**spec: Any) -> dict[str, Any]:
    """The schema of a resource whose spec has these fields."""
    return {"type": "object", "properties": {"spec": {"type": "object", "properties": spec}}}


def changed(one: dict[str, Any], field: str, **keywords: Any) -> dict[str, Any]:
    """A copy with other keywords at a field; `None` removes one."""
    found = copy.deepcopy(one)
    node = found
    for name in field.split("."):
        node = node["properties"][name]
    for keyword, value in keywords.items():
        node.pop(keyword, None)
        if value is not None:
            node[keyword] = value
    return found


def losses(found: Comparison) -> list[tuple[str, str]]:
    """The losses by field and keyword."""
    return [(loss.field, loss.keyword) for loss in found.losses]


@pytest.mark.parametrize(
    ("keyword", "wanted", "one", "other"),
    [
        ("enum", ["a", "b"], ["a", "b", "c"], ["a"]),
        ("minLength", 2, 1, 3),
        ("maxLength", 5, 6, 4),
        ("minimum", 2, 1, 3),
        ("minimum", 0, -1, 1),
        ("maximum", 5, 6, 4),
        ("minItems", 2, 1, 3),
        ("maxItems", 5, 6, 4),
        ("minProperties", 2, 1, 3),
        ("maxProperties", 5, 6, 4),
        ("pattern", "^a$", "a", None),
        ("format", "date-time", "date", None),
        ("multipleOf", 2, 3, None),
        ("uniqueItems", True, None, None),
        ("exclusiveMaximum", True, None, None),
        ("x-kubernetes-list-type", "set", "atomic", None),
        ("anyOf", [{"required": ["a"]}], [{"required": ["b"]}], None),
        ("not", {"required": ["a"]}, {"required": ["b"]}, None),
    ],
)
def test_a_keyword_that_is_gone_is_lost_and_another_value_is_of_another_release(keyword: str, wanted: Any, one: Any, other: Any) -> None:
    whole = schema(x={"type": "string", keyword: wanted}, y={"type": "string", "maxLength": 5})
    assert losses(compare(whole, whole)) == []
    for is_known in (True, False):
        gone = changed(whole, "spec.x", **{keyword: None})
        is_whole = is_known or keyword != "maxLength"
        assert losses(compare(whole, gone, is_known_release=is_known)) == ([("spec.x", keyword)] if is_whole else [])
        for value in (one, other):
            if value is not None:
                another = changed(changed(whole, "spec.x", **{keyword: value}), "spec.y", maxLength=None)
                assert losses(compare(whole, another, is_known_release=is_known)) == []


def test_only_what_is_lost_is_demanded() -> None:
    whole = schema(x={"type": "string", "enum": ["a"], "maxLength": 3}, y={"type": "integer", "minimum": 1})
    found = compare(whole, changed(whole, "spec.x", enum=None))
    assert found.schema == schema(x={"type": "string", "enum": ["a"]}, y={"type": "integer"})


def test_rules_and_required_fields_are_lost_one_by_one() -> None:
    other = {"rule": "self.high > 0"}
    number = {"type": "integer"}
    whole = changed(schema(low=number, high=number), "spec", required=["low", "high"])
    whole = changed(whole, "spec", **{"x-kubernetes-validations": [RULE, other]})
    less = changed(whole, "spec", required=["high"], **{"x-kubernetes-validations": [other]})
    found = compare(whole, less)
    assert [loss.as_json() for loss in found.losses] == [
        {"field": "spec.low", "keyword": "required"},
        {"field": "spec", "keyword": "x-kubernetes-validations", "rule": RULE["rule"]},
    ]
    assert found.schema["properties"]["spec"]["required"] == ["low"]
    assert found.schema["properties"]["spec"]["x-kubernetes-validations"] == [RULE]


@pytest.mark.parametrize(
    "opened",
    [
        {"x-kubernetes-preserve-unknown-fields": True},
        {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        {"type": "object", "additionalProperties": True},
    ],
)
def test_a_schema_that_was_taken_out_is_lost_whole(opened: dict[str, Any]) -> None:
    part = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "enum": ["x"]}}}
    found = compare(schema(part=part), schema(part=opened))
    assert losses(found) == [("spec.part", "schema")]
    assert found.schema == schema(part=part)


def test_fields_that_fall_under_unknown_ones_are_lost_one_by_one() -> None:
    whole = schema(a={"type": "string", "enum": ["x"]}, b={"type": "string"})
    less = changed(schema(b={"type": "string"}), "spec", **{"x-kubernetes-preserve-unknown-fields": True})
    assert losses(compare(whole, less)) == [("spec.a", "schema")]


def test_items_and_values_of_maps_are_compared() -> None:
    word = {"type": "string", "pattern": "^a"}
    whole = schema(l={"type": "array", "items": word}, m={"type": "object", "additionalProperties": word})
    bare = {"type": "string"}
    less = schema(l={"type": "array", "items": bare}, m={"type": "object", "additionalProperties": bare})
    assert losses(compare(whole, less)) == [("spec.l[*]", "pattern"), ("spec.m.*", "pattern")]


def test_nothing_is_demanded_of_a_field_that_the_installed_crd_drops() -> None:
    number = {"type": "integer", "minimum": 1}
    whole = changed(schema(low=number, high=number), "spec", required=["low", "high"], **{"x-kubernetes-validations": [RULE]})
    found = compare(whole, schema(high=number))
    assert found.losses[0].as_json() == {"field": "spec.high", "keyword": "required"}
    assert len(found.losses) == 1, "neither is low required, nor a rule asked that reads it"
    assert found.unknown_fields == ("spec.low",)


def test_a_rule_is_not_asked_of_a_field_of_another_type() -> None:
    number = {"type": "integer"}
    whole = changed(schema(low=number, high=number), "spec", **{"x-kubernetes-validations": [RULE]})
    assert losses(compare(whole, schema(low={"type": "string"}, high=number))) == []


NUMBER = {"type": "integer"}
WORD = {"type": "string", "enum": ["a", "b"], "pattern": "."}
WHOLE = changed(schema(x=WORD, low=NUMBER, high={**NUMBER, "default": 1}), "spec", required=["x"], **{RULES: [RULE]})
STRIPPED = changed(changed(WHOLE, "spec", required=None, **{RULES: None}), "spec.x", pattern=None, enum=None)


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize(
    "another",
    [
        changed(WHOLE, "spec.x", enum=["a", "b", "c"]),
        changed(WHOLE, "spec.x", enum=["a"]),
        changed(WHOLE, "spec.x", pattern=".."),
        changed(WHOLE, "spec.x", minLength=1),
        changed(WHOLE, "spec.high", default=2),
        changed(WHOLE, "spec.low", default=2),
        changed(WHOLE, "spec", required=["x", "low"]),
        changed(WHOLE, "spec", **{RULES: [RULE, {"rule": "self.high > 0"}]}),
        changed(WHOLE, "spec", properties={**WHOLE["properties"]["spec"]["properties"], "came": NUMBER}),
        changed(WHOLE, "spec.low", type="string"),
    ],
)
def test_a_crd_with_something_of_its_own_is_followed_whatever_it_lacks(another: dict[str, Any], is_known: bool) -> None:
    less = copy.deepcopy(another)
    for path, keyword in (("spec", "required"), ("spec", RULES), ("spec.x", "enum"), ("spec.x", "pattern")):
        for each in (less, copy.deepcopy(another)):
            node = each["properties"]["spec"] if path == "spec" else each["properties"]["spec"]["properties"]["x"]
            before = WHOLE["properties"]["spec"] if path == "spec" else WORD
            if node.get(keyword) == before.get(keyword):
                del node[keyword]
            assert losses(compare(WHOLE, each, is_known_release=is_known)) == []


@pytest.mark.parametrize("is_known", [True, False])
def test_a_copy_that_has_lost_every_check_of_a_kind_is_no_other_release(is_known: bool) -> None:
    found = compare(WHOLE, STRIPPED, is_known_release=is_known)
    assert sorted(losses(found)) == [("spec", RULES), ("spec.x", "enum"), ("spec.x", "pattern"), ("spec.x", "required")]
    assert losses(compare(WHOLE, changed(WHOLE, "spec", **{RULES: None}), is_known_release=is_known)) == [("spec", RULES)]


def test_an_older_crd_is_held_to_the_release_that_is_known_to_run() -> None:
    older = changed(changed(WHOLE, "spec", **{RULES: None}), "spec.x", enum=["a"])
    del older["properties"]["spec"]["properties"]["high"]
    assert losses(compare(WHOLE, older)) == [], "the rule reads the field that doesn't exist"
    assert losses(compare(WHOLE, changed(older, "spec.x", pattern=None))) == [("spec.x", "pattern")]
    assert losses(compare(WHOLE, changed(older, "spec.x", pattern=None), is_known_release=False)) == []


def test_between_two_releases_holds_what_both_demand_alike() -> None:
    one = schema(x={"type": "string", "enum": ["a"], "maxLength": 3}, y={"type": "string"}, z={"type": "integer", "minimum": 1})
    other = schema(x={"type": "string", "enum": ["a", "b"], "maxLength": 3}, z={"type": "string"})
    assert common(one, other) == schema(x={"type": "string", "maxLength": 3})


def test_between_two_releases_a_rule_holds_that_reads_what_both_have() -> None:
    number = {"type": "integer"}
    both = {"x-kubernetes-validations": [RULE]}
    one = changed(schema(low=number, high=number), "spec", **both)
    assert common(one, changed(schema(low=number, high=number, came=number), "spec", **both)) == one
    assert "x-kubernetes-validations" not in common(one, changed(schema(high=number), "spec", **both))["properties"]["spec"]


@pytest.mark.parametrize("keywords", [{}, {"description": "upstream's"}, {"description": None}, {"title": "Name", "example": "abc"}])
def test_texts_make_no_difference(keywords: dict[str, Any]) -> None:
    wanted = schema(name={"type": "string", "maxLength": 5, "description": "what ships"})
    found = compare(wanted, changed(wanted, "spec.name", **keywords))
    assert (losses(found), found.unknown_fields) == ([], ())


def test_one_keyword_more_can_lose_a_whole_schema() -> None:
    wanted = schema(labels={"type": "object"})
    opened = changed(wanted, "spec.labels", **{"x-kubernetes-preserve-unknown-fields": True})
    assert losses(compare(wanted, opened)) == [("spec.labels", "schema")]
