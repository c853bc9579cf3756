"""Regular expressions of schemas: RE2 as Go has it, searched, not anchored.

This is the only module that knows the RE2 library. It searches the bytes of a text: for a `str` the library counts characters in Python,
which takes longer than the search. Source: Go's regexp/syntax package (https://github.com/google/re2/wiki/Syntax).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final

import re2

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.go_text import without_surrogates
from weighbridge.policies.ground.memory import LONGEST
from weighbridge.policies.ground.records import dataclass

_ESCAPE: Final = expression(r"\\.", re.DOTALL)
#: An escape that RE2 knows and Go refuses. It is replaced by one that RE2 refuses in the same way.
_ANY_BYTE: Final = r"\C"
_REFUSED: Final = r"\8"


@dataclass(frozen=True, slots=True)
class Pattern:
    """`matches` is true for a text in which the pattern is found. If `error` isn't empty, it is never true."""

    matches: Callable[[str], object]
    error: str = ""


def _never(_text: str) -> bool:
    return False


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> Pattern:
    """Compile once; an invalid pattern carries Go's error text."""
    options = _options()
    try:
        if _ANY_BYTE in pattern:
            re2.compile(_ESCAPE.sub(_refuse_any_byte, without_surrogates(pattern)), options)
        _search(pattern)
    except re2.error as error:
        from weighbridge.policies.schema.pattern_errors import invalid_pattern

        return Pattern(_never, invalid_pattern(str(error.args[0], "utf-8", "replace"), pattern, (_ANY_BYTE, _REFUSED)))
    return Pattern(lambda text: _is_found_again(pattern, text) if len(text) <= LONGEST else _is_found(pattern, text))


@lru_cache(maxsize=4096)
def _search(pattern: str) -> Callable[[bytes], object]:
    return re2.compile(without_surrogates(pattern), _options()).search  # type: ignore[no-any-return]


def _is_found(pattern: str, text: str) -> bool:
    return _search(pattern)(without_surrogates(text).encode()) is not None


@lru_cache(maxsize=4096)
def _is_found_again(pattern: str, text: str) -> bool:
    """Whether a pattern is found in a short text; the answer is remembered.

    Most texts with a pattern, such as quantities, come again, and a search takes ten times as long.
    """
    return _is_found(pattern, text)


def matched_texts(pattern: str, text: str, limit: int = -1) -> list[str]:
    """The matches of a valid pattern in `text`, from the left, at most `limit` of them if that isn't negative.

    `compile_pattern` says whether a pattern is valid. For an invalid one this raises re2.error.
    """
    found: list[str] = []
    end_of_last = -1
    for match in _finder(pattern)(without_surrogates(text)):
        if len(found) == limit:
            break
        # Go leaves out an empty match that touches the one before it.
        if match.start() == match.end() == end_of_last:
            continue
        found.append(match.group())
        end_of_last = match.end()
    return found


@lru_cache(maxsize=512)
def _finder(pattern: str) -> Callable[[str], Iterable[re2.Match]]:
    return re2.compile(without_surrogates(pattern), _options()).finditer  # type: ignore[no-any-return]


def matching(expressions: Sequence[str]) -> Callable[[bytes], Sequence[int]]:
    """A function that gives the numbers of the expressions that match some bytes, all in one pass; they must be valid."""
    options = _options()
    options.encoding = re2.Options.Encoding.LATIN1
    found = re2.Set.SearchSet(options)
    for each in expressions:
        found.Add(each)
    found.Compile()
    return lambda text: found.Match(text) or ()


def _options() -> re2.Options:
    options = re2.Options()
    options.log_errors = False
    return options


def _refuse_any_byte(escape: re.Match[str]) -> str:
    return _REFUSED if escape[0] == _ANY_BYTE else escape[0]
