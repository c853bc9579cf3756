"""Reads any text by the grammar, well formed or not, into a tree of its forms.

Rules are generators that wait for each other, so that reading never recurses. Choices are made as by the server's parser, even if the next
tokens fit none of them. Sources: cel-go's `parser/gen/cel_parser.go`, and `parser/parser.go` for the limit of nesting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from typing import Any, Final, TypeAlias

from weighbridge.policies.cel.syntax import errors
from weighbridge.policies.cel.syntax.errors import Issues
from weighbridge.policies.cel.syntax.grammar import (
    GRAPH,
    PRODUCTS,
    RELATIONS,
    RULES,
    START,
    SUMS,
    CallElement,
    ChoiceElement,
    Element,
    Growth,
    Many,
    Some,
    State,
    TokenElement,
)
from weighbridge.policies.cel.syntax.lexer import Token, TokenKind
from weighbridge.policies.cel.syntax.recovery import RecoveringTokens, RuleError, SyntaxReporter
from weighbridge.policies.ground.records import dataclass, field

#: How deep rules of one name may nest.
DEEPEST: Final = 250

_NUMBERS: Final = ("NUM_INT", "NUM_FLOAT")


@dataclass(slots=True, eq=False)
class Form:
    """A rule as it was read: the name of the rule or of one of its forms, where it begins, and its parts by label."""

    name: str
    start: int
    parts: dict[str, Any] = field(default_factory=dict)

    def put(self, label: str, part: Form | Token) -> None:
        """Keep a part; labels with a star have lists."""
        if label.endswith("*"):
            self.parts.setdefault(label[:-1], []).append(part)
        elif label:
            self.parts[label] = part


#: A step of reading; it yields the steps that it waits for.
Step: TypeAlias = Generator["Step", Any, Any]


def run(step: Step) -> Any:
    """Take a step and all steps that it waits for. Returns the result of the first."""
    waiting: list[Step] = [step]
    value: Any = None
    error: Exception | None = None
    while waiting:
        try:
            inner = waiting[-1].send(value) if error is None else waiting[-1].throw(error)
        except StopIteration as stop:
            waiting.pop()
            value, error = stop.value, None
        except RuleError as raised:
            waiting.pop()
            value, error = None, raised
        else:
            waiting.append(inner)
            value, error = None, None
    return value


def read_syntax(text: str, issues: Issues) -> Form:
    """The tree of a text; errors are reported. Raises GivenUpError if a limit is reached."""
    whole = Form("", 0)
    run(_Reader(text, issues).rule(START, whole))
    found: Form = whole.parts[START.label]
    return found


class _Reader:
    """The state of reading one text."""

    def __init__(self, text: str, issues: Issues) -> None:
        self._report = SyntaxReporter(issues)
        self._tokens = RecoveringTokens(text, self._report)
        self._depths: Counter[str] = Counter()

    def rule(self, call: CallElement, outer: Form) -> Step:
        """Read the rule of a call into the form that it is part of. An error ends the rule."""
        name = call.rule
        self._tokens.callers.append(call.state)
        self._depths[name] += 1
        if self._depths[name] > DEEPEST:
            raise self._report.give_up(errors.too_deep(DEEPEST))
        # A rule with operators becomes the left part of a larger form for each operator.
        forms = [Form(name, self._tokens.ahead().offset)]
        try:
            for part in RULES[name]:
                step = self._part(part, forms, call.precedence)
                if step is not None:
                    yield step
        except RuleError as error:
            self._tokens.recover(error)
        self._depths[name] -= 1
        self._tokens.callers.pop()
        self._tokens.state = call.state
        outer.put(call.label, forms[-1])

    def _parts(self, parts: Sequence[Element], forms: list[Form], precedence: int) -> Step:
        for part in parts:
            step = self._part(part, forms, precedence)
            if step is not None:
                yield step

    def _part(self, part: Element, forms: list[Form], precedence: int) -> Step | None:
        """Read a part. Returns the step that has to be taken next, if the part contains rules."""
        self._tokens.state = part.state
        if isinstance(part, CallElement):
            return self.rule(part, forms[-1])
        if isinstance(part, TokenElement):
            forms[-1].put(part.label, self._tokens.match(part.kinds))
            return None
        self._tokens.sync()
        if isinstance(part, Growth):
            return self._growth(part, forms, precedence) if _GROWTHS[part.decision](self._tokens, precedence) else None
        if isinstance(part, ChoiceElement):
            name = _CHOICES[part.decision](self._tokens)
            forms[-1].name = name
            return self._parts(part.forms[name], forms, precedence)
        if isinstance(part, Some):
            self._some(part, forms[-1])
            return None
        if isinstance(part, Many):
            return self._many(part, forms, precedence) if self._goes_on(part) else None
        return self._parts(part.parts, forms, precedence) if self._tokens.ahead().name in GRAPH.after_all(part.parts) else None

    def _at(self, state: State) -> None:
        self._tokens.state = state
        self._tokens.sync()

    def _many(self, part: Many, forms: list[Form], precedence: int) -> Step:
        while self._goes_on(part):
            yield self._parts(part.parts, forms, precedence)
            self._at(part.back)

    def _goes_on(self, part: Many) -> bool:
        if self._tokens.ahead().name not in GRAPH.after_all(part.parts):
            return False
        if not part.decision:
            return True
        # A comma may also be the last thing before the closing bracket.
        return self._tokens.ahead(2).name in GRAPH.after_all(part.parts[1:])

    def _some(self, part: Some, form: Form) -> None:
        while True:
            self._tokens.state = part.part.state
            form.put(part.part.label, self._tokens.match(part.part.kinds))
            self._at(part.back)
            again = _more_minus(self._tokens) if part.decision else self._tokens.ahead().name in part.part.kinds
            if not again:
                return

    def _growth(self, part: Growth, forms: list[Form], precedence: int) -> Step:
        while _GROWTHS[part.decision](self._tokens, precedence):
            self._at(part.block)
            name = _kind_of_growth(part.decision, self._tokens)
            grown = Form(name, forms[-1].start)
            grown.put("left", forms[-1])
            forms.append(grown)
            yield self._parts(part.forms[name][1], forms, precedence)
            self._at(part.back)


# --- choices ---------------------------------------------------------------------------------------------------------------------------


def _unary(tokens: RecoveringTokens) -> str:
    first = tokens.ahead().name
    if first == "'!'":
        return "not"
    operands = GRAPH.after_all(RULES["member"])
    if first == "'-'":
        second = tokens.ahead(2).name
        if second in _NUMBERS:
            return "operand"
        if second not in operands:
            raise tokens.no_alternative(2)
        return "negate"
    if first not in operands:
        raise tokens.no_alternative()
    return "operand"


def _more_minus(tokens: RecoveringTokens) -> bool:
    operands = GRAPH.after_all(RULES["member"])
    if tokens.ahead().name == "'-'":
        if tokens.ahead(2).name not in operands:
            raise tokens.no_alternative(2)
        return True
    if tokens.ahead().name not in operands:
        raise tokens.no_alternative()
    return False


def _primary(tokens: RecoveringTokens) -> str:
    token = tokens.ahead()
    bracket = {"'('": "nested", "'['": "list", "'{'": "map"}.get(token.name)
    if bracket is not None:
        return bracket
    if token.name in GRAPH.after_all(RULES["literal"]):
        return "constant"
    place = 1
    if token.name == "'.'":
        if tokens.ahead(2).kind is not TokenKind.IDENTIFIER:
            raise tokens.no_alternative(2)
        place = 2
    elif token.kind is not TokenKind.IDENTIFIER:
        raise tokens.no_alternative()
    if tokens.ahead(place + 1).is_symbol("("):
        return "globalCall"
    while tokens.ahead(place + 1).is_symbol(".") and tokens.ahead(place + 2).kind is TokenKind.IDENTIFIER:
        place += 2
    return "message" if tokens.ahead(place + 1).is_symbol("{") else "ident"


def _identifier(tokens: RecoveringTokens) -> str:
    kind = tokens.ahead().kind
    if kind is TokenKind.IDENTIFIER:
        return "simple"
    if kind is TokenKind.ESCAPED_IDENTIFIER:
        return "escaped"
    raise tokens.no_alternative()


def _literal(tokens: RecoveringTokens) -> str:
    name = tokens.ahead().name
    if name == "'-'":
        name = tokens.ahead(2).name
        if name not in _NUMBERS:
            raise tokens.no_alternative(2)
    found = _LITERALS.get(name)
    if found is None:
        raise tokens.no_alternative()
    return found


_LITERALS: Final = {
    "NUM_INT": "int", "NUM_UINT": "uint", "NUM_FLOAT": "double", "STRING": "string", "BYTES": "bytes", "'true'": "true",
    "'false'": "false", "'null'": "null",
}  # fmt: skip
_CHOICES: Final[dict[str, Callable[[RecoveringTokens], str]]] = {
    "unary": _unary,
    "primary": _primary,
    "escapeIdent": _identifier,
    "literal": _literal,
}


def _kind_of_growth(decision: str, tokens: RecoveringTokens) -> str:
    if decision == "relation":
        return "relation"
    if decision == "calc":
        return "product" if tokens.ahead().name in PRODUCTS else "sum"
    if tokens.ahead().is_symbol("["):
        return "index"
    second = tokens.ahead(2)
    if second.is_symbol("?") or second.kind is TokenKind.ESCAPED_IDENTIFIER:
        return "select"
    if second.kind is not TokenKind.IDENTIFIER:
        raise tokens.no_alternative(2)
    return "memberCall" if tokens.ahead(3).is_symbol("(") else "select"


_GROWTHS: Final[dict[str, Callable[[RecoveringTokens, int], bool]]] = {
    "relation": lambda tokens, precedence: precedence <= 1 and tokens.ahead().name in RELATIONS,
    "calc": lambda tokens, precedence: (
        (precedence <= 2 and tokens.ahead().name in PRODUCTS) or (precedence <= 1 and tokens.ahead().name in SUMS)
    ),
    "member": lambda tokens, _: tokens.ahead().is_symbol(".", "["),
}
