"""The parser's error messages, and the list that collects the errors of an expression.

The texts are those that kube-apiserver prints when it refuses a rule, so that a linter's user reads the same. Compile errors are errors of
the input: they are collected with positions, never raised. The checker's messages are in `check.errors`. Source: cel-go's parser and
`common.Errors`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.cel.syntax.source import NO_LOCATION, Location, Source
from weighbridge.policies.ground.records import dataclass

_MOST_ERRORS: Final = 100
_LONGEST_SNIPPET: Final = 16384
_WIDE_DOT: Final = "\uff0e"
_WIDE_CARET: Final = "\uff3e"


@dataclass(frozen=True, slots=True)
class Issue:
    """One error and its place."""

    location: Location
    message: str

    def display(self, source: Source) -> str:
        """The message with the source line and a caret under the place."""
        text = f"ERROR: <input>:{self.location.line}:{self.location.column + 1}: {self.message}"
        snippet = source.line(self.location.line)
        if snippet is None or len(snippet.encode("utf-8", "surrogatepass")) > _LONGEST_SNIPPET:
            return text
        return f"{text}\n | {snippet.replace(chr(9), ' ')}\n | {_pointer(snippet, self.location.column)}"


def _pointer(snippet: str, column: int) -> str:
    dots = "".join(_WIDE_DOT if ord(char) > 127 else "." for char in snippet[: max(column, 0)])
    under = snippet[column : column + 1] if column >= 0 else snippet[:1]
    return dots + (_WIDE_CARET if under and ord(under) > 127 else "^")


class Issues:
    """The errors of one expression, in the order in which they were found."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._found: list[Issue] = []
        self._count = 0

    def __bool__(self) -> bool:
        return self._count > 0

    def report(self, offset: int, message: str) -> None:
        """Add a message for the code point at `offset`; after a hundred they are only counted."""
        self.report_at(self._source.location(offset), message)

    def report_at(self, location: Location, message: str) -> None:
        """Add a message for a location."""
        self._count += 1
        if self._count <= _MOST_ERRORS:
            self._found.append(Issue(location, message))

    def report_whole(self, message: str) -> None:
        """Add a message without a place."""
        self.report_at(NO_LOCATION, message)

    def sorted(self) -> Sequence[Issue]:
        """The issues by place; those at the same place in the order in which they were found."""
        return sorted(self._found, key=lambda issue: issue.location)

    def display(self) -> str:
        """All issues as one text, the way the server joins them."""
        texts = [issue.display(self._source) for issue in self.sorted()]
        if self._count > _MOST_ERRORS:
            texts.append(f"{self._count - _MOST_ERRORS} more errors were truncated")
        return "\n".join(texts)


# --- the wordings ------------------------------------------------------------------------------------------------------------------


def expression_too_long(size: int, limit: int) -> str:
    """The text has more code points than a rule may have."""
    return f"expression code point size exceeds limit: size: {size}, limit {limit}"


def too_deep(limit: int) -> str:
    """The expression nests deeper than is allowed."""
    return f"expression recursion limit exceeded: {limit}"


CHAIN_TOO_LONG: Final = "max recursion depth exceeded"


def unrecognised(text: str) -> str:
    """Characters with which no token begins."""
    return f"Syntax error: token recognition error at: '{text}'"


def mismatched_token(found: str, wanted: str) -> str:
    """A token was found where others were expected."""
    return f"Syntax error: mismatched input '{found}' expecting {wanted}"


def extraneous_token(found: str, wanted: str) -> str:
    """A token is one too many."""
    return f"Syntax error: extraneous input '{found}' expecting {wanted}"


def missing_token(found: str, wanted: str) -> str:
    """A token was left out before another one."""
    return f"Syntax error: missing {wanted} at '{found}'"


def no_alternative(text: str) -> str:
    """The tokens fit no form of the grammar. After a dot, a literal such as ``true`` gives another message."""
    if text in (".true", ".false", ".null"):
        return mismatched_token(text[1:], "IDENTIFIER")
    return f"Syntax error: no viable alternative at input '{text}'"


def too_many_syntax_errors(limit: int) -> str:
    """Reading stops after `limit` syntax errors."""
    return f"Syntax error: More than {limit} syntax errors"


def too_many_recoveries(limit: int) -> str:
    """Reading stops after `limit` attempts to go on after an error."""
    return f"Syntax error: error recovery attempt limit exceeded: {limit}"


def too_much_passed_over(limit: int) -> str:
    """Reading stops after `limit` skipped tokens."""
    return f"error recovery token lookahead limit exceeded: {limit}"


def reserved(name: str) -> str:
    """A word kept for the language is used as a name."""
    return f"reserved identifier: {name}"


NO_FIELD_NAME: Final = "unsupported ident kind"


def without_optionals(text: str) -> str:
    """Syntax of optionals in a rule for servers without them."""
    return f"unsupported syntax '{text}'"


def unsupported_syntax(text: str) -> str:
    """Syntax that the server's environment doesn't enable."""
    return f"unsupported syntax: '{text}'"


def invalid_literal(kind: str) -> str:
    """A number doesn't fit its type."""
    return f"invalid {kind} literal"


INVALID_CODE_POINT: Final = "invalid unicode code point"
ESCAPE_IN_BYTES: Final = "unable to unescape string"
CANNOT_BE_SORTED: Final = "sortBy can only be applied to a list, identifier, comprehension, call or select expression"
NOT_A_SIMPLE_NAME: Final = "argument must be a simple name"
NOT_AN_IDENTIFIER: Final = "argument is not an identifier"
OVERWRITES_ACCUMULATOR: Final = "iteration variable overwrites accumulator variable"
INVALID_HAS: Final = "invalid argument to has() macro"


def duplicate_variable(name: str) -> str:
    """Both variables of a two-variable macro have the same name."""
    return f"duplicate variable name: {name}"


def optional_macro_name(macro: str) -> str:
    """The first argument of optMap or optFlatMap isn't a name."""
    return f"{macro}() variable name must be a simple identifier"
