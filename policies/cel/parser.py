"""Reads the grammar of CEL into an expression tree.

Operators are read by precedence with explicit stacks, so that one level of brackets costs one level of recursion and no chain of
operators costs any; nesting is limited as in cel-go. After a syntax error reading goes on at the next token that can follow, as an ANTLR
parser does, so that the messages (and the ones that don't come) are the server's.
"""

from __future__ import annotations

from typing import Final

from policies.cel import errors, literals
from policies.cel.errors import Issues
from policies.cel.lexer import Kind, Token, tokens
from policies.cel.macros import MACROS, MacroError
from policies.cel.nodes import Call, Entry, Expr, Ident, ListLiteral, Literal, MapLiteral, Missing, Select, StructLiteral, depth
from policies.cel.source import Source
from policies.cel.values import Uint

LONGEST: Final = 100_000
#: How long a chain of operators or selects may be; the server's limit, and the number its message names.
DEEPEST: Final = 250
#: How deep brackets may nest. The server takes 250 here too; reading by recursive descent costs up to eight stack frames a level.
DEEPEST_BRACKETS: Final = 100
#: Macros make the tree deeper than the text; beyond this many levels a rule is refused.
DEEPEST_TREE: Final = 300

RESERVED: Final = frozenset(
    {
        "as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop", "package",
        "namespace", "null", "return", "true", "var", "void", "while",
    },
)  # fmt: skip

