"""Changes in block YAML: each changes its own lines and no others."""

from __future__ import annotations

import pytest

from tests.migration.edits import edit
from weighbridge.policies.families.migration import Add, Change, Lift, Lone, Move, Remove, SetTo, Wrap
from weighbridge.webhook.migration.editor import UneditableError

MAPS = """\
# top
a:
  b: 1 # one
  # on c
  c:
    d: 2

    e: [3, 4]
  f: |
    text

    more
g: last
"""
ONE, C, C_LINES, F_LINES = "  b: 1 # one\n", "  c:\n", "    d: 2\n\n    e: [3, 4]\n", "  f: |\n    text\n\n    more\n"
ALL = f"{ONE}  # on c\n{C}{C_LINES}{F_LINES}"
SINGLE = "single:\n  - s: 1\n    t: 2\n"
LISTS = """\
list:
- a: 1
  b: 2
-   c: 3
    # on d
    d: 4
names:
  - one
  - two # second
single:
  - s: 1
    t: 2
flow: [a, {b: c}]
"""


@pytest.mark.parametrize(
    ("changes", "before", "after"),
    [
        ([SetTo(("a", "b"), 7)], ONE, "  b: 7 # one\n"),
        ([SetTo(("a", "b"), "no")], ONE, "  b: 'no' # one\n"),
        ([Add(("a",), "z", {"q": [1, {"r": 2}]})], F_LINES, f"{F_LINES}  z:\n    q:\n    - 1\n    - r: 2\n"),
        ([Add(("a", "c"), "z", "t")], C_LINES, f"{C_LINES}    z: t\n"),
        ([Add((), "z", {"q": 1})], "g: last\n", "g: last\nz:\n  q: 1\n"),
        ([Remove(("a", "b"))], ONE, ""),
        ([Remove(("a", "c"))], C + C_LINES, ""),
        ([Remove(("a", "f"))], F_LINES, ""),
        ([Remove(("a",))], f"a:\n{ALL}", ""),
        ([Remove(("a", "b")), Remove(("a", "c"))], f"{ONE}  # on c\n{C}{C_LINES}", "  # on c\n"),
        ([Remove(("a", "c")), Remove(("a", "f"))], C + C_LINES + F_LINES, ""),
        ([Remove(("a", key)) for key in "bcf"], ALL, "  {}\n  # on c\n"),
        (
            [*(Remove(("a", key)) for key in "bcf"), Add(("a",), "z", 1)],
            ALL,
            "  # on c\n  z: 1\n",
        ),
        ([Move(("a", "b"), "new")], ONE, "  new: 1 # one\n"),
        ([Move(("a", "b"), "new", ("p",))], ONE, "  new:\n    p: 1 # one\n"),
        ([Move(("a", "b"), "new", ("p", "q"))], ONE, "  new:\n    p:\n      q: 1 # one\n"),
        ([Move(("a", "b"), "new", (0, "p"))], ONE, "  new:\n    - p: 1 # one\n"),
        ([Move(("a", "b"), "new", ("p", 0))], ONE, "  new:\n    p:\n      - 1 # one\n"),
        ([Move(("a", "c"), "new")], C, "  new:\n"),
        ([Move(("a", "c"), "new", ("p",))], C + C_LINES, "  new:\n    p:\n      d: 2\n\n      e: [3, 4]\n"),
        ([Move(("a", "c"), "new", ("p", "q"))], C + C_LINES, "  new:\n    p:\n      q:\n        d: 2\n\n        e: [3, 4]\n"),
        ([Move(("a", "f"), "new")], "  f: |", "  new: |"),
        ([Lift(("a", "c"))], C + C_LINES, "  d: 2\n\n  e: [3, 4]\n"),
        ([Wrap(("a", "c", "e", 1), "k", (("o", "u"), ("v", "1")))], "[3, 4]", "[3, {k: 4, o: u, v: '1'}]"),
        ([Lift(("a",))], f"a:\n{ALL}", "b: 1 # one\n# on c\nc:\n  d: 2\n\n  e: [3, 4]\nf: |\n  text\n\n  more\n"),
    ],
)
def test_fields_of_a_map_change_in_place(changes: list[Change], before: str, after: str) -> None:
    assert MAPS.count(before) == 1
    assert edit(MAPS, *changes) == MAPS.replace(before, after)


