"""Unset lists and maps are equal to empty ones, and to nothing else."""

from __future__ import annotations

import pytest

from weighbridge.policies.apiserver.acceptance.go_types import AnyJSON, ListOf, MapOf
from weighbridge.policies.apiserver.acceptance.semantic_equality import semantically_equal
from weighbridge.policies.ground.objects import JSONValue


@pytest.mark.parametrize("one", [None, []])
@pytest.mark.parametrize("other", [None, []])
def test_an_unset_list_is_an_empty_one(one: JSONValue, other: JSONValue) -> None:
    assert semantically_equal(one, other, ListOf(AnyJSON()))


@pytest.mark.parametrize("one", [None, {}])
@pytest.mark.parametrize("other", [None, {}])
def test_an_unset_map_is_an_empty_one(one: JSONValue, other: JSONValue) -> None:
    assert semantically_equal(one, other, MapOf(AnyJSON()))


@pytest.mark.parametrize("unset", [None, {}])
def test_a_map_with_a_key_is_another_one(unset: JSONValue) -> None:
    assert not semantically_equal(unset, {"a": None}, MapOf(AnyJSON()))
    assert not semantically_equal({"a": None}, unset, MapOf(AnyJSON()))


def test_of_any_json_an_unset_list_is_no_empty_one() -> None:
    assert not semantically_equal(None, [], AnyJSON())
