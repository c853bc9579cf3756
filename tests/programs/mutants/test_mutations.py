"""Each change alters the behaviour of code at one place, and leaves a module that can be parsed."""

from __future__ import annotations

import ast
import random
from textwrap import dedent

import pytest

from tests.conftest import ROOT
from tests.programs.mutants.checkout import CODE
from tests.programs.mutants.mutations import mutants


def changes(body: str) -> list[tuple[str, str]]:
    """The changes of a function's body, each as its kind and the changed line."""
    text = "def f(a, b):\n" + "".join(f"    {line}\n" for line in dedent(body).strip().splitlines())
    return [(mutant.kind, mutant.after) for mutant in mutants(text)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return a < b", [("comparison", "return (a <= b)"), ("returned value", "return None")]),
        ("return a < b <= 3", [
            ("comparison", "return (a <= b <= 3)"),
            ("comparison", "return (a < b < 3)"),
            ("constant", "return a < b <= 4"),
            ("returned value", "return None"),
        ]),
        ("x = a is None", [("comparison", "x = (a is not None)")]),
        ("x = a not in b", [("comparison", "x = (a in b)")]),
        ("x = a and b", [("boolean", "x = (a or b)")]),
        ("x = not a", [("boolean", "x = (a)")]),
        ("x = a if b else 1", [("boolean", "x = (1 if b else a)"), ("constant", "x = a if b else 2")]),
        ("x = a + b", [("arithmetic", "x = (a - b)")]),
        ("x = a + 'text'", [("constant", "x = a + ''")]),
        ("x = True", [("constant", "x = False")]),
        ("x = ''", [("constant", "x = 'mutant'")]),
        ("a(b)", [("removed statement", "pass")]),
        ("a += b", [("removed statement", "pass")]),
        ("raise a", [("removed statement", "pass")]),
        ("return None", []),
        ("return False", [("constant", "return True")]),
        ("x = f'{a + b} is {b!r:>5}'", []),
    ],
)  # fmt: skip
def test_a_part_that_behaves_is_changed(body: str, expected: list[tuple[str, str]]) -> None:
    assert sorted(changes(body)) == sorted(expected)


@pytest.mark.parametrize(
    "text",
    [
        '"""A module."""\nNAME = "x"\nLIMIT: int = 5\n',
        'def f() -> "text":\n    """What it does."""\n',
        'class C:\n    """What it is."""\n    size: "int" = 3\n',
        'def f(a: "int" = 5) -> None:\n    x: "str"\n',
        '@wraps("x")\ndef f():\n    """Nothing."""\n',
    ],
)
def test_what_behaves_as_before_is_left_alone(text: str) -> None:
    assert list(mutants(text)) == []


def test_only_the_changed_part_differs() -> None:
    text = "def f(ü, b):\n    # ü is kept\n    return (ü ==\n        b)  # here\n"
    (turned,) = (mutant for mutant in mutants(text) if mutant.kind == "comparison")
    assert turned.text == "def f(ü, b):\n    # ü is kept\n    return ((ü != b))  # here\n"
    assert (turned.line, turned.before, turned.after) == (3, "return (ü ==", "return ((ü != b))  # here")


def test_a_nested_function_is_changed_once() -> None:
    assert changes("def g():\n    return a == b") == [("returned value", "return None"), ("comparison", "return (a != b)")]


def test_every_change_of_the_code_can_be_compiled() -> None:
    chance = random.Random(0)
    for module in chance.sample(sorted(path for folder in CODE for path in (ROOT / folder).rglob("*.py")), 25):
        text = module.read_text(encoding="utf-8")
        found = list(mutants(text))
        for mutant in chance.sample(found, min(len(found), 8)):
            assert mutant.text != text
            ast.parse(mutant.text, module.name)
