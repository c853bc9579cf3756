"""Reads the grammar of CEL into an expression tree.

One level of brackets costs one level of recursion, chains of operators cost none; nesting is limited as in cel-go. After a syntax error
reading goes on at the next token that can follow, as an ANTLR parser does, so that the messages (and the ones that don't come) are the
server's.
"""

from __future__ import annotations

from typing import Final

from policies.cel import errors
from policies.cel.errors import Issues
from policies.cel.escaping import RESERVED
from policies.cel.lexer import Kind, Token, tokens
from policies.cel.literals import read_literal
from policies.cel.macros import MACROS, MacroError
from policies.cel.nodes import Call, Entry, Expr, Ident, ListLiteral, Literal, MapLiteral, Missing, Select, StructLiteral, depth
from policies.cel.precedence import OperatorReader, TooDeepError
from policies.cel.source import Source
from policies.cel.token_stream import TokenStream

LONGEST: Final = 100_000
#: How long a chain of operators or selects may be; the server's limit, and the number its message names.
DEEPEST: Final = 250
#: How deep brackets may nest. The server takes 250 here too; reading by recursive descent costs up to eight stack frames a level.
DEEPEST_BRACKETS: Final = 100
#: Macros make the tree deeper than the text; beyond this many levels a rule is refused.
DEEPEST_TREE: Final = 300

_WORDS: Final = {"true": True, "false": False, "null": None}


def parse(source: Source, issues: Issues) -> Expr:
    """The tree of `source`, macros expanded; where `issues` has grown it is of no use."""
    if len(source.text) > LONGEST:
        issues.report_whole(errors.expression_too_long(len(source.text), LONGEST))
        return Missing(0)
    parser = _Parser(tokens(source.text, issues), issues)
    try:
        root = parser.whole()
    except (TooDeepError, RecursionError) as error:
        issues.report_whole(str(error) if isinstance(error, TooDeepError) else errors.too_deep(DEEPEST))
        return Missing(0)
    if not issues and depth(root) > DEEPEST_TREE:
        issues.report_whole(errors.too_deep(DEEPEST))
    return root


