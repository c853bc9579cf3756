"""Reads the text of an expression into a tree.

`form_reader` reads the text by the grammar; here its forms become expressions. Errors that the grammar can't find are reported: reserved
names, literals out of range, macros with wrong arguments. If an error left a gap in the forms, the expression has a gap too. Source: the
visitor in cel-go's `parser/parser.go`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from weighbridge.policies.cel.syntax import errors
from weighbridge.policies.cel.syntax.errors import Issues
from weighbridge.policies.cel.syntax.form_reader import Form, Step, read_syntax, run
from weighbridge.policies.cel.syntax.lexer import Token, TokenKind
from weighbridge.policies.cel.syntax.literals import read_literal
from weighbridge.policies.cel.syntax.macros import MacroError, macro
from weighbridge.policies.cel.syntax.nodes import (
    Call,
    Expr,
    Ident,
    ListLiteral,
    Literal,
    MapEntry,
    MapLiteral,
    Missing,
    Select,
    StructLiteral,
    depth,
)
from weighbridge.policies.cel.syntax.recovery import GivenUpError
from weighbridge.policies.cel.syntax.source import Source
from weighbridge.policies.cel.values.escapes import RESERVED
from weighbridge.policies.cel.versions import EVERYTHING, OPTIONALS, Version
from weighbridge.policies.ground.server_release import release

LONGEST: Final = 100_000
#: The deepest nesting of operators, selects, calls with a receiver and indexes.
DEEPEST: Final = 250
#: Macros make the tree deeper than the text; beyond this many levels a rule is refused.
DEEPEST_TREE: Final = 300
#: The offset of nodes that have no place in the text.
_NOWHERE: Final = -1
#: Forms that only contain another one (the first label), unless the second label has a part.
_WRAPPERS: Final = {
    "start": ("e", ""), "expr": ("e", "op"), "conditionalOr": ("e", "ops"), "conditionalAnd": ("e", "ops"), "relation": ("inner", "op"),
    "calc": ("inner", ""), "operand": ("inner", ""), "member": ("inner", ""), "nested": ("inner", ""), "constant": ("inner", ""),
}  # fmt: skip
#: The functions of the binary operators.
_FUNCTIONS: Final = {
    "<": "_<_", "<=": "_<=_", ">": "_>_", ">=": "_>=_", "==": "_==_", "!=": "_!=_", "in": "@in", "+": "_+_", "-": "_-_", "*": "_*_",
    "/": "_/_", "%": "_%_",
}  # fmt: skip
_COUNTED: Final = frozenset({"expr", "relation", "product", "sum", "select", "memberCall", "index"})


def parse(source: Source, issues: Issues, version: Version = EVERYTHING) -> Expr:
    """The tree of `source`, macros expanded; it is unusable if `issues` has grown."""
    if len(source.text) > LONGEST:
        issues.report_whole(errors.expression_too_long(len(source.text), LONGEST))
        return Missing(0)
    try:
        root: Expr = run(_TreeMaker(issues, version).visit(read_syntax(source.text, issues)))
    except GivenUpError:
        return Missing(0)
    if not issues and depth(root) > DEEPEST_TREE:
        issues.report_whole(errors.too_deep(DEEPEST))
    return root


class _TreeMaker:
    """The state of making one expression."""

    def __init__(self, issues: Issues, version: Version) -> None:
        self._issues = issues
        self._version = version
        self._level = 0

    def visit(self, form: Form | None) -> Step:
        """The expression of a form; raises GivenUpError if it nests too deeply."""
        form = _unwrapped(form)
        if form is None or form.name not in _VISITS:
            return Missing(_NOWHERE)
        counted = form.name in _COUNTED
        self._level += counted
        if self._level > DEEPEST:
            self._issues.report_whole(errors.CHAIN_TOO_LONG)
            raise GivenUpError
        found = yield _VISITS[form.name](self, form)
        self._level -= counted
        return found

    def _error(self, offset: int, message: str) -> Expr:
        self._issues.report(offset, message)
        return Missing(offset)

    def _call(self, offset: int, function: str, target: Expr | None, args: list[Expr]) -> Expr:
        expand = macro(function, len(args), has_target=target is not None, version=self._version)
        if expand is None:
            return Call(offset, function, args, target)
        try:
            return expand(offset, target, args)
        except MacroError as error:
            return self._error(error.offset, str(error))

    # --- operators ---

    def conditional(self, form: Form) -> Step:
        condition = yield self.visit(form.parts["e"])
        truthy = yield self.visit(form.parts.get("e1"))
        falsy = yield self.visit(form.parts.get("e2"))
        return Call(form.parts["op"].offset, "_?_:_", [condition, truthy, falsy])

    def logic(self, form: Form) -> Step:
        terms = [(yield self.visit(form.parts["e"]))]
        for term in form.parts.get("e1", ()):
            terms += [(yield self.visit(term))]
        offsets = [token.offset for token in form.parts["ops"]]
        return _balanced("_||_" if form.name == "conditionalOr" else "_&&_", terms, offsets)

    def binary(self, form: Form) -> Step:
        left = yield self.visit(form.parts["left"])
        right = yield self.visit(form.parts.get("right"))
        operator: Token = form.parts["op"]
        return Call(operator.offset, _FUNCTIONS[operator.text], [left, right])

    def signed(self, form: Form) -> Step:
        operand = yield self.visit(form.parts.get("inner"))
        signs: list[Token] = form.parts["ops"]
        if len(signs) % 2 == 0:
            return operand
        return Call(signs[0].offset, "!_" if form.name == "not" else "-_", [operand])

    def no_operand(self, form: Form) -> Step:
        yield from ()
        return Literal(form.start, "<<error>>")

    # --- members ---

    def select(self, form: Form) -> Step:
        operand = yield self.visit(form.parts["left"])
        name: Form | None = form.parts.get("id")
        if name is None:
            return Missing(form.start)
        text = self._name(name, name.start)
        dot: Token = form.parts["op"]
        if "opt" not in form.parts:
            return Select(dot.offset, operand, text or "")
        if self._version < OPTIONALS:
            return self._error(dot.offset, errors.without_optionals(".?"))
        return Call(dot.offset, "_?._", [operand, Literal(name.start, text or "")])

    def _name(self, form: Form, offset: int) -> str | None:
        """The name that an identifier represents; if it isn't valid, `None` and a report at `offset`."""
        token: Token | None = form.parts.get("id")
        if token is None:
            self._issues.report(offset, errors.NO_FIELD_NAME)
            return None
        if form.name == "escaped" and release().reads_escaped_fields:
            return token.text[1:-1]
        if form.name == "escaped":
            self._issues.report(offset, errors.unsupported_syntax("`"))
            return None
        return token.text

    def member_call(self, form: Form) -> Step:
        target = yield self.visit(form.parts["left"])
        if "id" not in form.parts:
            return Missing(form.start)
        args = yield self._arguments(form)
        return self._call(_offset(form, "open"), form.parts["id"].text, target, args)

    def _arguments(self, form: Form) -> Step:
        found: list[Expr] = []
        inside: Form | None = form.parts.get("args")
        for part in inside.parts.get("e", ()) if inside is not None else ():
            found += [(yield self.visit(part))]
        return found

    def index(self, form: Form) -> Step:
        target = yield self.visit(form.parts["left"])
        inner = yield self.visit(form.parts.get("index"))
        optional = "opt" in form.parts
        if optional and self._version < OPTIONALS:
            return self._error(form.parts["op"].offset, errors.without_optionals("[?"))
        return Call(form.parts["op"].offset, "_[?_]" if optional else "_[_]", [target, inner])

    # --- primaries ---

    def ident(self, form: Form) -> Step:
        yield from ()
        name: Token | None = form.parts.get("id")
        if name is None:
            return Missing(form.start)
        if name.text in RESERVED:
            return self._error(form.start, errors.reserved(name.text))
        return Ident(name.offset, _dot(form) + name.text)

    def global_call(self, form: Form) -> Step:
        name: Token | None = form.parts.get("id")
        if name is None:
            return Missing(form.start)
        if name.text in RESERVED:
            return self._error(form.start, errors.reserved(name.text))
        args = yield self._arguments(form)
        return self._call(_offset(form, "op"), _dot(form) + name.text, None, args)

    def list_literal(self, form: Form) -> Step:
        elements: list[Expr] = []
        optional: set[int] = set()
        inside: Form | None = form.parts.get("elems")
        for index, part in enumerate(inside.parts.get("elems", ()) if inside is not None else ()):
            elements.append((yield self.visit(part.parts.get("e"))))
            if "opt" in part.parts:
                optional.add(index)
                self._allows_optional(part.parts["opt"].offset)
        return ListLiteral(_offset(form, "op"), elements, frozenset(optional))

    def _allows_optional(self, offset: int) -> bool:
        if self._version < OPTIONALS:
            self._issues.report(offset, errors.without_optionals("?"))
        return self._version >= OPTIONALS

    def map_literal(self, form: Form) -> Step:
        entries = yield self._entries(form, "keys")
        return MapLiteral(_offset(form, "op"), entries)

    def message(self, form: Form) -> Step:
        entries = yield self._entries(form, "fields")
        name = ".".join(token.text for token in form.parts.get("ids", ()))
        return StructLiteral(_offset(form, "op"), _dot(form) + name, entries)

    def _entries(self, form: Form, label: str) -> Step:
        """The entries of a map or message; none at all if one of them is incomplete."""
        inside: Form | None = form.parts.get("entries")
        if inside is None:
            return []
        keys, colons, values = (inside.parts.get(part, []) for part in (label, "cols", "values"))
        if len({len(keys), len(colons), len(values)}) > 1:
            keys = keys[: min(len(colons), len(values))]
        found = []
        for key, colon, value in zip(keys, colons, values, strict=False):
            optional = "opt" in key.parts
            if optional and not self._allows_optional(key.start):
                continue
            name = yield self._key(key, inside, label)
            if name is None:
                continue
            made = yield self.visit(value)
            found.append(MapEntry(colon.offset, name, made, optional))
        return found

    def _key(self, key: Form, inside: Form, label: str) -> Step:
        if label == "keys":
            return (yield self.visit(key.parts.get("e")))
        name: Form | None = key.parts.get("id")
        text = self._name(name if name is not None else Form("", key.start), inside.start)
        return None if text is None else Literal(key.start, text)

    def literal(self, form: Form) -> Step:
        yield from ()
        token: Token = form.parts["tok"]
        if token.kind is TokenKind.SYMBOL:
            return Literal(form.start, {"true": True, "false": False, "null": None}[token.text])
        return read_literal(token, "-" if "sign" in form.parts else "", self._issues, form.start)


