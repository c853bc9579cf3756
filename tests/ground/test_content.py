"""Memory by the content of values: by a digest that only equal values share, and only for values without faults."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from weighbridge.policies.ground.content import content_of, once_sound
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.server_release import RELEASES, judging


def deep(levels: int) -> JSONValue:
    value: JSONValue = 1
    for _ in range(levels):
        value = [value]
    return value


class Text(str):
    """A text of another type."""


@pytest.mark.parametrize("value", [{"a": [1, 2.5, "x", None, True]}, [], {}, "é", "\ud800", 2**70, -0.0])
def test_equal_values_have_one_digest_whatever_they_share(value: JSONValue) -> None:
    shared = [value, value]
    apart = eval(repr(shared))
    assert content_of(shared) == content_of(apart) is not None


DIFFERENT: list[Any] = [
    *(1, True, 1.0, "1", None, False, 0, 0.0, -0.0, "", [], {}, [[]], [None]),
    *({"a": 1}, {"a": True}, {"a": 1.0}, {"b": 1}, {"a": {"b": 1}}, {"a": 1, "b": 2}, {"b": 2, "a": 1}),
    *(["a", "b"], ["ab"], [["a"], "b"], ["a", ["b"]], 2**64, float(2**64), "é", "e\u0301"),
]


@pytest.mark.parametrize(("one", "other"), list(combinations(DIFFERENT, 2)))
def test_other_values_have_another(one: JSONValue, other: JSONValue) -> None:
    assert content_of(one) != content_of(other)


@pytest.mark.parametrize("value", [deep(5000), ["x" * 20_000], {"a": Text("b")}, [object()]])
def test_what_is_deep_or_long_or_of_another_type_has_none(value: Any) -> None:
    assert content_of(value) is None


def test_a_value_without_faults_is_checked_once_for_each_release() -> None:
    asked: list[tuple[str, str]] = []

    @once_sound(2)
    def errors(value: JSONValue, path: str) -> Iterator[str]:
        asked.append((value["name"], path))
        if value["name"].startswith("bad"):
            yield f"{path}: bad"

    def check(name: str, path: str = "here") -> int:
        asked.clear()
        found = list(errors({"name": name}, path))
        assert found == ([f"{path}: bad"] if name.startswith("bad") else [])
        return len(asked)

    assert [check("a"), check("a"), check("a", "there")] == [1, 0, 0]
    assert [check("bad"), check("bad"), check("bad", "there")] == [1, 1, 1]
    with judging(RELEASES[0]):
        assert [check("a"), check("a")] == [1, 0]
    # There is room for two.
    assert [check("b"), check("b"), check("a")] == [1, 0, 1]


def test_a_value_that_was_not_checked_to_the_end_is_checked_again() -> None:
    asked: list[int] = []

    @once_sound(9)
    def errors(value: JSONValue) -> Iterator[str]:
        asked.append(1)
        yield from value

    assert next(errors(["first", "second"])) == "first"
    assert list(errors(["first", "second"])) == ["first", "second"]
    assert len(asked) == 2


def test_a_value_without_a_digest_is_checked_each_time() -> None:
    asked: list[int] = []

    @once_sound(9)
    def errors(_: JSONValue) -> Iterator[str]:
        asked.append(1)
        yield from ()

    for _ in range(3):
        assert not list(errors(["x" * 20_000]))
    assert len(asked) == 3
