"""Group-version-kinds, paths and pointers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pointers import from_pointer
from weighbridge.policies.ground.objects import GroupVersionKind, field, lookup, pointer, walk


@pytest.mark.parametrize(
    ("obj", "expected"),
    [
        ({"apiVersion": "v1", "kind": "Node"}, GroupVersionKind("", "v1", "Node")),
        ({"apiVersion": "g.dev/v1", "kind": "K"}, GroupVersionKind("g.dev", "v1", "K")),
        ({"apiVersion": "", "kind": "K"}, None),
        ({"apiVersion": "/v1", "kind": "K"}, GroupVersionKind("", "v1", "K")),
        ({"apiVersion": "g/", "kind": "K"}, None),
        ({"apiVersion": 1, "kind": "K"}, None),
        ({"kind": "K"}, None),
        ([], None),
        (None, None),
    ],
)
def test_kind_is_read_from_an_object_or_not_at_all(obj: object, expected: GroupVersionKind | None) -> None:
    assert GroupVersionKind.from_object(obj) == expected


def test_paths_print_as_kubernetes_prints_them() -> None:
    assert field(("spec", "targetModels", 0, "weight")) == "spec.targetModels[0].weight"
    assert field(()) == ""


def test_lookup_stops_where_a_step_is_missing() -> None:
    obj = {"a": [{"b": 1}]}
    assert lookup(obj, ("a", 0, "b")) == 1
    assert lookup(obj, ("a", 1, "b"), "absent") == "absent"
    assert lookup(obj, ("a", "b"), "absent") == "absent"
    assert lookup("text", ("a",), "absent") == "absent"


@given(st.lists(st.text()))
def test_pointers_read_back_as_they_were_written(steps: list[str]) -> None:
    assert from_pointer(pointer(steps)) == tuple(steps)


def test_a_pointer_without_its_slash_is_refused() -> None:
    with pytest.raises(ValueError, match="begins with '/'"):
        from_pointer("a/b")


def test_walk_visits_parents_before_children_in_order() -> None:
    assert [path for path, _ in walk({"a": [1, 2], "b": {}})] == [(), ("a",), ("a", 0), ("a", 1), ("b",)]


def test_walk_goes_deeper_than_the_interpreter_recurses() -> None:
    value: object = 1
    for _ in range(20_000):
        value = [value]
    assert sum(1 for _ in walk(value)) == 20_001
