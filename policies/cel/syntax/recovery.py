"""Recovers from syntax errors as the server's parser does, which ANTLR generates.

A superfluous token is dropped if the right one follows it. A missing token is assumed if the next token could follow it. Otherwise the rule
is given up, and reading goes on at a token that can follow one of the rules being read. After an error no other is reported until a token
fits. Sources: the Go runtime of ANTLR 4.13 (`error_strategy.go`), and cel-go's `parser/parser.go` for the limits.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from weighbridge.policies.cel.syntax import errors
from weighbridge.policies.cel.syntax.errors import Issues
from weighbridge.policies.cel.syntax.grammar import END, GRAPH, RULE_END, ChoiceKind, State, listed
from weighbridge.policies.cel.syntax.lexer import Token, TokenKind, every_token

_MOST_SYNTAX_ERRORS: Final = 100
_MOST_RECOVERIES: Final = 30
_MOST_PASSED_OVER: Final = 256


class GivenUpError(Exception):
    """Reading stops, since a limit is reached; that has been reported."""


class RuleError(Exception):
    """The current rule can't go on; `message` says why."""

    def __init__(self, token: Token, message: str) -> None:
        super().__init__(message)
        self.token = token
        self.message = message


class SyntaxReporter:
    """Passes syntax errors on to the issues, and stops everything after a hundred of them."""

    def __init__(self, issues: Issues) -> None:
        self._issues = issues
        self._count = 0

    def __call__(self, offset: int, message: str) -> None:
        """Report one error; raises GivenUpError."""
        self._count += 1
        if self._count > _MOST_SYNTAX_ERRORS:
            self._issues.report(offset, errors.too_many_syntax_errors(_MOST_SYNTAX_ERRORS))
            raise GivenUpError
        self._issues.report(offset, message)

    def give_up(self, message: str) -> GivenUpError:
        """Report that reading stops, without a place."""
        self._issues.report_whole(message)
        return GivenUpError()