@pytest.mark.parametrize(
    ("changes", "before", "after"),
    [
        ([Remove(("list", 0, "a"))], "- a: 1\n  b: 2\n", "- b: 2\n"),
        ([Remove(("list", 0, "b"))], "  b: 2\n", ""),
        ([Remove(("list", 1, "c"))], "-   c: 3\n", "-   "),
        ([Remove(("list", 1, "d"))], "    d: 4\n", ""),
        ([Remove(("list", 0, "a")), Remove(("list", 0, "b"))], "- a: 1\n  b: 2\n", "- {}\n"),
        ([Move(("list", 0, "a"), "new", ("p",))], "- a: 1\n", "- new:\n    p: 1\n"),
        ([Move(("list", 1, "c"), "new", ("p",))], "-   c: 3\n", "-   new:\n      p: 3\n"),
        ([Move(("list", 1, "d"), "new", ("p", 0))], "    d: 4\n", "    new:\n      p:\n        - 4\n"),
        ([Add(("list", 0), "z", [1])], "  b: 2\n", "  b: 2\n  z:\n  - 1\n"),
        ([Add(("list", 1), "z", {"a": 1})], "    d: 4\n", "    d: 4\n    z:\n      a: 1\n"),
        ([Wrap(("names", 0), "k", (("o", "u"), ("v", "1")))], "  - one\n", "  - k: one\n    o: u\n    v: '1'\n"),
        ([Wrap(("names", 1), "k", (("o", "u"),))], "  - two # second\n", "  - k: two # second\n    o: u\n"),
        ([Wrap(("names", 1), "k")], "  - two", "  - k: two"),
        ([Wrap(("flow", 0), "k", (("o", "u"),))], "[a,", "[{k: a, o: u},"),
        ([Lone(("single",))], "  - s: 1\n", "    s: 1\n"),
        ([Move(("names",), "new", ("p",))], "names:\n  - one\n  - two", "new:\n  p:\n    - one\n    - two"),
        ([Move(("single",), "new", ("p", "q"))], SINGLE, "new:\n  p:\n    q:\n      - s: 1\n        t: 2\n"),
        ([Remove(("flow",))], "flow: [a, {b: c}]\n", ""),
    ],
)
def test_items_of_a_list_change_in_place(changes: list[Change], before: str, after: str) -> None:
    assert LISTS.count(before) == 1
    assert edit(LISTS, *changes) == LISTS.replace(before, after)


@pytest.mark.parametrize(
    ("text", "changes", "after"),
    [
        ("a:\n  b: 1\n  c: 2", [Add(("a",), "z", 1)], "a:\n  b: 1\n  c: 2\n  z: 1\n"),
        ("a:\n  b: 1\n  c: 2", [Remove(("a", "c"))], "a:\n  b: 1\n"),
        ("a:\n  b: 1\n  c: 2", [Remove(("a", "c")), Remove(("a", "b"))], "a:\n  {}\n"),
        ("a:\n- b", [Wrap(("a", 0), "k", (("o", "u"),))], "a:\n- k: b\n  o: u\n"),
        ("a: [ one ]\n", [Lone(("a",))], "a:  one \n"),
        ("a:\n  -   b: 1\n      c: 2\n", [Lone(("a",))], "a:\n      b: 1\n      c: 2\n"),
        ("a:\n  - - 1\n    - 2\n", [Lone(("a",))], "a:\n    - 1\n    - 2\n"),
        ("a:\n  b: {c: 1}\n", [Lift(("a", "b"))], "a:\n  c: 1\n"),
        ("a: {b: {  c: 1,  d: 2  }}\n", [Lift(("a", "b"))], "a: {  c: 1,  d: 2  }\n"),
        (
            "a:\n    b:\n        c: 1\n        # in\n      # out\n\n        d: 2\n    e: 3\n",
            [Lift(("a", "b"))],
            "a:\n    c: 1\n    # in\n  # out\n\n    d: 2\n    e: 3\n",
        ),
        ("a:\n  b:\n    1\n", [Move(("a", "b"), "new", ("p",))], "a:\n  new:\n    p: 1\n"),
        ("a:\n- b: 1\n\n  # on c\n  c: 2\n", [Remove(("a", 0, "b"))], "a:\n- \n  # on c\n  c: 2\n"),
        ("a:\n- b: {d: 1,\n    e: 2}\n  c: 2\n", [Remove(("a", 0, "b"))], "a:\n- c: 2\n"),
    ],
)
def test_rare_layouts_are_kept(text: str, changes: list[Change], after: str) -> None:
    assert edit(text, *changes) == after


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("a: {}\n", Add(("a",), "z", 1)),
        ("a: 1\n", Remove(("b",))),
        ("a: 1\n", SetTo(("a", "b"), 1)),
        ("a: [1]\n", SetTo(("a", 1), 1)),
        ("a: [1, 2]\n", Lone(("a",))),
        ("a: []\n", Lone(("a",))),
        ("a:\n  - # why\n    b: 1\n", Lone(("a",))),
        ("a: [{b: 1}]\n", Wrap(("a", 0), "k")),
        ("a:\n- |\n  b\n", Wrap(("a", 0), "k")),
        ("a:\n  b: {}\n", Lift(("a", "b"))),
        ("a:\n  b: 1\n", Lift(("a", "b"))),
        ("a:\n- b:\n    c: 1\n", Lift(("a", 0, "b"))),
        ("a:\n  b:\n    c: 1\n", Move(("a", "b"), "new", (0,))),
        ("a:\n  b: # why\n    1\n", Move(("a", "b"), "new", ("p",))),
    ],
)
def test_a_form_that_cannot_be_changed_is_an_error(text: str, change: Change) -> None:
    with pytest.raises(UneditableError):
        edit(text, change)
