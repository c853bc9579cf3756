"""The meaning of names, kinds and label selectors in settings."""

from __future__ import annotations

from typing import Literal

import pytest

from weighbridge.policies.config.selection import Kinds, LabelExpression, LabelSelector, Names, covers, is_pattern
from weighbridge.policies.ground.objects import GroupVersionKind

MODEL = GroupVersionKind("inference.llmkube.dev", "v1alpha1", "Model")


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        # A part in the middle never overlaps the first or the last.
        ("*b*b", "ab", False),
        ("*b*b", "bb", True),
        ("a*a*", "ab", False),
        ("a*a*", "aa", True),
        ("a*b*c", "ac", False),
        ("a*b*c", "abc", True),
        ("ab*ba", "aba", False),
        ("ab*ba", "abba", True),
        # Each part is searched for after the previous one.
        ("*ab*ba*", "aba", False),
        ("*ab*ba*", "abba", True),
        ("*a*a*", "a", False),
        ("*a*a*", "aa", True),
        ("*ab*a*b", "abb", False),
        ("*ab*a*b", "abab", True),
        ("a*", "ba", False),
        ("*a", "ab", False),
        ("**", "", True),
        ("", "", True),
        ("", "a", False),
    ],
)
def test_the_pieces_of_a_pattern_stand_one_behind_the_other(pattern: str, name: str, expected: bool) -> None:
    assert covers(pattern, name) is expected


def test_a_name_with_a_star_is_a_pattern() -> None:
    assert [is_pattern(name) for name in ("a", "*", "a*b", "")] == [False, True, True, False]


@pytest.mark.parametrize(
    ("names", "name", "means", "has_it_itself"),
    [
        ([], "a", True, False),
        (["a"], "a", True, True),
        (["a"], "b", False, False),
        (["a*"], "a", True, False),
        (["a*"], "b", False, False),
        (["a*"], "a*", True, False),
        (["b", "a*"], "ab", True, False),
        (["b", "a*"], "b", True, True),
        (["c*", "a*"], "ab", True, False),
    ],
)
def test_a_list_of_names_means_them_and_what_its_patterns_cover(names: list[str], name: str, means: bool, has_it_itself: bool) -> None:
    assert (Names(names).mean(name), Names(names).name(name)) == (means, has_it_itself)


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ([], True),
        (["Model"], True),
        (["Model.inference.llmkube.dev"], True),
        (["Model.ome.io"], False),
        (["Model.ome.io", "Model"], True),
        (["InferenceService"], False),
    ],
)
def test_a_kind_is_meant_with_or_without_its_group(kinds: list[str], expected: bool) -> None:
    assert Kinds(kinds).mean(MODEL) is expected


@pytest.mark.parametrize(
    ("operator", "values", "needs_label", "trouble"),
    [
        ("In", ["a"], True, ""),
        ("In", [], True, "In needs values"),
        ("NotIn", ["a"], False, ""),
        ("NotIn", [], False, "NotIn needs values"),
        ("Exists", [], True, ""),
        ("Exists", ["a"], True, "Exists takes no values"),
        ("DoesNotExist", [], False, ""),
        ("DoesNotExist", ["a"], False, "DoesNotExist takes no values"),
    ],
)
def test_an_expression_has_values_where_its_operator_compares(
    operator: Literal["In", "NotIn", "Exists", "DoesNotExist"], values: list[str], needs_label: bool, trouble: str
) -> None:
    entry = LabelExpression("tier", operator, values)
    assert entry.needs_label is needs_label
    found = LabelSelector({}, [LabelExpression("a", "Exists"), entry]).mistakes(("at",))
    assert list(found) == ([(("at", "matchExpressions", 1, "values"), trouble)] if trouble else [])


def test_a_selector_is_empty_only_without_any_condition() -> None:
    expression = LabelExpression("tier", "Exists")
    assert LabelSelector().is_empty
    assert not LabelSelector({"a": "b"}).is_empty
    assert not LabelSelector({}, [expression]).is_empty
    assert LabelSelector({"a": "b"}, [expression]).keys == {"a", "tier"}
    assert LabelSelector().selects({})
    assert LabelSelector({"a": "b"}, [expression]).selects({"a": "b", "tier": ""})
    assert not LabelSelector({"a": "b"}, [expression]).selects({"a": "b"})
    assert not LabelSelector({"a": "b"}, [expression]).selects({"tier": ""})
