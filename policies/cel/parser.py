"""Reads the grammar of CEL into an expression tree.

Operators are read by precedence with explicit stacks, so that one level of brackets costs one level of recursion and no chain of
operators costs any; nesting is limited as in cel-go. After a syntax error reading goes on at the next token that can follow, as an ANTLR
parser does, so that the messages (and the ones that don't come) are the server's.
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
from policies.cel.source import Source
from policies.cel.token_stream import TokenStream

LONGEST: Final = 100_000
#: How long a chain of operators or selects may be; the server's limit, and the number its message names.
DEEPEST: Final = 250
#: How deep brackets may nest. The server takes 250 here too; reading by recursive descent costs up to eight stack frames a level.
DEEPEST_BRACKETS: Final = 100
#: Macros make the tree deeper than the text; beyond this many levels a rule is refused.
DEEPEST_TREE: Final = 300

#: Binary operators: how tightly they bind, and the function they call.
_BINARY: Final = {
    "<": (3, "_<_"), "<=": (3, "_<=_"), ">": (3, "_>_"), ">=": (3, "_>=_"), "==": (3, "_==_"), "!=": (3, "_!=_"), "in": (3, "@in"),
    "+": (4, "_+_"), "-": (4, "_-_"), "*": (5, "_*_"), "/": (5, "_/_"), "%": (5, "_%_"),
}  # fmt: skip
_LOGIC: Final = {"||": (1, "_||_"), "&&": (2, "_&&_")}
_STARTS: Final = frozenset({"[", "{", "(", ".", "-", "!", "true", "false", "null"})
_WORDS: Final = {"true": True, "false": False, "null": None}


class _TooDeepError(Exception):
    """The text nests deeper than is allowed."""


def parse(source: Source, issues: Issues) -> Expr:
    """The tree of `source`, macros expanded; where `issues` has grown it is of no use."""
    if len(source.text) > LONGEST:
        issues.report_whole(errors.expression_too_long(len(source.text), LONGEST))
        return Missing(0)
    parser = _Parser(tokens(source.text, issues), issues)
    try:
        root = parser.whole()
    except (_TooDeepError, RecursionError) as error:
        issues.report_whole(str(error) if isinstance(error, _TooDeepError) else errors.too_deep(DEEPEST))
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

    # --- expressions ---

    def whole(self) -> Expr:
        """The whole text as one expression."""
        root = self._expression()
        token = self._tokens.current
        if token.kind is not Kind.END:
            extraneous = self._tokens.peek().kind is Kind.END
            self._tokens.syntax_error(token, errors.wanted_token(token.text, "<EOF>", extraneous=extraneous))
        return root

    def _expression(self) -> Expr:
        """``conditionalOr ('?' conditionalOr ':' expr)?``, the right-leaning chain of conditionals read in a loop."""
        self._level += 1
        if self._level > DEEPEST_BRACKETS:
            raise _TooDeepError(errors.too_deep(DEEPEST))
        pending: list[tuple[int, Expr, Expr]] = []
        root = self._operators()
        while self._tokens.current.is_symbol("?"):
            offset = self._tokens.take().offset
            truthy = self._operators()
            self._tokens.expect(":")
            pending.append((offset, root, truthy))
            if len(pending) > DEEPEST:
                raise _TooDeepError(errors.too_deep(DEEPEST))
            root = self._operators()
        for offset, condition, truthy in reversed(pending):
            root = Call(offset, "_?_:_", [condition, truthy, root])
        self._level -= 1
        return root

    def _operators(self) -> Expr:
        """Binary operators by precedence; chains of `&&` and `||` become balanced trees."""
        operands = [self._unary()]
        waiting: list[tuple[int, str, int]] = []
        taken = 0
        while True:
            token = self._tokens.current
            entry = (_BINARY.get(token.text) or _LOGIC.get(token.text)) if token.kind is Kind.SYMBOL else None
            while waiting and (entry is None or waiting[-1][0] >= entry[0]):
                self._reduce(operands, waiting)
            if entry is None:
                return operands[0]
            waiting.append((*entry, self._tokens.take().offset))
            taken += 1
            if taken >= DEEPEST:
                raise _TooDeepError(errors.CHAIN_TOO_LONG)
            operands.append(self._unary())
            if entry[1] in ("_&&_", "_||_"):
                self._extend_chain(operands, waiting, entry)

    def _extend_chain(self, operands: list[Expr], waiting: list[tuple[int, str, int]], entry: tuple[int, str]) -> None:
        """Read the rest of ``a && b && c`` and put one balanced tree for all of it."""
        precedence, function = entry
        offsets = [waiting.pop()[2]]
        terms = [operands.pop(-2), operands.pop()]
        symbol = "&&" if function == "_&&_" else "||"
        while True:
            terms[-1] = self._tighter(terms[-1], precedence)
            if not self._tokens.current.is_symbol(symbol):
                break
            offsets.append(self._tokens.take().offset)
            terms.append(self._unary())
        operands.append(_balanced(function, terms, offsets))

    def _tighter(self, first: Expr, precedence: int) -> Expr:
        """Go on with operators that bind more tightly than `precedence`, `first` being read already."""
        operands = [first]
        waiting: list[tuple[int, str, int]] = []
        while True:
            token = self._tokens.current
            entry = (_BINARY.get(token.text) or _LOGIC.get(token.text)) if token.kind is Kind.SYMBOL else None
            if entry is not None and entry[0] <= precedence:
                entry = None
            while waiting and (entry is None or waiting[-1][0] >= entry[0]):
                self._reduce(operands, waiting)
            if entry is None:
                return operands[0]
            waiting.append((*entry, self._tokens.take().offset))
            operands.append(self._unary())
            if entry[1] == "_&&_":
                self._extend_chain(operands, waiting, entry)

    def _reduce(self, operands: list[Expr], waiting: list[tuple[int, str, int]]) -> None:
        _, function, offset = waiting.pop()
        right = operands.pop()
        left = operands.pop()
        operands.append(Call(offset, function, [left, right]))

    def _unary(self) -> Expr:
        """``!``, ``-`` and what they stand before; an even number of either vanishes."""
        token = self._tokens.current
        if token.is_symbol("!"):
            count = self._count("!")
            member = self._member(self._primary())
            return member if count % 2 == 0 else Call(token.offset, "!_", [member])
        if token.is_symbol("-") and self._tokens.peek().kind not in (Kind.INT, Kind.FLOAT):
            count = self._count("-")
            member = self._member(self._primary())
            return member if count % 2 == 0 else Call(token.offset, "-_", [member])
        return self._member(self._primary())

    def _count(self, symbol: str) -> int:
        count = 0
        while self._tokens.current.is_symbol(symbol):
            self._tokens.take()
            count += 1
        return count

    def _member(self, operand: Expr) -> Expr:
        """Selects, receiver calls and indexes after an operand."""
        steps = 0
        while True:
            if self._tokens.current.is_symbol("."):
                operand = self._select(operand)
            elif self._tokens.current.is_symbol("["):
                operand = self._index(operand)
            else:
                return operand
            steps += 1
            if steps > DEEPEST:
                raise _TooDeepError(errors.too_deep(DEEPEST))

    def _select(self, operand: Expr) -> Expr:
        dot = self._tokens.take()
        optional = self._tokens.current.is_symbol("?")
        if optional:
            self._tokens.take()
        name = self._tokens.current
        if name.kind is Kind.ESCAPED_IDENTIFIER:
            self._tokens.take()
            self._issues.report(name.offset, errors.unsupported_syntax("`"))
            return Select(dot.offset, operand, name.text)
        if name.kind is not Kind.IDENTIFIER:
            return self._bad_field(dot, name)
        self._tokens.take()
        if not optional and self._tokens.current.is_symbol("("):
            opening = self._tokens.take()
            return self._call(opening.offset, name.text, operand, self._arguments())
        if optional:
            return Call(dot.offset, "_?._", [operand, Literal(name.offset, name.text)])
        return Select(dot.offset, operand, name.text)

    def _bad_field(self, dot: Token, name: Token) -> Expr:
        if name.is_symbol("true", "false", "null"):
            message = errors.wanted_token(name.text, "IDENTIFIER")
        else:
            message = errors.no_alternative("." + ("" if name.kind is Kind.END else name.text))
        self._tokens.syntax_error(name, message)
        self._tokens.recover()
        return Missing(dot.offset)

    def _index(self, operand: Expr) -> Expr:
        opening = self._tokens.take()
        optional = self._tokens.current.is_symbol("?")
        if optional:
            self._tokens.take()
        index = self._expression()
        self._tokens.expect("]")
        return Call(opening.offset, "_[?_]" if optional else "_[_]", [operand, index])

    def _arguments(self) -> list[Expr]:
        found: list[Expr] = []
        if not self._tokens.current.is_symbol(")"):
            found.append(self._expression())
            while self._tokens.current.is_symbol(","):
                self._tokens.take()
                found.append(self._expression())
        self._tokens.expect(")")
        return found

    def _call(self, offset: int, function: str, target: Expr | None, args: list[Expr]) -> Expr:
        """A call, or what the macro of that name makes of it."""
        macro = MACROS.get((function, len(args), target is not None))
        if macro is None:
            return Call(offset, function, args, target)
        try:
            return macro(offset, target, args)
        except MacroError as error:
            self._issues.report(error.offset, str(error))
            return Missing(offset)

    # --- primaries ---

    def _primary(self) -> Expr:
        token = self._tokens.current
        if token.kind is Kind.SYMBOL:
            return self._symbol_primary(token)
        if token.kind is Kind.IDENTIFIER:
            return self._named(token.offset, "")
        if token.kind in (Kind.INT, Kind.UINT, Kind.FLOAT, Kind.STRING, Kind.BYTES):
            return read_literal(self._tokens.take(), "", self._issues)
        return self._no_expression()

    def _symbol_primary(self, token: Token) -> Expr:
        text = token.text
        if text == "(":
            self._tokens.take()
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
        if text == "." and self._tokens.peek().kind is Kind.IDENTIFIER:
            self._tokens.take()
            return self._named(token.offset, ".")
        return self._no_expression()

    def _no_expression(self) -> Expr:
        """No expression begins here: report it, drop one token if that helps, else go on at what may follow."""
        token = self._tokens.current
        after = self._tokens.peek()
        if token.kind is not Kind.END and (after.is_symbol(*_STARTS) or after.kind not in (Kind.SYMBOL, Kind.END, Kind.ESCAPED_IDENTIFIER)):
            self._tokens.syntax_error(token, errors.wanted_expression(token.text, extraneous=True))
            self._tokens.drop()
            return self._primary()
        self._tokens.syntax_error(token, errors.wanted_expression(token.text, extraneous=False))
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

    def _message(self, name: str) -> Expr:
        opening = self._tokens.take()
        entries: list[Entry] = []
        while not self._tokens.current.is_symbol("}") and self._tokens.current.kind is not Kind.END:
            optional = self._tokens.current.is_symbol("?")
            if optional:
                self._tokens.take()
            field = self._tokens.current
            if field.kind is not Kind.IDENTIFIER:
                self._tokens.syntax_error(field, errors.wanted_token(field.text, "'}'"))
                self._tokens.recover()
                break
            self._tokens.take()
            colon = self._tokens.expect(":")
            value = self._expression()
            entries.append(Entry(colon.offset if colon else field.offset, Literal(field.offset, field.text), value, optional))
            if not self._tokens.current.is_symbol(","):
                break
            self._tokens.take()
        self._tokens.expect("}")
        return StructLiteral(opening.offset, name, entries)

    def _list(self) -> Expr:
        opening = self._tokens.take()
        elements: list[Expr] = []
        optional: set[int] = set()
        while not self._tokens.current.is_symbol("]", ","):
            if self._tokens.current.is_symbol("?"):
                self._tokens.take()
                optional.add(len(elements))
            elements.append(self._expression())
            if not self._tokens.current.is_symbol(",") or self._tokens.peek().is_symbol("]"):
                break
            self._tokens.take()
        if self._tokens.current.is_symbol(","):
            self._tokens.take()
        self._tokens.expect("]")
        return ListLiteral(opening.offset, elements, frozenset(optional))

    def _map(self) -> Expr:
        opening = self._tokens.take()
        entries: list[Entry] = []
        while not self._tokens.current.is_symbol("}", ","):
            optional = self._tokens.current.is_symbol("?")
            if optional:
                self._tokens.take()
            key = self._expression()
            colon = self._tokens.expect(":")
            value = self._expression()
            entries.append(Entry(colon.offset if colon else key.offset, key, value, optional))
            if not self._tokens.current.is_symbol(",") or self._tokens.peek().is_symbol("}"):
                break
            self._tokens.take()
        if self._tokens.current.is_symbol(","):
            self._tokens.take()
        self._tokens.expect("}")
        return MapLiteral(opening.offset, entries)


def _balanced(function: str, terms: list[Expr], offsets: list[int]) -> Expr:
    """A balanced tree of a commutative operator, so that long chains stay shallow."""
    if len(terms) == 1:
        return terms[0]
    middle = len(offsets) // 2
    left = _balanced(function, terms[: middle + 1], offsets[:middle])
    right = _balanced(function, terms[middle + 1 :], offsets[middle + 1 :])
    return Call(offsets[middle], function, [left, right])
