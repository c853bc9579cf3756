"""Trees as parsed: every node with its place."""

from __future__ import annotations

import pytest

from weighbridge.policies.cel.syntax.errors import Issues
from weighbridge.policies.cel.syntax.macros import macro
from weighbridge.policies.cel.syntax.nodes import (
    Call,
    Comprehension,
    Expr,
    Ident,
    ListLiteral,
    Literal,
    MapEntry,
    MapLiteral,
    Select,
    StructLiteral,
    children,
    depth,
    qualified_name,
    walk,
)
from weighbridge.policies.cel.syntax.parser import parse
from weighbridge.policies.cel.syntax.source import Source
from weighbridge.policies.cel.versions import EVERYTHING


def written(node: Expr) -> str:
    """A tree in one line: each part with its offset, calls as ``function(target; arguments)``."""
    return f"{_inner(node)}@{node.offset}"


def _inner(node: Expr) -> str:
    if isinstance(node, Literal):
        return f"{type(node.value).__name__}:{node.value!r}"
    if isinstance(node, Ident):
        return node.name
    if isinstance(node, Select):
        return f"{'has' if node.test_only else 'select'}({written(node.operand)}, {node.field})"
    if isinstance(node, Call):
        target = "" if node.target is None else f"{written(node.target)}; "
        return f"{node.function}({target}{', '.join(map(written, node.args))})"
    if isinstance(node, ListLiteral):
        return f"[{', '.join(map(written, node.elements))}]{sorted(node.optional) or ''}"
    if isinstance(node, MapLiteral):
        return f"{{{', '.join(map(_entry, node.entries))}}}"
    if isinstance(node, StructLiteral):
        return f"{node.name}{{{', '.join(map(_field, node.entries))}}}"
    assert isinstance(node, Comprehension)
    parts = (node.range, node.initial, node.condition, node.step, node.result)
    names = (node.variable, node.second_variable, node.accumulator)
    return f"{node.macro}<{','.join(names)}>({', '.join(map(written, parts))})"


def _entry(entry: MapEntry) -> str:
    return f"{'?' if entry.optional else ''}{written(entry.key)}: {written(entry.value)}@{entry.offset}"


def _field(entry: MapEntry) -> str:
    assert isinstance(entry.key, Literal)
    return f"{'?' if entry.optional else ''}{entry.key.value}: {written(entry.value)}@{entry.offset}"


def tree_of(text: str) -> str:
    """The tree of a valid text."""
    issues = Issues(Source(text))
    root = parse(Source(text), issues)
    assert not issues, issues.display()
    return written(root)


