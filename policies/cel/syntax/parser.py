"""Reads the text of an expression into a tree.

Well-formed texts, which is nearly all, are read by recursive descent: one level of brackets costs one level of recursion, chains of
operators cost none. Everything else is read again by `careful_parser`, which is slow and knows what to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.cel.syntax import errors
from weighbridge.policies.cel.syntax.careful_parser import DEEPEST, read_carefully
from weighbridge.policies.cel.syntax.errors import Issues
from weighbridge.policies.cel.syntax.lexer import Kind, Token, tokens
from weighbridge.policies.cel.syntax.literals import read_literal
from weighbridge.policies.cel.syntax.macros import MacroError, macro
from weighbridge.policies.cel.syntax.nodes import (
    Call,
    Entry,
    Expr,
    Ident,
    ListLiteral,
    Literal,
    MapLiteral,
    Missing,
    Select,
    StructLiteral,
    depth,
)
from weighbridge.policies.cel.syntax.precedence import OperatorReader
from weighbridge.policies.cel.syntax.source import Source
from weighbridge.policies.cel.syntax.token_stream import NotPlainError, TokenStream
from weighbridge.policies.cel.values.escapes import RESERVED
from weighbridge.policies.cel.versions import EVERYTHING, OPTIONALS, Version

LONGEST: Final = 100_000
#: How deep brackets may nest to be read by recursive descent, which costs up to eight stack frames a level.
DEEPEST_BRACKETS: Final = 60
#: Macros make the tree deeper than the text; beyond this many levels a rule is refused.
DEEPEST_TREE: Final = 300

_WORDS: Final = {"true": True, "false": False, "null": None}


def parse(source: Source, issues: Issues, version: Version = EVERYTHING) -> Expr:
    """The tree of `source`, macros expanded; where `issues` has grown it is of no use."""
    if len(source.text) > LONGEST:
        issues.report_whole(errors.expression_too_long(len(source.text), LONGEST))
        return Missing(0)
    root = _plain(source, version)
    if root is None:
        root = read_carefully(source, issues, version)
    if not issues and depth(root) > DEEPEST_TREE:
        issues.report_whole(errors.too_deep(DEEPEST))
    return root


def _plain(source: Source, version: Version) -> Expr | None:
    """The tree of a text in which nothing is wrong and nothing nests deeply, else `None`."""
    found = tokens(source.text)
    if found is None:
        return None
    problems = Issues(source)
    try:
        root = _Parser(found, problems, version).whole()
    except (NotPlainError, MacroError):
        return None
    # Of any tree less deep than this none of the server's limits has been reached.
    return None if problems or depth(root) > DEEPEST else root


class _Parser:
    """The state of reading one text."""

    def __init__(self, found: list[Token], problems: Issues, version: Version) -> None:
        self._tokens = TokenStream(found)
        self._problems = problems
        self._version = version
        self._level = 0
        self._operators = OperatorReader(self._tokens, self._unary)

    # --- expressions ---

    def whole(self) -> Expr:
        """The whole text as one expression; raises NotPlainError or MacroError."""
        root = self._expression()
        if self._tokens.current.kind is not Kind.END:
            raise NotPlainError
        return root

    def _expression(self) -> Expr:
        """``conditionalOr ('?' conditionalOr ':' expr)?``, the right-leaning chain of conditionals read in a loop."""
        self._level += 1
        if self._level > DEEPEST_BRACKETS:
            raise NotPlainError
        pending: list[tuple[int, Expr, Expr]] = []
        root = self._operators.read()
        while self._tokens.current.is_symbol("?"):
            offset = self._tokens.take().offset
            truthy = self._operators.read()
            self._tokens.expect(":")
            pending.append((offset, root, truthy))
            root = self._operators.read()
        for offset, condition, truthy in reversed(pending):
            root = Call(offset, "_?_:_", [condition, truthy, root])
        self._level -= 1
        return root

    def _unary(self) -> Expr:
        """``!``, ``-`` and what they stand before; an even number of either vanishes."""
        token = self._tokens.current
        if token.is_symbol("!") or (token.is_symbol("-") and self._tokens.peek().kind not in (Kind.INT, Kind.FLOAT)):
            return self._signed(token)
        return self._member(self._primary())

    def _signed(self, token: Token) -> Expr:
        count = 0
        while self._tokens.takes(token.text):
            count += 1
        member = self._member(self._primary())
        return member if count % 2 == 0 else Call(token.offset, f"{token.text}_", [member])

    def _member(self, operand: Expr) -> Expr:
        """Selects, receiver calls and indexes after an operand."""
        while True:
            if self._tokens.current.is_symbol("."):
                operand = self._select(operand)
            elif self._tokens.current.is_symbol("["):
                operand = self._index(operand)
            else:
                return operand

    def _select(self, operand: Expr) -> Expr:
        dot = self._tokens.take()
        optional = self._takes_optional()
        name = self._tokens.identifier()
        if not optional and self._tokens.current.is_symbol("("):
            opening = self._tokens.take()
            return self._call(opening.offset, name.text, operand, self._arguments())
        if optional:
            return Call(dot.offset, "_?._", [operand, Literal(name.offset, name.text)])
        return Select(dot.offset, operand, name.text)

    def _takes_optional(self) -> bool:
        found = self._tokens.takes("?")
        if found and self._version < OPTIONALS:
            raise NotPlainError
        return found

    def _index(self, operand: Expr) -> Expr:
        opening = self._tokens.take()
        optional = self._takes_optional()
        index = self._expression()
        self._tokens.expect("]")
        return Call(opening.offset, "_[?_]" if optional else "_[_]", [operand, index])

    def _arguments(self) -> list[Expr]:
        found: list[Expr] = []
        if not self._tokens.current.is_symbol(")"):
            found.append(self._expression())
            while self._tokens.takes(","):
                found.append(self._expression())
        self._tokens.expect(")")
        return found

    def _call(self, offset: int, function: str, target: Expr | None, args: list[Expr]) -> Expr:
        """A call, or what the macro of that name makes of it."""
        expand = macro(function, len(args), has_target=target is not None, version=self._version)
        return Call(offset, function, args, target) if expand is None else expand(offset, target, args)

    # --- primaries ---

    def _primary(self) -> Expr:
        token = self._tokens.current
        if token.kind is Kind.SYMBOL:
            return self._symbol_primary(token)
        if token.kind is Kind.IDENTIFIER:
            return self._named(token.offset, "")
        if token.kind in (Kind.INT, Kind.UINT, Kind.FLOAT, Kind.STRING, Kind.BYTES):
            return read_literal(self._tokens.take(), "", self._problems)
        raise NotPlainError

    def _symbol_primary(self, token: Token) -> Expr:
        text = self._tokens.take().text
        if text == "(":
            inner = self._expression()
            self._tokens.expect(")")
            return inner
        if text == "[":
            return self._list(token.offset)
        if text == "{":
            return self._map(token.offset)
        if text in _WORDS:
            return Literal(token.offset, _WORDS[text])
        if text == "-" and self._tokens.current.kind in (Kind.INT, Kind.FLOAT):
            return read_literal(self._tokens.take(), "-", self._problems, token.offset)
        if text == ".":
            return self._named(token.offset, ".")
        raise NotPlainError

    def _named(self, offset: int, dot: str) -> Expr:
        """A name, a call of a global function, or a message literal."""
        token = self._tokens.identifier()
        name = self._tokens.message_name(token.text)
        if name is not None:
            return self._message(dot + name)
        if token.text in RESERVED:
            raise NotPlainError
        if self._tokens.current.is_symbol("("):
            opening = self._tokens.take()
            return self._call(opening.offset, dot + token.text, None, self._arguments())
        return Ident(token.offset, dot + token.text)

    # --- literals with entries ---

    def _message(self, name: str) -> Expr:
        opening = self._tokens.take()
        entries: list[Entry] = []
        while self._begins_entry(entries, "}"):
            optional = self._takes_optional()
            field = self._tokens.identifier()
            entries.append(self._entry(Literal(field.offset, field.text), optional=optional))
            if not self._goes_on("}"):
                break
        self._close("}")
        return StructLiteral(opening.offset, name, entries)

    def _list(self, offset: int) -> Expr:
        elements: list[Expr] = []
        optional: set[int] = set()
        while self._begins_entry(elements, "]"):
            if self._takes_optional():
                optional.add(len(elements))
            elements.append(self._expression())
            if not self._goes_on("]"):
                break
        self._close("]")
        return ListLiteral(offset, elements, frozenset(optional))

    def _map(self, offset: int) -> Expr:
        entries: list[Entry] = []
        while self._begins_entry(entries, "}"):
            optional = self._takes_optional()
            entries.append(self._entry(self._expression(), optional=optional))
            if not self._goes_on("}"):
                break
        self._close("}")
        return MapLiteral(offset, entries)

    def _begins_entry(self, before: Sequence[object], closing: str) -> bool:
        """Whether another entry must come; the first may be missing, also before a comma."""
        return bool(before) or not self._tokens.current.is_symbol(closing, ",")

    def _entry(self, key: Expr, *, optional: bool) -> Entry:
        """The rest of an entry, from the colon on."""
        colon = self._tokens.expect(":")
        return Entry(colon.offset, key, self._expression(), optional)

    def _goes_on(self, closing: str) -> bool:
        """Whether a comma stands here and another entry after it; the comma is read then."""
        return not self._tokens.peek().is_symbol(closing) and self._tokens.takes(",")

    def _close(self, closing: str) -> None:
        """The closing symbol, and the comma that may stand before it."""
        self._tokens.takes(",")
        self._tokens.expect(closing)
