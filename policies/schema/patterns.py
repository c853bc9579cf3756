"""Regular expressions of schemas: RE2 as Go has it, searched, not anchored.

This is the only module that knows the RE2 library. It searches the bytes of a text: for a `str` the library counts characters in Python,
which takes longer than the search. Source: Go's regexp/syntax package (https://github.com/google/re2/wiki/Syntax).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Final

import re2

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.go_text import without_surrogates
from weighbridge.policies.ground.memory import LONGEST
from weighbridge.policies.ground.records import dataclass

#: The beginnings of pieces that Go and RE2 read differently.
_SPECIAL: Final = expression(r"\\C|\(\?P?<|\{[0-9,]{10}")
_INSIDE_WORDS: Final = r"\B"
_TOO_LARGE: Final = b"pattern too large"
_NAMES_TWICE: Final = b"duplicate capture group name"
#: How large the program of a pattern may be. RE2's own limit is lower than Go's, but makes a usual pattern small.
_MOST_BYTES: Final = 1 << 25


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
    error = _error(pattern)
    if error:
        return Pattern(_never, error)
    return Pattern(lambda text: _is_found_again(pattern, text) if len(text) <= LONGEST else _is_found(pattern, text))


def _error(pattern: str) -> str:
    """Go's error for a pattern, or the empty string."""
    refusal = _refusal(lambda: _search(pattern))
    if not refusal and not _SPECIAL.search(pattern):
        return ""
    from weighbridge.policies.schema.pattern_differences import first_fault
    from weighbridge.policies.schema.pattern_errors import invalid_pattern

    fault = first_fault(without_surrogates(pattern))
    if fault is not None and _refusal(lambda: _compiled(fault.probe)).endswith(f": {fault.probe_escape}"):
        return fault.error
    return invalid_pattern(refusal, pattern) if refusal else ""


def _refusal(compiling: Callable[[], object]) -> str:
    """RE2's error, or the empty string."""
    try:
        compiling()
    except re2.error as error:
        return str(error.args[0], "utf-8", "replace")
    return ""


@lru_cache(maxsize=4096)
def _search(pattern: str) -> Callable[[bytes], object]:
    compiled = _compiled(without_surrogates(pattern))
    if _INSIDE_WORDS in pattern:
        return lambda text: next(_matches(compiled, text), None)
    return compiled.search  # type: ignore[no-any-return]


def _compiled(pattern: str) -> re2._Regexp:
    """A pattern compiled by RE2. Raises re2.error."""
    try:
        return re2.compile(pattern, _options())
    except re2.error as error:
        if _TOO_LARGE in error.args[0]:
            return re2.compile(pattern, _options(_MOST_BYTES))
        from weighbridge.policies.schema.pattern_differences import without_names

        unnamed = without_names(pattern)
        if _NAMES_TWICE not in error.args[0] or unnamed == pattern:
            raise
    return _compiled(unnamed)


def _matches(compiled: re2._Regexp, text: bytes) -> Iterator[re2._Match]:
    """The matches in the bytes of a text, without those inside a character, where RE2 finds empty ones for `\\B`."""
    return (match for match in compiled.finditer(text) if match.end() > match.start() or not _is_inside(text, match.start()))


def _is_inside(text: bytes, place: int) -> bool:
    return place < len(text) and text[place] & 0xC0 == 0x80


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
    for match in _finder(pattern)(without_surrogates(text).encode()):
        if len(found) == limit:
            break
        # Go leaves out an empty match that touches the one before it.
        if match.start() == match.end() == end_of_last:
            continue
        found.append(match.group().decode())
        end_of_last = match.end()
    return found


@lru_cache(maxsize=512)
def _finder(pattern: str) -> Callable[[bytes], Iterable[re2._Match]]:
    return partial(_matches, _compiled(without_surrogates(pattern)))


def matching(expressions: Sequence[str]) -> Callable[[bytes], Sequence[int]]:
    """A function that gives the numbers of the expressions that match some bytes, all in one pass; they must be valid."""
    options = _options()
    options.encoding = re2.Options.Encoding.LATIN1
    found = re2.Set.SearchSet(options)
    for each in expressions:
        found.Add(each)
    found.Compile()
    return lambda text: found.Match(text) or ()


def _options(most_bytes: int = 0) -> re2.Options:
    options = re2.Options()
    if most_bytes:
        options.max_mem = most_bytes
    options.log_errors = False
    return options