TREES = {
    "-1": "int:-1@0",
    "- 1": "int:-1@0",
    " -1.5": "float:-1.5@1",
    "-1u": "-_(Uint:Uint(1)@1)@0",
    "--1": "int:1@2",
    "---1": "-_(int:1@3)@0",
    "-a": "-_(a@1)@0",
    "- - a": "a@4",
    "- - -a": "-_(a@5)@0",
    "!a": "!_(a@1)@0",
    "!!a": "a@2",
    "!!!a": "!_(a@3)@0",
    "!!!!a": "a@4",
    "a - 1": "_-_(a@0, int:1@4)@2",
    "a -1": "_-_(a@0, int:1@3)@2",
    "a.b.c": "select(select(a@0, b)@1, c)@3",
    ".a.b": "select(.a@1, b)@2",
    "a.?b": "_?._(a@0, str:'b'@3)@1",
    "a[?b]": "_[?_](a@0, b@3)@1",
    "a[b][c]": "_[_](_[_](a@0, b@2)@1, c@5)@4",
    "a.f(b, c).g()": "g(f(a@0; b@4, c@7)@3; )@11",
    ".f(a)": ".f(a@3)@2",
    "f()": "f()@1",
    "(a)": "a@1",
    "[]": "[]@0",
    "[,]": "[]@0",
    "[a, ?b, c, ?d,]": "[a@1, b@5, c@8, d@12][1, 3]@0",
    "{}": "{}@0",
    "{,}": "{}@0",
    "{a: b, ?'c': 1u,}": "{a@1: b@4@2, ?str:'c'@8: Uint:Uint(1)@13@11}@0",
    "A{}": "A{}@1",
    "A{,}": "A{}@1",
    ".a.b.C{d: 1, ?e: f.g}": ".a.b.C{d: int:1@10@8, ?e: select(f@17, g)@18@15}@6",
    "a.b.c.D{e: 1}": "a.b.c.D{e: int:1@11@9}@7",
    "a ? b : c": "_?_:_(a@0, b@4, c@8)@2",
    "a ? b : c ? d : e": "_?_:_(a@0, b@4, _?_:_(c@8, d@12, e@16)@10)@2",
    "a && b": "_&&_(a@0, b@5)@2",
    "a || b || c": "_||_(_||_(a@0, b@5)@2, c@10)@7",
    "a && b && c && d": "_&&_(_&&_(a@0, b@5)@2, _&&_(c@10, d@15)@12)@7",
    "a || b && c || d && e": "_||_(_||_(a@0, _&&_(b@5, c@10)@7)@2, _&&_(d@15, e@20)@17)@12",
    "a + b * c == d": "_==_(_+_(a@0, _*_(b@4, c@8)@6)@2, d@13)@10",
    "a - b - c": "_-_(_-_(a@0, b@4)@2, c@8)@6",
    "a % b / c": "_/_(_%_(a@0, b@4)@2, c@8)@6",
    "a in b": "@in(a@0, b@5)@2",
    "a || b + c * d || e": "_||_(_||_(a@0, _+_(b@5, _*_(c@9, d@13)@11)@7)@2, e@18)@15",
    "a || b && c - d == e && f": "_||_(a@0, _&&_(_&&_(b@5, _==_(_-_(c@10, d@14)@12, e@19)@16)@7, f@24)@21)@2",
    "a + b || c": "_||_(_+_(a@0, b@4)@2, c@9)@6",
    "(a || b) && [c || d][e]": "_&&_(_||_(a@1, b@6)@3, _[_]([_||_(c@13, d@18)@15]@12, e@21)@20)@9",
    "a && b < c && d": "_&&_(_&&_(a@0, _<_(b@5, c@9)@7)@2, d@14)@11",
    "true": "bool:True@0",
    "[false, null, b'x', r'\\d', 0x1F]": "[bool:False@1, NoneType:None@8, bytes:b'x'@14, str:'\\\\d'@20, int:31@27]@0",
    "has(a.b)": "has(a@4, b)@3",
    "a.exists(x, x)": (
        "exists<x,,@result>(a@0, bool:False@8, @not_strictly_false(!_(@result@8)@8)@8, _||_(@result@8, x@12)@8, @result@8)@8"
    ),
    "a.all(i, x, b)": "all<i,x,@result>(a@0, bool:True@5, @not_strictly_false(@result@5)@5, _&&_(@result@5, b@12)@5, @result@5)@5",
    "a.exists_one(x, b)": (
        "exists_one<x,,@result>(a@0, int:0@12, bool:True@12, "
        "_?_:_(b@16, _+_(@result@12, int:1@12)@12, @result@12)@12, _==_(@result@12, int:1@12)@12)@12"
    ),
    "a.map(x, b)": "map<x,,@result>(a@0, []@5, bool:True@5, _+_(@result@5, [b@9]@5)@5, @result@5)@5",
    "a.map(x, c, b)": "map<x,,@result>(a@0, []@5, bool:True@5, _?_:_(c@9, _+_(@result@5, [b@12]@5)@5, @result@5)@5, @result@5)@5",
    "a.filter(x, b)": "filter<x,,@result>(a@0, []@8, bool:True@8, _?_:_(b@12, _+_(@result@8, [x@9]@8)@8, @result@8)@8, @result@8)@8",
    "a.transformList(i, x, b)": (
        "transformList<i,x,@result>(a@0, []@15, bool:True@15, _+_(@result@15, [b@22]@15)@15, @result@15)@15"
    ),
    "a.transformMap(k, x, c, b)": (
        "transformMap<k,x,@result>(a@0, {}@14, bool:True@14, "
        "_?_:_(c@21, cel.@mapInsert(@result@14, k@14, b@24)@14, @result@14)@14, @result@14)@14"
    ),
    "a.transformMapEntry(k, x, b)": (
        "transformMapEntry<k,x,@result>(a@0, {}@19, bool:True@19, cel.@mapInsert(@result@19, b@26)@19, @result@19)@19"
    ),
    "a.optMap(x, b)": (
        "_?_:_(hasValue(a@0; )@8, optional.of(optMap<#unused,,x>([]@8, value(a@0; )@8, bool:False@8, x@8, b@12)@8)@8, optional.none()@8)@8"
    ),
    "a.optFlatMap(x, b)": (
        "_?_:_(hasValue(a@0; )@12, optFlatMap<#unused,,x>([]@12, value(a@0; )@12, bool:False@12, x@12, b@16)@12, optional.none()@12)@12"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "tree"), TREES.items())
def test_a_text_is_read_as_a_tree(text: str, tree: str) -> None:
    assert tree_of(text) == tree


@pytest.mark.parametrize(
    ("text", "levels", "count"),
    [("a", 1, 1), ("a.b.c", 3, 3), ("f(a, [b, {c: d}])", 4, 7), ("A{a: b.c}", 3, 3), ("a.f(b)", 2, 3), ("[1].map(x, x)", 4, 10)],
)
def test_a_tree_has_levels_and_nodes(text: str, levels: int, count: int) -> None:
    root = parse(Source(text), Issues(Source(text)))
    assert depth(root) == levels
    found = list(walk(root))
    assert (found[0], len(found)) == (root, count)
    assert found[1:2] == list(children(root))[:1]


@pytest.mark.parametrize(
    ("text", "name"), [("a.b.c", "a.b.c"), ("a", "a"), (".a.b", ".a.b"), ("a[b].c", None), ("f().a", None), ("1", None)]
)
def test_a_chain_of_selects_spells_a_name(text: str, name: str | None) -> None:
    assert qualified_name(parse(Source(text), Issues(Source(text)))) == name


def test_what_asks_for_a_field_spells_no_name() -> None:
    assert qualified_name(parse(Source("has(a.b)"), Issues(Source("")))) is None


@pytest.mark.parametrize(
    ("name", "arguments", "has_target", "since"),
    [
        ("has", 1, False, 23),
        ("all", 2, True, 23),
        ("all", 3, True, 32),
        ("existsOne", 3, True, 32),
        ("sortBy", 2, True, 34),
        ("optMap", 2, True, 28),
    ],
)
def test_a_macro_is_known_by_its_name_arguments_receiver_and_version(name: str, arguments: int, has_target: bool, since: int) -> None:
    assert macro(name, arguments, has_target=has_target, version=(1, since)) is not None
    assert macro(name, arguments, has_target=has_target, version=(1, since - 1)) is None
    assert macro(name, arguments, has_target=not has_target, version=EVERYTHING) is None
    assert macro(name, arguments + 3, has_target=has_target, version=EVERYTHING) is None
