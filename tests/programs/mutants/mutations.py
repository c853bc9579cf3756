"""Small changes to a module, one at a time: another comparison, a statement left out, another constant, another returned value.

The syntax tree gives the places, and the text is changed in place, so that a survivor reads as a change of its line. Docstrings,
annotations, parts of f-strings and code that runs during the import stay as they are: such changes would change nothing, or everything.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

_COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of a module: what kind it is, the first line that it touches, the lines that run it, and the module's text with it."""

    kind: str
    line: int
    lines: range
    before: str
    after: str
    text: str


@dataclass(frozen=True, slots=True)
class _Change:
    """The replacement of a node, and the line where its statement begins."""

    kind: str
    node: ast.expr | ast.stmt
    replacement: ast.expr | ast.stmt
    statement: int = 0


def mutants(text: str) -> Iterator[Mutant]:
    """All changes of a module, in the order of its lines."""
    source = text.encode()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    changes = sorted(_changes(ast.parse(text)), key=lambda change: (change.node.lineno, change.node.col_offset, change.kind))
    for change in changes:
        node = change.node
        start, end = starts[node.lineno - 1] + node.col_offset, starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        written = ast.unparse(change.replacement)
        if isinstance(change.replacement, ast.expr) and not isinstance(change.replacement, ast.Constant):
            written = f"({written})"
        changed = source[:start] + written.encode() + source[end:]
        after = (changed[starts[node.lineno - 1] :].splitlines() or [b""])[0]
        before = source[starts[node.lineno - 1] : starts[node.lineno]]
        lines = range(change.statement, (node.end_lineno or node.lineno) + 1)
        yield Mutant(change.kind, node.lineno, lines, before.decode().strip(), after.decode().strip(), changed.decode())


def _changes(tree: ast.Module) -> Iterator[_Change]:
    for function in _functions(tree):
        for statement in function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body:
            yield from _below(statement, statement.lineno)


def _functions(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The outermost functions and methods."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _FUNCTIONS):
            yield child
        else:
            yield from _functions(child)


def _below(node: ast.AST, statement: int) -> Iterator[_Change]:
    """The changes of a node and of all its parts; the line is that of the statement around it."""
    if isinstance(node, ast.stmt):
        statement = node.lineno
    for change in (_statement, _comparison, _boolean, _arithmetic, _constant, _returned):
        for found in change(node):
            yield replace(found, statement=statement)
    for child in _parts(node):
        yield from _below(child, statement)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node that may be changed."""
    if isinstance(node, ast.JoinedStr):
        # Before Python 3.12 the tree doesn't have their places in the text.
        return
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "args") and not isinstance(node, ast.Call):
            continue
        for child in value if isinstance(value, list) else [value]:
            is_docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            if isinstance(child, ast.AST) and not is_docstring:
                yield child


def _statement(node: ast.AST) -> Iterator[_Change]:
    """The statement left out."""
    if isinstance(node, (ast.Expr, ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete)):
        yield _Change("removed statement", node, ast.Pass())


def _comparison(node: ast.AST) -> Iterator[_Change]:
    if isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            turned = copy.deepcopy(node)
            turned.ops[index] = _COMPARISONS[type(operator)]()
            yield _Change("comparison", node, turned)


def _boolean(node: ast.AST) -> Iterator[_Change]:
    if isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield _Change("boolean", node, ast.BoolOp(other, node.values))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _Change("boolean", node, node.operand)
    if isinstance(node, ast.IfExp):
        yield _Change("boolean", node, ast.IfExp(node.test, node.orelse, node.body))


def _arithmetic(node: ast.AST) -> Iterator[_Change]:
    """Another operation. Not on texts, which can only be added: there any test would fail."""
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC and not (_is_text(node.left) or _is_text(node.right)):
        yield _Change("arithmetic", node, ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right))


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _constant(node: ast.AST) -> Iterator[_Change]:
    if not isinstance(node, ast.Constant):
        return
    match node.value:
        case bool(value):
            yield _Change("constant", node, ast.Constant(not value))
        case int(value):
            yield _Change("constant", node, ast.Constant(value + 1))
        case str(value):
            yield _Change("constant", node, ast.Constant("" if value else "mutant"))


def _returned(node: ast.AST) -> Iterator[_Change]:
    if isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
        yield _Change("returned value", node, ast.Return(ast.Constant(None)))
