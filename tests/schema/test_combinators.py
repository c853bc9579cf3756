"""anyOf, oneOf, allOf and not: the error, and the branch whose errors come with it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.schema.test_keywords import errors_at

_NO_BRANCH = '<nil>: Invalid value: "": "f" must validate at least one schema (anyOf)'


def test_any_of_reports_the_branch_with_the_most_matches() -> None:
    keywords = {"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"], "properties": {"a": {"maxLength": 1}, "c": {}}}]}
    assert errors_at(keywords, {"c": 1}) == [_NO_BRANCH, "f.b: Required value"]


def test_any_of_reports_the_first_branch_of_a_tie() -> None:
    keywords = {"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    assert errors_at(keywords, {}) == [_NO_BRANCH, "f.a: Required value"]
    assert errors_at(keywords, {"b": 1}) == []


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        ({"a": 1}, []),
        ({"b": 1}, []),
        (
            {},
            ['<nil>: Invalid value: "": "f" must validate one and only one schema (oneOf). Found none valid', "f.a: Required value"],
        ),
        (
            {"a": 1, "b": 1},
            ['<nil>: Invalid value: "": "f" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
        ),
    ],
)
def test_one_of_counts_its_valid_branches(value: Any, texts: list[str]) -> None:
    assert errors_at({"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, value) == texts


def test_one_of_ignores_keywords_of_other_kinds() -> None:
    text = '<nil>: Invalid value: "": "f" must validate one and only one schema (oneOf). Found 2 valid alternatives'
    assert errors_at({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, "a string") == [text]


@pytest.mark.parametrize(
    "keywords",
    [
        {"not": {"minLength": 1}},
        {"oneOf": [{"minLength": 1}, {"maxLength": 3}]},
        {"allOf": [{"not": {"minLength": 1}}]},
        {"anyOf": [{"not": {"minLength": 1}}, {"not": {"maxLength": 3}}]},
        {"type": "string", "nullable": True, "not": {"minLength": 1}},
    ],
)
def test_null_is_asked_by_no_branch(keywords: Any) -> None:
    assert errors_at(keywords, None) == []
    assert errors_at(keywords, "abc") != []


def test_null_below_a_branch_without_a_type_is_asked_by_none_either() -> None:
    # The inner branch doesn't check null, so the property passes, and the schema under `not` matches.
    keywords = {"type": "object", "not": {"properties": {"a": {"not": {"minLength": 1}}}}}
    assert errors_at(keywords, {"a": None}) == ['<nil>: Invalid value: "": "f" must not validate the schema (not)']
    assert errors_at(keywords, {"a": "x"}) == []


def test_all_of_reports_every_branch_and_how_many_held() -> None:
    keywords = {"type": "string", "allOf": [{"minLength": 3}, {"pattern": "^b"}]}
    both = sorted(
        [
            '<nil>: Invalid value: "": "f" must validate all the schemas (allOf). None validated',
            'f: Invalid value: "a": f in body should be at least 3 chars long',
            "f: Invalid value: \"a\": f in body should match '^b'",
        ],
    )
    assert errors_at(keywords, "a") == both
    assert errors_at(keywords, "b")[0] == '<nil>: Invalid value: "": "f" must validate all the schemas (allOf)'
    assert errors_at(keywords, "bbb") == []


def test_not_refuses_what_its_schema_accepts() -> None:
    keywords = {"type": "object", "not": {"required": ["a"]}}
    assert errors_at(keywords, {"a": 1}) == ['<nil>: Invalid value: "": "f" must not validate the schema (not)']
    assert errors_at(keywords, {}) == []


def test_equal_texts_are_reported_once() -> None:
    branch = {"minLength": 2}
    texts = errors_at({"type": "string", "minLength": 2, "allOf": [branch, branch]}, "a")
    assert texts.count('f: Invalid value: "a": f in body should be at least 2 chars long') == 1


def test_null_is_not_asked_of_combinators() -> None:
    assert errors_at({"type": "object", "nullable": True, "not": {}, "oneOf": [{}, {}]}, None) == []


def test_branches_nest() -> None:
    keywords = {"anyOf": [{"allOf": [{"minLength": 2}, {"not": {"pattern": "x"}}]}, {"enum": ["y"]}]}
    assert errors_at(keywords, "y") == errors_at(keywords, "ab") == []
    assert _NO_BRANCH in errors_at(keywords, "ax")
