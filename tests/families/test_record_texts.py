"""The text of the annotation: how fields are written and read, the limit on its size, and which values are still in place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from weighbridge.policies.families.fill.record import KEY, Recorded, has_record, left_out, read_record, record_text, standing, within
from weighbridge.policies.ground.objects import JSONObject, Path

A, B, C = (Recorded((name,), "v", "s") for name in "abc")
ONE = '{"field":"a","value":"v","source":"s"}'


def recorded(text: Any) -> JSONObject:
    return {"metadata": {"annotations": {KEY: text}}}


@pytest.mark.parametrize(
    ("path", "field"),
    [
        (("spec", "image"), "spec.image"),
        (("spec", "list", 0), "spec.list[0]"),
        (("spec", "list", 12, "key"), "spec.list[12].key"),
        (("metadata", "labels", "a.b/c"), "metadata.labels[a.b/c]"),
    ],
)
def test_a_field_is_written_as_kubernetes_prints_it_and_read_again(path: Path, field: str) -> None:
    text = record_text([Recorded(path, 1, "s")], 1000)
    assert text == f'[{{"field":"{field}","value":1,"source":"s"}}]'
    assert read_record(recorded(text)) == (Recorded(path, 1, "s"),)


@pytest.mark.parametrize(
    ("entry", "read"),
    [
        ({"field": "a", "value": 1}, (Recorded(("a",), 1, ""),)),
        ({"field": "a", "value": None}, ()),
        ({"field": 1, "value": 1}, ()),
        ({"value": 1}, ()),
        ("a", ()),
        ({"field": "", "value": 1}, (Recorded(("",), 1, ""),)),
        ({"field": "a[12345]", "value": 1}, (Recorded(("a", 12345), 1, ""),)),
        ({"field": "a[123456]", "value": 1}, (Recorded(("a", "123456"), 1, ""),)),
        ({"field": "a[x]", "value": 1}, (Recorded(("a", "x"), 1, ""),)),
        ({"more": 3}, ()),
    ],
)
def test_entries_of_another_form_are_passed_over(entry: Any, read: tuple[Recorded, ...]) -> None:
    assert read_record(recorded(json.dumps([entry]))) == read


@pytest.mark.parametrize("text", ["", "{", "{}", "1", "[" * 100_000, None, 3])
def test_a_text_that_is_no_list_tells_nothing(text: Any) -> None:
    assert (read_record(recorded(text)), left_out(recorded(text)), has_record(recorded(text))) == ((), 0, True)


@pytest.mark.parametrize(
    ("entries", "more"),
    [([{"more": 2}], 2), ([{"more": 2}, {"more": 3}], 5), ([{"more": -4}, {"more": 1}], 1), ([{"more": "x"}, {}, "a"], 0)],
)
def test_what_had_no_room_is_added_up(entries: list[Any], more: int) -> None:
    assert left_out(recorded(json.dumps(entries))) == more


@pytest.mark.parametrize(
    ("size", "more", "text"),
    [
        (118, 0, f"[{ONE},{ONE.replace('a', 'b', 1)},{ONE.replace('a', 'c', 1)}]"),
        (117, 0, f'[{ONE},{ONE.replace("a", "b", 1)},{{"more":1}}]'),
        (90, 0, f'[{ONE},{ONE.replace("a", "b", 1)},{{"more":1}}]'),
        (89, 0, f'[{ONE},{{"more":2}}]'),
        (51, 0, f'[{ONE},{{"more":2}}]'),
        (50, 0, ""),
        (0, 0, ""),
        (1000, 4, f'[{ONE},{ONE.replace("a", "b", 1)},{ONE.replace("a", "c", 1)},{{"more":4}}]'),
        (89, 4, f'[{ONE},{{"more":6}}]'),
    ],
)
def test_as_many_entries_are_written_as_have_room(size: int, more: int, text: str) -> None:
    assert record_text([A, B, C], size, more) == text
    assert len(text) <= size


def test_a_size_is_one_of_bytes() -> None:
    wide = Recorded(("a",), "ä", "s")
    text = record_text([wide], 1000)
    assert text == '[{"field":"a","value":"ä","source":"s"}]'
    assert record_text([wide], len(text) + 1) == text
    assert record_text([wide], len(text)) == ""


@pytest.mark.parametrize(
    ("entry", "obj", "found"),
    [
        (Recorded(("a",), 1, "s"), {"a": 1}, Recorded(("a",), 1, "s")),
        (Recorded(("a",), 1, "s"), {"a": 2}, None),
        (Recorded(("a", 0), "x", "s"), {"a": ["x"]}, Recorded(("a", 0), "x", "s")),
        (Recorded(("a", 0), "x", "s"), {"a": ["y", "z", "x"]}, Recorded(("a", 2), "x", "s")),
        (Recorded(("a", 0), "x", "s"), {"a": ["y"]}, None),
        (Recorded(("a", 0), "x", "s"), {"a": "x"}, None),
        (Recorded(("a", 0), "x", "s"), {}, None),
    ],
)
def test_an_entry_counts_while_its_value_stands(entry: Recorded, obj: JSONObject, found: Recorded | None) -> None:
    assert standing([entry], obj) == ([found] if found is not None else [])


@pytest.mark.parametrize(
    ("path", "fields", "is_within"),
    [
        (("a", "b"), [("a", "b")], True),
        (("a", "b", "c"), [("a", "b")], True),
        (("a",), [("a", "b")], False),
        (("a", "b", 0), [("a", "b")], True),
        (("a", "b"), [("x",), ("a",)], True),
        (("a", "b"), [], False),
    ],
)
def test_only_fields_that_a_family_fills_in_are_looked_at(path: Path, fields: list[Path], is_within: bool) -> None:
    entry = Recorded(path, 1, "s")
    assert within([entry], fields) == ([entry] if is_within else [])
