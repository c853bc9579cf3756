"""Changes inside braces and brackets: commas and quotes stay right, and JSON stays JSON."""

from __future__ import annotations

import json

import pytest

from tests.migration.edits import edit
from weighbridge.policies.families.migration import Add, Change, Lift, Lone, Move, Remove, SetTo, Wrap

FLOW = "a: {b: 1, c: {d: 2, e: [3, 4]}, f: 'x'} # flow\ng: last\n"
JSON = '{"a": {"b": 1, "c": {"d": 2, "e": [3, 4]}, "f": "x"}, "g": "last"}\n'
LAID_OUT = json.dumps(json.loads(JSON), indent=2) + "\n"


@pytest.mark.parametrize(
    ("changes", "flow", "as_json"),
    [
        ([SetTo(("a", "b"), "no")], "{b: 'no', c: {d: 2, e: [3, 4]}, f: 'x'}", None),
        ([SetTo(("a", "f"), "w")], "{b: 1, c: {d: 2, e: [3, 4]}, f: w}", None),
        (
            [Add(("a",), "z", {"q": [1, {"r": 2}]})],
            "{b: 1, c: {d: 2, e: [3, 4]}, f: 'x', z: {q: [1,{\"r\":2}]}}",
            '{"b": 1, "c": {"d": 2, "e": [3, 4]}, "f": "x", "z": {"q":[1,{"r":2}]}}',
        ),
        ([Add(("a", "c"), "z", "t")], "{b: 1, c: {d: 2, e: [3, 4], z: t}, f: 'x'}", None),
        ([Add(("a", "c"), "s", 1), Add(("a", "c"), "t", 2)], "{b: 1, c: {d: 2, e: [3, 4], s: 1, t: 2}, f: 'x'}", None),
        ([Remove(("a", "b"))], "{c: {d: 2, e: [3, 4]}, f: 'x'}", None),
        ([Remove(("a", "c"))], "{b: 1, f: 'x'}", None),
        ([Remove(("a", "f"))], "{b: 1, c: {d: 2, e: [3, 4]}}", None),
        ([Remove(("a", "b")), Remove(("a", "c"))], "{f: 'x'}", None),
        ([Remove(("a", "c")), Remove(("a", "f"))], "{b: 1}", None),
        ([Remove(("a", "b")), Remove(("a", "f"))], "{c: {d: 2, e: [3, 4]}}", None),
        ([Remove(("a", key)) for key in "bcf"], "{}", None),
        ([*(Remove(("a", key)) for key in "bcf"), Add(("a",), "z", 1)], "{z: 1}", None),
        ([*(Remove(("a", key)) for key in "bcf"), Add(("a",), "s", 1), Add(("a",), "t", 2)], "{s: 1, t: 2}", None),
        ([Move(("a", "b"), "new")], "{new: 1, c: {d: 2, e: [3, 4]}, f: 'x'}", None),
        ([Move(("a", "b"), "new", ("p", "q"))], "{new: {p: {q: 1}}, c: {d: 2, e: [3, 4]}, f: 'x'}", None),
        ([Move(("a", "b"), "new", (0, "p"))], "{new: [{p: 1}], c: {d: 2, e: [3, 4]}, f: 'x'}", None),
        ([Move(("a", "b"), "new", ("p", 0))], "{new: {p: [1]}, c: {d: 2, e: [3, 4]}, f: 'x'}", None),
        ([Move(("a", "b"), "new", (0, 0))], "{new: [[1]], c: {d: 2, e: [3, 4]}, f: 'x'}", None),
        ([Move(("a", "c"), "new", (0,))], "{b: 1, new: [{d: 2, e: [3, 4]}], f: 'x'}", None),
        ([Move(("a", "c"), "new", ("p",))], "{b: 1, new: {p: {d: 2, e: [3, 4]}}, f: 'x'}", None),
        ([Lift(("a", "c"))], "{b: 1, d: 2, e: [3, 4], f: 'x'}", None),
        (
            [Wrap(("a", "c", "e", 0), "k", (("o", "u"), ("v", "1")))],
            "{b: 1, c: {d: 2, e: [{k: 3, o: u, v: '1'}, 4]}, f: 'x'}",
            '{"b": 1, "c": {"d": 2, "e": [{"k": 3, "o": "u", "v": "1"}, 4]}, "f": "x"}',
        ),
    ],
)
def test_commas_and_quotes_stay_right(changes: list[Change], flow: str, as_json: str | None) -> None:
    assert edit(FLOW, *changes) == f"a: {flow} # flow\ng: last\n"
    after = edit(JSON, *changes)
    assert after == '{"a": ' + (as_json or json.dumps(json.loads(after)["a"])) + ', "g": "last"}\n'
    assert json.loads(edit(LAID_OUT, *changes)) == json.loads(after)


def test_the_layout_of_json_on_lines_is_kept() -> None:
    assert edit(LAID_OUT, Remove(("a", "b"))) == LAID_OUT.replace('    "b": 1,\n', "")
    assert edit(LAID_OUT, Remove(("a", "f"))) == LAID_OUT.replace(',\n    "f": "x"', "")
    assert edit(LAID_OUT, Remove(("g",))) == LAID_OUT.replace(',\n  "g": "last"', "")
    assert edit(LAID_OUT, Move(("a", "b"), "new", ("p",))) == LAID_OUT.replace('"b": 1', '"new": {"p": 1}')
    assert edit(LAID_OUT, Move(("a",), "new", (0,))) == LAID_OUT.replace('"a": {', '"new": [{').replace('\n  },\n  "g"', '\n  }],\n  "g"')


def test_the_lone_item_of_a_list_stands_without_brackets() -> None:
    assert edit('{"a": [{"b": 1}], "c": 2}', Lone(("a",))) == '{"a": {"b": 1}, "c": 2}'
    assert edit("a: [{b: 1}] # one\n", Lone(("a",))) == "a: {b: 1} # one\n"


@pytest.mark.parametrize("old", ["null", "1", "[]", '"x"'])
def test_a_text_in_json_is_quoted_whatever_stood_there(old: str) -> None:
    assert edit(f'{{"a": {{"b": {old}}}}}', SetTo(("a", "b"), "c")) == '{"a": {"b": "c"}}'