class _Parser:
    """The state of reading one text."""

    def __init__(self, found: list[Token], issues: Issues) -> None:
        self._tokens = TokenStream(found, issues)
        self._issues = issues
        self._level = 0
        self._operators = OperatorReader(self._tokens, self._unary, DEEPEST)

    # --- expressions ---

    def whole(self) -> Expr:
        """The whole text as one expression."""
        root = self._expression()
        token = self._tokens.current
        if token.kind is not Kind.END:
            extraneous = self._tokens.peek().kind is Kind.END
            self._tokens.syntax_error(token, errors.wanted_token(token.text, "<EOF>", extraneous=extraneous))
        return root

    def _expression(self, also: str = "") -> Expr:
        """``conditionalOr ('?' conditionalOr ':' expr)?``, the right-leaning chain of conditionals read in a loop.

        `also` are the symbols that could stand here in its place, which a message about a missing expression lists.
        """
        self._level += 1
        if self._level > DEEPEST_BRACKETS:
            raise TooDeepError(errors.too_deep(DEEPEST))
        pending: list[tuple[int, Expr, Expr]] = []
        root = self._operators.read(also)
        while self._tokens.current.is_symbol("?"):
            offset = self._tokens.take().offset
            with self._tokens.inside(":"):
                truthy = self._operators.read()
            self._tokens.expect(":")
            pending.append((offset, root, truthy))
            if len(pending) > DEEPEST:
                raise TooDeepError(errors.too_deep(DEEPEST))
            root = self._operators.read()
        for offset, condition, truthy in reversed(pending):
            root = Call(offset, "_?_:_", [condition, truthy, root])
        self._level -= 1
        return root

    def _unary(self, also: str = "") -> Expr:
        """``!``, ``-`` and what they stand before; an even number of either vanishes."""
        token = self._tokens.current
        if token.is_symbol("!"):
            return self._signed(token, "!")
        if token.is_symbol("-") and self._tokens.peek().kind not in (Kind.INT, Kind.FLOAT):
            return self._signed(token, "-")
        return self._member(self._primary(also))

    def _signed(self, token: Token, sign: str) -> Expr:
        count = self._count(sign)
        current = self._tokens.current
        if not self._tokens.begins_expression(current):
            if sign == "-" and not self._tokens.is_recovering:
                self._issues.report(current.offset, errors.no_alternative(self._tokens.since_last(current)))
            return self._no_expression(repeats=sign == "!")
        member = self._member(self._primary())
        return member if count % 2 == 0 else Call(token.offset, f"{sign}_", [member])

    def _count(self, symbol: str) -> int:
        count = 0
        while self._tokens.current.is_symbol(symbol):
            self._tokens.take()
            count += 1
        return count

    def _member(self, operand: Expr) -> Expr:
        """Selects, receiver calls and indexes after an operand."""
        steps = 0
        while not (isinstance(operand, Missing) and self._tokens.is_recovering):
            if self._tokens.current.is_symbol("."):
                operand = self._select(operand)
            elif self._tokens.current.is_symbol("["):
                operand = self._index(operand)
            else:
                return operand
            steps += 1
            if steps > DEEPEST:
                raise TooDeepError(errors.too_deep(DEEPEST))
        return operand

    def _select(self, operand: Expr) -> Expr:
        dot = self._tokens.take()
        optional = self._takes("?")
        name = self._tokens.current
        if name.kind is Kind.ESCAPED_IDENTIFIER:
            self._tokens.take()
            self._issues.report(name.offset, errors.unsupported_syntax("`"))
            return Select(dot.offset, operand, name.text)
        if name.kind is not Kind.IDENTIFIER:
            return self._bad_field(dot, name, optional=optional)
        self._tokens.take()
        if not optional and self._tokens.current.is_symbol("("):
            opening = self._tokens.take()
            return self._call(opening.offset, name.text, operand, self._arguments())
        if optional:
            return Call(dot.offset, "_?._", [operand, Literal(name.offset, name.text)])
        return Select(dot.offset, operand, name.text)

    def _bad_field(self, dot: Token, name: Token, *, optional: bool) -> Expr:
        if optional:
            self._tokens.syntax_error(name, errors.wanted_token(name.text, errors.FIELD_NAME))
            self._issues.report(name.offset, errors.NO_FIELD_NAME)
        elif name.is_symbol("true", "false", "null"):
            self._tokens.syntax_error(name, errors.wanted_token(name.text, "IDENTIFIER"))
        else:
            self._tokens.syntax_error(name, errors.no_alternative("." + ("" if name.kind is Kind.END else name.text)))
        self._tokens.recover()
        return Missing(dot.offset)

    def _index(self, operand: Expr) -> Expr:
        opening = self._tokens.take()
        optional = self._takes("?")
        with self._tokens.inside("]"):
            index = self._expression("" if optional else "?")
        self._tokens.expect("]")
        return Call(opening.offset, "_[?_]" if optional else "_[_]", [operand, index])

    def _arguments(self) -> list[Expr]:
        found: list[Expr] = []
        if not self._tokens.current.is_symbol(")"):
            with self._tokens.inside(",", ")"):
                found.append(self._expression(")"))
                while self._tokens.current.is_symbol(","):
                    self._tokens.take()
                    found.append(self._expression())
        self._tokens.expect(")")
        return found

    def _call(self, offset: int, function: str, target: Expr | None, args: list[Expr]) -> Expr:
        """A call, or what the macro of that name makes of it."""
        macro = MACROS.get((function, len(args), target is not None))
        if macro is None or (self._tokens.has_failed and any(isinstance(arg, Missing) for arg in args)):
            return Call(offset, function, args, target)
        try:
            return macro(offset, target, args)
        except MacroError as error:
            self._issues.report(error.offset, str(error))
            return Missing(offset)

    # --- primaries ---

    def _primary(self, also: str = "") -> Expr:
        token = self._tokens.current
        if token.kind is Kind.SYMBOL:
            return self._symbol_primary(token, also)
        if token.kind is Kind.IDENTIFIER:
            return self._named(token.offset, "")
        if token.kind in (Kind.INT, Kind.UINT, Kind.FLOAT, Kind.STRING, Kind.BYTES):
            return read_literal(self._tokens.take(), "", self._issues)
        return self._no_expression(also)

    def _symbol_primary(self, token: Token, also: str) -> Expr:
        text = token.text
        if text == "(":
            self._tokens.take()
            with self._tokens.inside(")"):
                inner = self._expression()
            self._tokens.expect(")")
            return inner
        if text == "[":
            return self._list()
        if text == "{":
            return self._map()
        if text in _WORDS:
            self._tokens.take()
            return Literal(token.offset, _WORDS[text])
        if text == "-" and self._tokens.peek().kind in (Kind.INT, Kind.FLOAT):
            self._tokens.take()
            return read_literal(self._tokens.take(), "-", self._issues, token.offset)
        if text == ".":
            self._tokens.take()
            if self._tokens.current.kind is Kind.IDENTIFIER:
                return self._named(token.offset, ".")
            return self._bad_field(token, self._tokens.current, optional=False)
        return self._no_expression(also)

    def _no_expression(self, also: str = "", *, repeats: bool = False) -> Expr:
        """No expression begins here: report it, drop one token if that helps, else go on at what may follow.

        `also` are the symbols that can stand here too; a sign before the place `repeats` it.
        """
        token = self._tokens.current
        after = self._tokens.peek()
        if token.kind is not Kind.END and (self._tokens.begins_expression(after) or after.is_symbol(*also)):
            self._tokens.syntax_error(token, errors.wanted_expression(token.text, also, extraneous=True))
            self._tokens.drop()
            return Missing(token.offset) if after.is_symbol(*also) else self._primary()
        self._tokens.syntax_error(token, errors.wanted_expression(token.text, also, extraneous=repeats))
        self._tokens.recover()
        return Missing(token.offset)

    def _named(self, offset: int, dot: str) -> Expr:
        """A name, a call of a global function, or a message literal."""
        token = self._tokens.take()
        if token.text in RESERVED:
            if self._tokens.current.is_symbol("("):
                self._tokens.take()
                self._arguments()
            self._issues.report(offset, errors.reserved(token.text))
            return Missing(offset)
        if self._tokens.current.is_symbol("("):
            opening = self._tokens.take()
            return self._call(opening.offset, dot + token.text, None, self._arguments())
        name = self._tokens.message_name(token.text)
        if name is not None:
            return self._message(dot + name)
        return Ident(token.offset, dot + token.text)

    # --- literals with entries ---

    def _message(self, name: str) -> Expr:
        opening = self._tokens.take()
        entries: list[Entry] = []
        while self._tokens.current.kind is Kind.IDENTIFIER or self._tokens.current.is_symbol("?"):
            optional = self._takes("?")
            field = self._tokens.current
            if field.kind is not Kind.IDENTIFIER:
                self._tokens.syntax_error(field, errors.wanted_token(field.text, errors.FIELD_NAME))
                self._tokens.recover()
                break
            self._tokens.take()
            entries.append(self._entry(Literal(field.offset, field.text), optional=optional))
            if not self._goes_on():
                break
        self._close("}", errors.FIRST_FIELD if not entries else "")
        return StructLiteral(opening.offset, name, entries)

    def _list(self) -> Expr:
        opening = self._tokens.take()
        elements: list[Expr] = []
        optional: set[int] = set()
        while not self._tokens.current.is_symbol("]", ","):
            if self._takes("?"):
                optional.add(len(elements))
            with self._tokens.inside(",", "]"):
                elements.append(self._expression("" if elements or optional else "],?"))
            if not self._goes_on():
                break
        self._close("]")
        return ListLiteral(opening.offset, elements, frozenset(optional))

    def _map(self) -> Expr:
        opening = self._tokens.take()
        entries: list[Entry] = []
        while not self._tokens.current.is_symbol("}", ","):
            optional = self._takes("?")
            with self._tokens.inside(":"):
                key = self._expression("" if entries or optional else "},?")
            entries.append(self._entry(key, optional=optional))
            if not self._goes_on():
                break
        self._close("}")
        return MapLiteral(opening.offset, entries)

    def _entry(self, key: Expr, *, optional: bool) -> Entry:
        """The rest of an entry, from the colon on."""
        colon = self._tokens.expect(":")
        with self._tokens.inside(",", "}"):
            value = self._expression()
        return Entry(colon.offset if colon else key.offset, key, value, optional)

    def _takes(self, symbol: str) -> bool:
        """Read `symbol` if it is there."""
        found = self._tokens.current.is_symbol(symbol)
        if found:
            self._tokens.take()
        return found

    def _goes_on(self) -> bool:
        """Whether a comma stands here and another entry after it; the comma is read then."""
        after = self._tokens.peek()
        return (self._tokens.begins_expression(after) or after.is_symbol("?")) and self._takes(",")

    def _close(self, symbol: str, wanted: str = "") -> None:
        """The closing symbol, and the comma that may stand before it."""
        listed = wanted or f"{{'{symbol}', ','}}"
        token = self._tokens.current
        if token.kind is not Kind.END and not token.is_symbol(symbol, ",") and self._tokens.peek().is_symbol(","):
            self._tokens.syntax_error(token, errors.wanted_token(token.text, listed, extraneous=True))
            self._tokens.drop()
        if self._takes(","):
            self._tokens.expect(symbol)
        else:
            self._tokens.expect(symbol, listed)
