"""The grammar of CEL as a graph, and what can follow each of its places.

A parser that ANTLR generates asks the graph of its grammar which tokens were possible where one is missing or too many; its messages list
them and its recovery runs along them. The rules are those of https://github.com/google/cel-spec/blob/master/doc/langdef.md#syntax in the
form that cel-go gives them (`parser/gen/CEL.g4`), since places and message texts follow that form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import Final, TypeAlias

from weighbridge.policies.ground.records import dataclass, field


class ChoiceKind(Enum):
    """What kind of choice is made at a place, which decides how errors are handled there."""

    PLAIN = auto()
    BLOCK = auto()
    LOOP = auto()
    LOOP_END = auto()


@dataclass(slots=True, eq=False)
class State:
    """A place in a rule: by which tokens, rules or for nothing at all it can be left, and where to."""

    place: ChoiceKind
    tokens: frozenset[str] = frozenset()
    rule: str = ""
    targets: list[State] = field(default_factory=list)
    is_end: bool = False


@dataclass(slots=True, eq=False)
class TokenElement:
    """One token of some kinds; `label` is where the tree keeps it (``ops*``: in a list)."""

    label: str
    kinds: frozenset[str]
    state: State = field(default_factory=lambda: State(ChoiceKind.PLAIN))


@dataclass(slots=True, eq=False)
class CallElement:
    """A rule, with the least precedence that its operators must have."""

    label: str
    rule: str
    precedence: int = 0
    state: State = field(default_factory=lambda: State(ChoiceKind.PLAIN))


@dataclass(slots=True, eq=False)
class Maybe:
    """What may be left out."""

    parts: Sequence[Element]
    state: State = field(default_factory=lambda: State(ChoiceKind.BLOCK))


@dataclass(slots=True, eq=False)
class Many:
    """What may come any number of times; `decision` says how to know, where a comma may also end the list."""

    parts: Sequence[Element]
    decision: str = ""
    state: State = field(default_factory=lambda: State(ChoiceKind.LOOP))
    back: State = field(default_factory=lambda: State(ChoiceKind.LOOP_END))


@dataclass(slots=True, eq=False)
class Some:
    """A sign that comes once or more often."""

    part: TokenElement
    decision: str = ""
    state: State = field(default_factory=lambda: State(ChoiceKind.BLOCK))
    back: State = field(default_factory=lambda: State(ChoiceKind.LOOP_END))


@dataclass(slots=True, eq=False)
class ChoiceElement:
    """One of several forms by the names that the tree gives them."""

    decision: str
    forms: dict[str, Sequence[Element]]
    state: State = field(default_factory=lambda: State(ChoiceKind.BLOCK))


@dataclass(slots=True, eq=False)
class Growth:
    """Forms that take what has been read so far as their left part, as often as they come: name, precedence, and the rest."""

    decision: str
    forms: dict[str, tuple[int, Sequence[Element]]]
    state: State = field(default_factory=lambda: State(ChoiceKind.LOOP))
    block: State = field(default_factory=lambda: State(ChoiceKind.BLOCK))
    back: State = field(default_factory=lambda: State(ChoiceKind.LOOP_END))


Element: TypeAlias = TokenElement | CallElement | Maybe | Many | Some | ChoiceElement | Growth

END: Final = "<EOF>"
#: The end of the rule in a set of tokens.
RULE_END: Final = "<end of rule>"
RELATIONS: Final = frozenset({"'=='", "'!='", "'in'", "'<'", "'<='", "'>='", "'>'"})
PRODUCTS: Final = frozenset({"'*'", "'/'", "'%'"})
SUMS: Final = frozenset({"'-'", "'+'"})
#: The kinds of tokens in the order in which messages list them.
ORDER: Final = (
    END, "'=='", "'!='", "'in'", "'<'", "'<='", "'>='", "'>'", "'&&'", "'||'", "'['", "']'", "'{'", "'}'", "'('", "')'", "'.'", "','",
    "'-'", "'!'", "'?'", "':'", "'+'", "'*'", "'/'", "'%'", "'true'", "'false'", "'null'", "NUM_FLOAT", "NUM_INT", "NUM_UINT", "STRING",
    "BYTES", "IDENTIFIER", "ESC_IDENTIFIER",
)  # fmt: skip


def _token(kind: str, label: str = "") -> TokenElement:
    return TokenElement(label, frozenset({kind if kind.isupper() or kind == END else f"'{kind}'"}))


def _entries(label: str, key: str) -> list[Element]:
    """One or more ``key: value``; only more entries make a comma part of the list."""
    entry: list[Element] = [CallElement(f"{label}*", key), _token(":", "cols*"), CallElement("values*", "expr")]
    more: list[Element] = [_token(","), CallElement(f"{label}*", key), _token(":", "cols*"), CallElement("values*", "expr")]
    return [*entry, Many(more, decision=label)]


def _closed(opening: str, label: str, inside: str, closing: str) -> list[Element]:
    """Brackets round a list that may be empty and may end in a comma."""
    return [_token(opening, "op"), Maybe([CallElement(label, inside)]), Maybe([_token(",")]), _token(closing)]


def _number(kind: str) -> list[Element]:
    return [Maybe([_token("-", "sign")]), _token(kind, "tok")]


RULES: Final[dict[str, Sequence[Element]]] = {
    "start": [CallElement("e", "expr"), _token(END)],
    "expr": [
        CallElement("e", "conditionalOr"),
        Maybe([_token("?", "op"), CallElement("e1", "conditionalOr"), _token(":"), CallElement("e2", "expr")]),
    ],
    "conditionalOr": [CallElement("e", "conditionalAnd"), Many([_token("||", "ops*"), CallElement("e1*", "conditionalAnd")])],
    "conditionalAnd": [CallElement("e", "relation"), Many([_token("&&", "ops*"), CallElement("e1*", "relation")])],
    "relation": [
        CallElement("inner", "calc"),
        Growth("relation", {"relation": (1, [TokenElement("op", RELATIONS), CallElement("right", "relation", 2)])}),
    ],
    "calc": [
        CallElement("inner", "unary"),
        Growth(
            "calc",
            {
                "product": (2, [TokenElement("op", PRODUCTS), CallElement("right", "calc", 3)]),
                "sum": (1, [TokenElement("op", SUMS), CallElement("right", "calc", 2)]),
            },
        ),
    ],
    "unary": [
        ChoiceElement(
            "unary",
            {
                "operand": [CallElement("inner", "member")],
                "not": [Some(_token("!", "ops*")), CallElement("inner", "member")],
                "negate": [Some(_token("-", "ops*"), decision="minus"), CallElement("inner", "member")],
            },
        ),
    ],
    "member": [
        CallElement("inner", "primary"),
        Growth(
            "member",
            {
                "select": (3, [_token(".", "op"), Maybe([_token("?", "opt")]), CallElement("id", "escapeIdent")]),
                "memberCall": (
                    2,
                    [
                        _token(".", "op"),
                        _token("IDENTIFIER", "id"),
                        _token("(", "open"),
                        Maybe([CallElement("args", "exprList")]),
                        _token(")"),
                    ],
                ),
                "index": (1, [_token("[", "op"), Maybe([_token("?", "opt")]), CallElement("index", "expr"), _token("]")]),
            },
        ),
    ],
    "primary": [
        ChoiceElement(
            "primary",
            {
                "ident": [Maybe([_token(".", "leadingDot")]), _token("IDENTIFIER", "id")],
                "globalCall": [
                    Maybe([_token(".", "leadingDot")]),
                    _token("IDENTIFIER", "id"),
                    _token("(", "op"),
                    Maybe([CallElement("args", "exprList")]),
                    _token(")"),
                ],
                "nested": [_token("("), CallElement("inner", "expr"), _token(")")],
                "list": _closed("[", "elems", "listInit", "]"),
                "map": _closed("{", "entries", "mapInitializerList", "}"),
                "message": [
                    Maybe([_token(".", "leadingDot")]),
                    _token("IDENTIFIER", "ids*"),
                    Many([_token("."), _token("IDENTIFIER", "ids*")]),
                    *_closed("{", "entries", "fieldInitializerList", "}"),
                ],
                "constant": [CallElement("inner", "literal")],
            },
        ),
    ],
    "exprList": [CallElement("e*", "expr"), Many([_token(","), CallElement("e*", "expr")])],
    "listInit": [CallElement("elems*", "optExpr"), Many([_token(","), CallElement("elems*", "optExpr")], decision="elems")],
    "fieldInitializerList": _entries("fields", "optField"),
    "optField": [Maybe([_token("?", "opt")]), CallElement("id", "escapeIdent")],
    "mapInitializerList": _entries("keys", "optExpr"),
    "escapeIdent": [
        ChoiceElement("escapeIdent", {"simple": [_token("IDENTIFIER", "id")], "escaped": [_token("ESC_IDENTIFIER", "id")]}),
    ],
    "optExpr": [Maybe([_token("?", "opt")]), CallElement("e", "expr")],
    "literal": [
        ChoiceElement(
            "literal",
            {
                "int": _number("NUM_INT"),
                "uint": [_token("NUM_UINT", "tok")],
                "double": _number("NUM_FLOAT"),
                "string": [_token("STRING", "tok")],
                "bytes": [_token("BYTES", "tok")],
                "true": [_token("true", "tok")],
                "false": [_token("false", "tok")],
                "null": [_token("null", "tok")],
            },
        ),
    ],
}


class SyntaxGraph:
    """The rules linked up."""

    def __init__(self) -> None:
        self._starts = {name: _linked(parts, State(ChoiceKind.PLAIN, is_end=True)) for name, parts in RULES.items()}
        self._after: dict[State, frozenset[str]] = {}

    def after(self, state: State) -> frozenset[str]:
        """The tokens that can come next at a place, RULE_END among them where the rule can end there."""
        found = self._after.get(state)
        if found is None:
            found = self._after[state] = frozenset(self._look(state, set()))
        return found

    def after_all(self, parts: Sequence[Element]) -> frozenset[str]:
        """The tokens that some parts in a row can begin with."""
        return self.after(parts[0].state)

    def expected(self, state: State, callers: Iterator[State]) -> frozenset[str]:
        """The tokens that can come next, with the rules that called the current one going on where it ends."""
        found = self.after(state)
        every = set(found)
        for caller in callers:
            if RULE_END not in found:
                break
            found = self.after(caller.targets[0])
            every |= found
        every.discard(RULE_END)
        return frozenset(every)

    def _look(self, state: State, met: set[State]) -> Iterator[str]:
        if state in met:
            return
        met.add(state)
        if state.is_end:
            yield RULE_END
        elif state.tokens:
            yield from state.tokens
        elif state.rule:
            # No rule is empty, so that what follows it can't come next.
            yield from self.after(self._starts[state.rule])
        else:
            for target in state.targets:
                yield from self._look(target, met)


def _linked(parts: Sequence[Element], after: State) -> State:
    """Link some parts so that `after` follows them; where they begin."""
    for part in reversed(parts):
        after = _link(part, after)
    return after


def _link(part: Element, after: State) -> State:
    if isinstance(part, TokenElement):
        part.state.tokens = part.kinds
        part.state.targets = [after]
    elif isinstance(part, CallElement):
        part.state.rule = part.rule
        part.state.targets = [after]
    elif isinstance(part, Maybe):
        part.state.targets = [_linked(part.parts, after), after]
    elif isinstance(part, Many):
        part.back.targets = [part.state]
        part.state.targets = [_linked(part.parts, part.back), after]
    elif isinstance(part, Some):
        part.state.targets = [_link(part.part, part.back)]
        part.back.targets = [part.state, after]
    elif isinstance(part, ChoiceElement):
        part.state.targets = [_linked(form, after) for form in part.forms.values()]
    else:
        part.back.targets = [part.state]
        part.block.targets = [_linked(form, part.back) for _, form in part.forms.values()]
        part.state.targets = [part.block, after]
    return part.state


GRAPH: Final = SyntaxGraph()
#: The whole text, which nothing follows.
START: Final = CallElement("start", "start", state=State(ChoiceKind.PLAIN, rule="start", targets=[State(ChoiceKind.PLAIN, is_end=True)]))


def listed(kinds: frozenset[str]) -> str:
    """A set of tokens as messages write it."""
    names = [kind for kind in ORDER if kind in kinds]
    return f"{{{', '.join(names)}}}" if len(names) != 1 else names[0]