#: Binary operators: how tightly they bind, and the function they call.
_BINARY: Final = {
    "<": (3, "_<_"), "<=": (3, "_<=_"), ">": (3, "_>_"), ">=": (3, "_>=_"), "==": (3, "_==_"), "!=": (3, "_!=_"), "in": (3, "@in"),
    "+": (4, "_+_"), "-": (4, "_-_"), "*": (5, "_*_"), "/": (5, "_/_"), "%": (5, "_%_"),
}  # fmt: skip
_LOGIC: Final = {"||": (1, "_||_"), "&&": (2, "_&&_")}
#: What may come after an expression: where reading goes on after an error.
_FOLLOW: Final = frozenset({*_BINARY, *_LOGIC, "?", ":", ",", ")", "]", "}", ".", "["})
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
        self._tokens = found
        self._next = 0
        self._issues = issues
        self._recovering = False
        self._level = 0

    # --- tokens ---

    @property
    def _token(self) -> Token:
        return self._tokens[self._next]

    def _peek(self) -> Token:
        return self._tokens[min(self._next + 1, len(self._tokens) - 1)]

    def _take(self) -> Token:
        token = self._token
        if token.kind is not Kind.END:
            self._next += 1
        self._recovering = False
        return token

    def _syntax_error(self, token: Token, message: str) -> None:
        if not self._recovering:
            self._issues.report(token.offset, message)
        self._recovering = True

    def _recover(self) -> None:
        while self._token.kind is not Kind.END and not self._token.is_symbol(*_FOLLOW):
            self._next += 1

    def _expect(self, symbol: str, wanted: str = "") -> Token | None:
        """Take `symbol`; where it is missing, report it and go on as well as possible."""
        token = self._token
        if token.is_symbol(symbol):
            return self._take()
        wanted = wanted or f"'{symbol}'"
        if self._peek().is_symbol(symbol) and token.kind is not Kind.END:
            self._syntax_error(token, errors.wanted_token(token.text, wanted, extraneous=True))
            self._next += 1
            return self._take()
        self._syntax_error(token, errors.wanted_token(token.text, wanted))
        self._recover()
        if self._token.is_symbol(symbol):
            return self._take()
        return None

    # --- expressions ---

    def whole(self) -> Expr:
        """The whole text as one expression."""
        root = self._expression()
        token = self._token
        if token.kind is not Kind.END:
            extraneous = self._peek().kind is Kind.END
            self._syntax_error(token, errors.wanted_token(token.text, "<EOF>", extraneous=extraneous))
        return root

    def _expression(self) -> Expr:
        """``conditionalOr ('?' conditionalOr ':' expr)?``, the right-leaning chain of conditionals read in a loop."""
        self._level += 1
        if self._level > DEEPEST_BRACKETS:
            raise _TooDeepError(errors.too_deep(DEEPEST))
        pending: list[tuple[int, Expr, Expr]] = []
        root = self._operators()
        while self._token.is_symbol("?"):
            offset = self._take().offset
            truthy = self._operators()
            self._expect(":")
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
            token = self._token
            entry = (_BINARY.get(token.text) or _LOGIC.get(token.text)) if token.kind is Kind.SYMBOL else None
            while waiting and (entry is None or waiting[-1][0] >= entry[0]):
                self._reduce(operands, waiting)
            if entry is None:
                return operands[0]
            waiting.append((*entry, self._take().offset))
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
            if not self._token.is_symbol(symbol):
                break
            offsets.append(self._take().offset)
            terms.append(self._unary())
        operands.append(_balanced(function, terms, offsets))

    def _tighter(self, first: Expr, precedence: int) -> Expr:
        """Go on with operators that bind more tightly than `precedence`, `first` being read already."""
        operands = [first]
        waiting: list[tuple[int, str, int]] = []
        while True:
            token = self._token
            entry = (_BINARY.get(token.text) or _LOGIC.get(token.text)) if token.kind is Kind.SYMBOL else None
            if entry is not None and entry[0] <= precedence:
                entry = None
            while waiting and (entry is None or waiting[-1][0] >= entry[0]):
                self._reduce(operands, waiting)
            if entry is None:
                return operands[0]
            waiting.append((*entry, self._take().offset))
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
        token = self._token
        if token.is_symbol("!"):
            count = self._count("!")
            member = self._member(self._primary())
            return member if count % 2 == 0 else Call(token.offset, "!_", [member])
        if token.is_symbol("-") and self._peek().kind not in (Kind.INT, Kind.FLOAT):
            count = self._count("-")
            member = self._member(self._primary())
            return member if count % 2 == 0 else Call(token.offset, "-_", [member])
        return self._member(self._primary())

    def _count(self, symbol: str) -> int:
        count = 0
        while self._token.is_symbol(symbol):
            self._take()
            count += 1
        return count

    def _member(self, operand: Expr) -> Expr:
        """Selects, receiver calls and indexes after an operand."""
        steps = 0
        while True:
            if self._token.is_symbol("."):
                operand = self._select(operand)
            elif self._token.is_symbol("["):
                operand = self._index(operand)
            else:
                return operand
            steps += 1
            if steps > DEEPEST:
                raise _TooDeepError(errors.too_deep(DEEPEST))

    def _select(self, operand: Expr) -> Expr:
        dot = self._take()
        optional = self._token.is_symbol("?")
        if optional:
            self._take()
        name = self._token
        if name.kind is Kind.ESCAPED_IDENTIFIER:
            self._take()
            self._issues.report(name.offset, errors.unsupported_syntax("`"))
            return Select(dot.offset, operand, name.text)
        if name.kind is not Kind.IDENTIFIER:
            return self._bad_field(dot, name)
        self._take()
        if not optional and self._token.is_symbol("("):
            opening = self._take()
            return self._call(opening.offset, name.text, operand, self._arguments())
        if optional:
            return Call(dot.offset, "_?._", [operand, Literal(name.offset, name.text)])
        return Select(dot.offset, operand, name.text)

    def _bad_field(self, dot: Token, name: Token) -> Expr:
        if name.is_symbol("true", "false", "null"):
            message = errors.wanted_token(name.text, "IDENTIFIER")
        else:
            message = errors.no_alternative("." + ("" if name.kind is Kind.END else name.text))
        self._syntax_error(name, message)
        self._recover()
        return Missing(dot.offset)

    def _index(self, operand: Expr) -> Expr:
        opening = self._take()
        optional = self._token.is_symbol("?")
        if optional:
            self._take()
        index = self._expression()
        self._expect("]")
        return Call(opening.offset, "_[?_]" if optional else "_[_]", [operand, index])

    def _arguments(self) -> list[Expr]:
        found: list[Expr] = []
        if not self._token.is_symbol(")"):
            found.append(self._expression())
            while self._token.is_symbol(","):
                self._take()
                found.append(self._expression())
        self._expect(")")
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
        token = self._token
        if token.kind is Kind.SYMBOL:
            return self._symbol_primary(token)
        if token.kind is Kind.IDENTIFIER:
            return self._named(token.offset, "")
        if token.kind in (Kind.INT, Kind.UINT, Kind.FLOAT, Kind.STRING, Kind.BYTES):
            return self._literal(self._take(), "")
        return self._no_expression()

    def _symbol_primary(self, token: Token) -> Expr:
        text = token.text
        if text == "(":
            self._take()
            inner = self._expression()
            self._expect(")")
            return inner
        if text == "[":
            return self._list()
        if text == "{":
            return self._map()
        if text in _WORDS:
            self._take()
            return Literal(token.offset, _WORDS[text])
        if text == "-" and self._peek().kind in (Kind.INT, Kind.FLOAT):
            self._take()
            return self._literal(self._take(), "-", token.offset)
        if text == "." and self._peek().kind is Kind.IDENTIFIER:
            self._take()
            return self._named(token.offset, ".")
        return self._no_expression()

    def _no_expression(self) -> Expr:
        """No expression begins here: report it, drop one token if that helps, else go on at what may follow."""
        token = self._token
        after = self._peek()
        if token.kind is not Kind.END and (after.is_symbol(*_STARTS) or after.kind not in (Kind.SYMBOL, Kind.END, Kind.ESCAPED_IDENTIFIER)):
            self._syntax_error(token, errors.wanted_expression(token.text, extraneous=True))
            self._next += 1
            return self._primary()
        self._syntax_error(token, errors.wanted_expression(token.text, extraneous=False))
        self._recover()
        return Missing(token.offset)

    def _named(self, offset: int, dot: str) -> Expr:
        """A name, a call of a global function, or a message literal."""
        token = self._take()
        if token.text in RESERVED:
            if self._token.is_symbol("("):
                self._take()
                self._arguments()
            self._issues.report(offset, errors.reserved(token.text))
            return Missing(offset)
        if self._token.is_symbol("("):
            opening = self._take()
            return self._call(opening.offset, dot + token.text, None, self._arguments())
        name = self._message_name(token.text)
        if name is not None:
            return self._message(dot + name)
        return Ident(token.offset, dot + token.text)

    def _message_name(self, first: str) -> str | None:
        """The dotted name before a ``{``, taken only where a message literal follows."""
        ahead = self._next
        parts = [first]
        while self._tokens[ahead].is_symbol(".") and self._tokens[ahead + 1].kind is Kind.IDENTIFIER:
            parts.append(self._tokens[ahead + 1].text)
            ahead += 2
        if not self._tokens[ahead].is_symbol("{"):
            return None
        self._next = ahead
        return ".".join(parts)

    def _message(self, name: str) -> Expr:
        opening = self._take()
        entries: list[Entry] = []
        while not self._token.is_symbol("}") and self._token.kind is not Kind.END:
            optional = self._token.is_symbol("?")
            if optional:
                self._take()
            field = self._token
            if field.kind is not Kind.IDENTIFIER:
                self._syntax_error(field, errors.wanted_token(field.text, "'}'"))
                self._recover()
                break
            self._take()
            colon = self._expect(":")
            value = self._expression()
            entries.append(Entry(colon.offset if colon else field.offset, Literal(field.offset, field.text), value, optional))
            if not self._token.is_symbol(","):
                break
            self._take()
        self._expect("}")
        return StructLiteral(opening.offset, name, entries)

    def _list(self) -> Expr:
        opening = self._take()
        elements: list[Expr] = []
        optional: set[int] = set()
        while not self._token.is_symbol("]", ","):
            if self._token.is_symbol("?"):
                self._take()
                optional.add(len(elements))
            elements.append(self._expression())
            if not self._token.is_symbol(",") or self._peek().is_symbol("]"):
                break
            self._take()
        if self._token.is_symbol(","):
            self._take()
        self._expect("]")
        return ListLiteral(opening.offset, elements, frozenset(optional))

    def _map(self) -> Expr:
        opening = self._take()
        entries: list[Entry] = []
        while not self._token.is_symbol("}", ","):
            optional = self._token.is_symbol("?")
            if optional:
                self._take()
            key = self._expression()
            colon = self._expect(":")
            value = self._expression()
            entries.append(Entry(colon.offset if colon else key.offset, key, value, optional))
            if not self._token.is_symbol(",") or self._peek().is_symbol("}"):
                break
            self._take()
        if self._token.is_symbol(","):
            self._take()
        self._expect("}")
        return MapLiteral(opening.offset, entries)

    def _literal(self, token: Token, sign: str, start: int | None = None) -> Expr:
        offset = token.offset if start is None else start
        try:
            if token.kind is Kind.STRING:
                return Literal(offset, literals.string_value(token.text))
            if token.kind is Kind.BYTES:
                return Literal(offset, literals.bytes_value(token.text))
        except literals.LiteralError as error:
            self._issues.report(offset, str(error))
            return Missing(offset)
        return self._number(token, sign, offset)

    def _number(self, token: Token, sign: str, offset: int) -> Expr:
        if token.kind is Kind.FLOAT:
            value = float(sign + token.text)
            if value in (float("inf"), float("-inf")):
                self._issues.report(offset, errors.invalid_literal("double"))
            return Literal(offset, value)
        text = token.text
        unsigned = token.kind is Kind.UINT
        digits = text[:-1] if unsigned else text
        number = int(sign + digits, 16 if digits.startswith("0x") else 10) if len(digits) < 100 else 1 << 70
        lowest, highest = (0, (1 << 64) - 1) if unsigned else (-(1 << 63), (1 << 63) - 1)
        if not lowest <= number <= highest:
            self._issues.report(offset, errors.invalid_literal("uint" if unsigned else "int"))
        return Literal(offset, Uint(number) if unsigned and number <= highest else number)


def _balanced(function: str, terms: list[Expr], offsets: list[int]) -> Expr:
    """A balanced tree of a commutative operator, so that long chains stay shallow."""
    if len(terms) == 1:
        return terms[0]
    middle = len(offsets) // 2
    left = _balanced(function, terms[: middle + 1], offsets[:middle])
    right = _balanced(function, terms[middle + 1 :], offsets[middle + 1 :])
    return Call(offsets[middle], function, [left, right])
