"""A filled-in value appears exactly in three places: in the object, in the patch, and with its origin."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.families.fill.authorship import Authorship
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.updates import settle_list, settle_value
from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path

LIST: Path = ("spec", "list")


def filled(obj: JSONObject) -> Mutation:
    """A mutation of an object from a manifest."""
    return Mutation(obj, Authorship.of_manifest({}))


def told(mutation: Mutation) -> list[tuple[Path, JSONValue, str, str]]:
    return [(entry.path, entry.value, entry.source, entry.reason) for entry in mutation.provenance]


@pytest.mark.parametrize(
    ("before", "method", "path", "done", "after", "patch"),
    [
        ({}, "replace", ("a",), True, {"a": 1}, [{"op": "add", "path": "/a", "value": 1}]),
        ({"a": 2}, "replace", ("a",), True, {"a": 1}, [{"op": "replace", "path": "/a", "value": 1}]),
        ({"a": 1}, "replace", ("a",), False, {"a": 1}, []),
        (
            {},
            "replace",
            ("a", "b", "c"),
            True,
            {"a": {"b": {"c": 1}}},
            [
                {"op": "add", "path": "/a", "value": {}},
                {"op": "add", "path": "/a/b", "value": {}},
                {"op": "add", "path": "/a/b/c", "value": 1},
            ],
        ),
        ({"a": {"b": None}}, "replace", ("a", "b", "c"), True, {"a": {"b": {"c": 1}}}, None),
        ({"a": []}, "replace", ("a", "b"), False, {"a": []}, []),
        ({"a": {"b": 3}}, "replace", ("a", "b", "c"), False, {"a": {"b": 3}}, []),
        ({}, "append", ("a",), True, {"a": [1]}, [{"op": "add", "path": "/a", "value": [1]}]),
        ({"a": [5]}, "append", ("a",), True, {"a": [5, 1]}, [{"op": "add", "path": "/a/-", "value": 1}]),
        ({"a": 5}, "append", ("a",), False, {"a": 5}, []),
        ({"a": 5}, "append", ("a", "b"), False, {"a": 5}, []),
    ],
)
def test_an_operation_changes_the_object_and_says_so(
    before: JSONObject, method: str, path: Path, done: bool, after: JSONObject, patch: list[JSONObject] | None
) -> None:
    mutation = filled(before)
    assert getattr(mutation, method)(path, 1, source="s", reason="r") is done
    assert mutation.object == after
    assert patch is None or mutation.patch == patch
    assert len(mutation.provenance) == int(done)


@pytest.mark.parametrize(
    ("before", "path", "done", "after"),
    [
        ({"a": {"b": 1, "c": 2}}, ("a", "b"), True, {"a": {"c": 2}}),
        ({"a": {"c": 2}}, ("a", "b"), False, {"a": {"c": 2}}),
        ({"a": 1}, ("a", "b"), False, {"a": 1}),
    ],
)
def test_a_value_is_taken_away_where_it_stands(before: JSONObject, path: Path, done: bool, after: JSONObject) -> None:
    mutation = filled(before)
    assert mutation.remove(path, source="s", reason="r") is done
    assert mutation.object == after
    assert mutation.patch == ([{"op": "remove", "path": "/a/b"}] if done else [])
    assert told(mutation) == ([(path, None, "s", "r")] if done else [])


def test_each_item_that_is_added_is_told_with_its_place() -> None:
    mutation = filled({})
    for value in ("x", "y", "z"):
        assert mutation.append(LIST, value, source=f"of {value}", reason="r")
    assert told(mutation) == [((*LIST, place), value, f"of {value}", "r") for place, value in enumerate("xyz")]
    assert mutation.patch == [
        {"op": "add", "path": "/spec", "value": {}},
        {"op": "add", "path": "/spec/list", "value": ["x"]},
        {"op": "add", "path": "/spec/list/-", "value": "y"},
        {"op": "add", "path": "/spec/list/-", "value": "z"},
    ]


def test_what_is_added_later_does_not_change_an_operation_before() -> None:
    mutation, value = filled({}), {"a": 1}
    mutation.replace(("m",), value, source="s", reason="r")
    value["a"] = 2
    assert mutation.patch == [{"op": "add", "path": "/m", "value": {"a": 1}}]


@pytest.mark.parametrize(
    ("standing", "ours", "wanted", "after", "provenance"),
    [
        # The list is missing, or has only the author's items.
        (None, [], [], None, []),
        (None, [], ["n"], ["n"], [(0, "n")]),
        (["a"], [], ["n", "m"], ["a", "n", "m"], [(1, "n"), (2, "m")]),
        # All items that were added before are still wanted.
        (["a", "o"], ["o"], ["o"], ["a", "o"], []),
        (["a", "o"], ["o"], ["o", "n"], ["a", "o", "n"], [(2, "n")]),
        # Some of them aren't: the list is written again.
        (["a", "o"], ["o"], ["n"], ["a", "n"], [(1, "n")]),
        (["o", "a", "p"], ["o", "p"], ["p", "n"], ["a", "p", "n"], [(1, "p"), (2, "n")]),
        (["a", "o"], ["o"], [], ["a"], [(None, ["a"])]),
        (["o"], ["o"], [], None, [(None, None)]),
        # Items that were added before are gone already, and a value that is no list stays as it is.
        (["a"], ["o"], ["n"], ["a", "n"], [(1, "n")]),
        ("text", [], ["n"], "text", []),
    ],
)
def test_a_list_gets_what_it_lacks_and_loses_what_no_longer_fits(
    standing: Any, ours: list[str], wanted: list[str], after: Any, provenance: list[tuple[int | None, Any]]
) -> None:
    mutation = filled({"spec": {} if standing is None else {"list": standing}})
    kept = [item for item in standing or [] if item not in ours]
    seen: list[list[JSONValue]] = []

    def decide(left: list[JSONValue]) -> list[Filling]:
        seen.append(list(left))
        return [Filling(value, f"source of {value}", f"reason of {value}") for value in wanted]

    settle_list(mutation, LIST, ours, decide, no_longer="it no longer fits")
    assert mutation.object["spec"].get("list") == after
    assert seen == ([] if standing == "text" else [kept])
    assert told(mutation) == [
        (LIST, value, "cluster", "it no longer fits") if at is None else ((*LIST, at), value, f"source of {value}", f"reason of {value}")
        for at, value in provenance
    ]


@pytest.mark.parametrize(
    ("standing", "derived", "unset", "after", "provenance"),
    [
        (None, "new", None, "new", ("new", "s", "r")),
        (None, None, None, None, None),
        ("cpu", "new", "cpu", "new", ("new", "s", "r")),
        ("cpu", None, "cpu", "cpu", None),
        ("other", "new", "cpu", "other", None),
        ("new", "new", None, "new", None),
    ],
)
def test_a_field_is_filled_where_it_stands_open(standing: Any, derived: Any, unset: Any, after: Any, provenance: Any) -> None:
    obj: JSONObject = {"spec": {} if standing is None else {"field": standing}}
    manifest: JSONObject = {"spec": {} if standing == unset else dict(obj["spec"])}
    mutation = Mutation(obj, Authorship.of_manifest(manifest))
    asked: list[JSONObject] = []

    def derive(without: JSONObject) -> Filling | None:
        asked.append(without)
        return Filling(derived, "s", "r") if derived is not None else None

    settle_value(mutation, ("spec", "field"), derive, no_longer="gone", unset=unset)
    assert mutation.object["spec"].get("field") == after
    assert told(mutation) == ([(("spec", "field"), *provenance)] if provenance else [])
    assert all("field" not in without["spec"] for without in asked)
    assert bool(asked) is (standing is None or standing == unset)