def _balanced(function: str, terms: list[Expr], offsets: list[int]) -> Expr:
    """A balanced tree of ``&&`` or ``||``, as cel-go makes them, so that long chains stay shallow."""
    if len(terms) == 1:
        return terms[0]
    middle = len(offsets) // 2
    left = _balanced(function, terms[: middle + 1], offsets[:middle])
    right = _balanced(function, terms[middle + 1 :], offsets[middle + 1 :])
    return Call(offsets[middle], function, [left, right])


def _unwrapped(form: Form | None) -> Form | None:
    while form is not None and form.name in _WRAPPERS:
        inner, unless = _WRAPPERS[form.name]
        if unless in form.parts:
            return form
        form = form.parts.get(inner)
    return form


def _dot(form: Form) -> str:
    return "." if "leadingDot" in form.parts else ""


def _offset(form: Form, label: str) -> int:
    token: Token | None = form.parts.get(label)
    return _NOWHERE if token is None else token.offset


_VISITS: Final[dict[str, Callable[[_TreeMaker, Form], Any]]] = {
    "expr": _TreeMaker.conditional,
    "conditionalOr": _TreeMaker.logic,
    "conditionalAnd": _TreeMaker.logic,
    "relation": _TreeMaker.binary,
    "product": _TreeMaker.binary,
    "sum": _TreeMaker.binary,
    "not": _TreeMaker.signed,
    "negate": _TreeMaker.signed,
    "unary": _TreeMaker.no_operand,
    "select": _TreeMaker.select,
    "memberCall": _TreeMaker.member_call,
    "index": _TreeMaker.index,
    "ident": _TreeMaker.ident,
    "globalCall": _TreeMaker.global_call,
    "list": _TreeMaker.list_literal,
    "map": _TreeMaker.map_literal,
    "message": _TreeMaker.message,
    **dict.fromkeys(("int", "uint", "double", "string", "bytes", "true", "false", "null"), _TreeMaker.literal),
}