class RecoveringTokens:
    """The tokens of a text, which is cut into tokens on demand, and the state of recovery."""

    def __init__(self, text: str, report: SyntaxReporter) -> None:
        self._report = report
        self._source = every_token(text, report)
        self._all: list[Token] = []
        self._visible: list[int] = []
        self._next = 0
        self.state = State(ChoiceKind.PLAIN)
        #: Where the rules being read were called, the innermost last.
        self.callers: list[State] = []
        self._is_recovering = False
        self._recoveries = 0
        self._last_error = -1
        self._last_states: set[State] = set()

    # --- looking ahead ---

    def ahead(self, count: int = 1) -> Token:
        """The token `count` places ahead, counted from one; beyond the end it is the end."""
        while len(self._visible) < self._next + count:
            if self._visible and self._all[self._visible[-1]].kind is TokenKind.END:
                return self._all[self._visible[-1]]
            self._fetch()
        return self._all[self._visible[self._next + count - 1]]

    def _fetch(self) -> None:
        token = next(self._source)
        if token.kind is not TokenKind.HIDDEN:
            self._visible.append(len(self._all))
        self._all.append(token)

    def _text(self, count: int) -> str:
        """The text of the next `count` tokens, with everything between them."""
        self.ahead(count)
        last = min(self._next + count, len(self._visible)) - 1
        found = islice(self._all, self._visible[self._next], self._visible[last] + 1)
        return "".join(token.text for token in found if token.kind is not TokenKind.END)

    def _consume(self) -> None:
        if self.ahead().kind is not TokenKind.END:
            self._next += 1

    # --- reading ---

    def match(self, kinds: frozenset[str]) -> Token:
        """Read a token of one of these kinds, or recover from its absence; raises RuleError."""
        token = self.ahead()
        if token.name in kinds:
            self._matched()
            self._consume()
            return token
        return self._recover_inline()

    def sync(self) -> None:
        """Check that the next token fits before a choice or at the end of a round; raises RuleError."""
        if self._is_recovering or self.state.place is ChoiceKind.PLAIN:
            return
        following = GRAPH.after(self.state)
        if RULE_END in following or self.ahead().name in following:
            return
        if self.state.place is ChoiceKind.LOOP_END:
            self._report_unwanted()
            self._skip_to(self._expected() | self._recovery_set())
        elif not self._deletes_one():
            raise self._mismatch()

    def no_alternative(self, count: int = 1) -> RuleError:
        """The error that no form begins with the next `count` tokens."""
        start = self.ahead()
        text = "<EOF>" if start.kind is TokenKind.END else self._text(count)
        return RuleError(self.ahead(count), errors.no_alternative(_shown(text)))

    # --- errors ---

    def recover(self, error: RuleError) -> None:
        """Report that a rule can't go on, and skip the tokens that can't follow it."""
        if not self._is_recovering:
            self._is_recovering = True
            self._report(error.token.offset, error.message)
        self._check_attempts()
        passed = 0
        if self._last_error == self._next and self.state in self._last_states:
            passed = self._pass_over(passed)
        self._last_error = self._next
        self._last_states.add(self.state)
        wanted = self._recovery_set()
        while self.ahead().kind is not TokenKind.END and self.ahead().name not in wanted:
            passed = self._pass_over(passed)

    def _pass_over(self, passed: int) -> int:
        if passed >= _MOST_PASSED_OVER:
            raise self._report.give_up(errors.too_much_passed_over(_MOST_PASSED_OVER))
        self._consume()
        return passed + 1

    def _recover_inline(self) -> Token:
        self._check_attempts()
        if self._deletes_one():
            token = self.ahead()
            self._consume()
            return token
        token = self.ahead()
        follows = GRAPH.expected(self.state.targets[0], self._outwards())
        if token.name not in follows:
            raise self._mismatch()
        if not self._is_recovering:
            self._is_recovering = True
            self._report(token.offset, errors.missing_token(_shown(token.text), listed(self._expected())))
        # At the end of the text the assumed token has the place of the last real one.
        place = self._all[self._visible[self._next - 1]] if token.kind is TokenKind.END and self._next else token
        return Token(TokenKind.HIDDEN, f"<missing {listed(self._expected())}>", place.offset)

    def _check_attempts(self) -> None:
        self._recoveries += 1
        if self._recoveries > _MOST_RECOVERIES:
            self._report(self.ahead().offset, errors.too_many_recoveries(_MOST_RECOVERIES))
            raise GivenUpError

    def _deletes_one(self) -> bool:
        """Drop the next token if the one after it fits; say so, unless an error has just been reported."""
        if self.ahead(2).name not in self._expected():
            return False
        self._report_unwanted()
        self._consume()
        self._matched()
        return True

    def _report_unwanted(self) -> None:
        if not self._is_recovering:
            self._is_recovering = True
            token = self.ahead()
            self._report(token.offset, errors.extraneous_token(_shown(token.text), listed(self._expected())))

    def _mismatch(self) -> RuleError:
        token = self.ahead()
        return RuleError(token, errors.mismatched_token(_shown(token.text), listed(self._expected())))

    def _matched(self) -> None:
        self._is_recovering = False
        self._last_error = -1
        self._last_states.clear()

    def _skip_to(self, wanted: frozenset[str]) -> None:
        while self.ahead().kind is not TokenKind.END and self.ahead().name not in wanted:
            self._consume()

    def _outwards(self) -> Iterator[State]:
        return reversed(self.callers)

    def _expected(self) -> frozenset[str]:
        return GRAPH.expected(self.state, self._outwards())

    def _recovery_set(self) -> frozenset[str]:
        """The tokens that can follow any of the rules being read."""
        found = {kind for caller in self.callers for kind in GRAPH.after(caller.targets[0])}
        return frozenset(found - {RULE_END})


def _shown(text: str) -> str:
    return (text or END).replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
