"""The extended string functions (cel-go strings, version 2). Positions count code points.

'tacocat'.charAt(3)                -> 'o'
'hello mellow'.indexOf('ello', 2)  -> 7
'hello mellow'.lastIndexOf('ello') -> 7
['a', 'b'].join('-')               -> 'a-b'
'TacoCat'.lowerAscii()             -> 'tacocat'
'hello hello'.replace('he', 'we', 1) -> 'wello hello'
'a,b,c'.split(',', 2)              -> ['a', 'b,c']
'tacocat'.substring(0, 4)          -> 'taco'
'  trim '.trim()                   -> 'trim'
strings.quote('ab')                -> '"ab"'
'%s has %d'.format(['it', 3])      -> 'it has 3'
"""

from __future__ import annotations

import math
from typing import Final

from weighbridge.policies.cel.library.errors import index_out_of_range, invalid_substring, not_joinable
from weighbridge.policies.cel.library.lists import positions_cost, positions_estimate
from weighbridge.policies.cel.library.overload import EstimatedArguments, Library, Overload, traversal, traversal_estimated
from weighbridge.policies.cel.library.ranges import MAX, STRING_FACTOR, CallEstimate, Range
from weighbridge.policies.cel.library.string_format import format_string
from weighbridge.policies.cel.values.access import cost_size, held
from weighbridge.policies.cel.values.go_values import go_text
from weighbridge.policies.cel.values.growth import check_text
from weighbridge.policies.cel.values.types import DYN, INT, STRING, list_of
from weighbridge.policies.cel.values.values import CelError, Unreadable, Value
from weighbridge.policies.ground.go_text import trimmed
from weighbridge.policies.ground.server_release import release

_LOWER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_UPPER: Final = {code: code - 32 for code in range(ord("a"), ord("z") + 1)}
_QUOTED: Final = str.maketrans(
    {"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v", "\\": "\\\\", '"': '\\"'},
)


def char_at(text: str, index: int) -> str:
    """The character at an index; empty at the end of the text."""
    if not 0 <= index <= len(text):
        raise CelError(index_out_of_range(index))
    return text[index : index + 1]


def index_of(text: str, part: str, offset: int = 0) -> int:
    """Where `part` first begins at or after `offset`, or -1."""
    if not part and not release().bounds_empty_searches:
        return offset
    if offset < 0:
        raise CelError(index_out_of_range(offset))
    return text.find(part, offset) if part else min(offset, len(text))


def last_index_of(text: str, part: str, offset: int | None = None) -> int:
    """Where `part` last begins at or before `offset`, or -1."""
    if offset is None:
        return len(text) if not part else text.rfind(part)
    if not part and not release().bounds_empty_searches:
        return offset
    if offset < 0:
        raise CelError(index_out_of_range(offset))
    if not part:
        return min(offset, len(text))
    return -1 if offset >= len(text) else text.rfind(part, 0, offset + len(part))


def lower_ascii(text: str) -> str:
    """The text with A to Z in lower case; other letters don't change."""
    return text.translate(_LOWER)


def upper_ascii(text: str) -> str:
    """The text with a to z in upper case; other letters don't change."""
    return text.translate(_UPPER)


def replace(text: str, old: str, new: str, count: int = -1) -> str:
    """The text with `count` occurrences replaced from the left, or all if `count` is negative."""
    found = text.count(old)
    replaced = found if count < 0 else min(found, count)
    check_text(len(text) + replaced * (len(new) - len(old)))
    return text.replace(old, new, count if count >= 0 else -1)


def split(text: str, separator: str, count: int = -1) -> list[str]:
    """The parts between separators, at most `count` of them if that isn't negative."""
    if count == 0:
        return []
    if separator:
        return text.split(separator, count - 1 if count > 0 else -1)
    characters = list(text)
    return characters if count < 0 or len(characters) <= count else [*characters[: count - 1], text[count - 1 :]]


def substring(text: str, start: int, end: int | None = None) -> str:
    """The characters from `start` up to `end`."""
    if end is not None and start > end:
        raise CelError(invalid_substring(start, end))
    for index in (start, end):
        if index is not None and not 0 <= index <= len(text):
            raise CelError(index_out_of_range(index))
    return text[start:end]


def trim(text: str) -> str:
    """The text without spaces at either end."""
    return trimmed(text)


def join(values: Value, separator: str = "") -> str:
    """The strings of a list, joined."""
    parts = held(values)
    for part in parts:
        if part.__class__ is Unreadable:
            raise CelError(not_joinable(part.text))
        if part.__class__ is not str:
            raise CelError(not_joinable(go_text(part)))
    check_text(sum(map(len, parts)) + len(separator) * (len(parts) - 1))
    return separator.join(parts)


def quote(text: str) -> str:
    """The text as a CEL string literal."""
    return f'"{text.translate(_QUOTED)}"'


def _join_cost(result: Value, *_args: Value) -> int:
    return math.ceil(cost_size(result) * 2 * STRING_FACTOR)


def _join_estimate(args: EstimatedArguments) -> CallEstimate:
    count = args.size(0)
    element = args.element_size(0)
    size = count * element if element is not None else Range(0, 0)
    if len(args) > 1:
        separators = Range(max(count.low - 1, 0), max(count.high - 1, 0))
        size += args.size(1) * separators
    return CallEstimate(size.times(STRING_FACTOR), size)


def _split_estimate(args: EstimatedArguments) -> CallEstimate:
    size = args.size(0)
    most = size.high
    if len(args) > 2 and args.constant(2).__class__ is int:
        most = args.constant(2) % (1 << 64)
    return CallEstimate(size.times(2 * STRING_FACTOR), Range(0, most))


def _replace_estimate(args: EstimatedArguments) -> CallEstimate:
    """The result is longest if the shortest old text is replaced by the longest new one everywhere, and shortest in the reverse case."""
    size, old, new = args.size(0), args.size(1), args.size(2)
    if old.low == 0:
        most, kept_most = min(size.high + 1, MAX), size.high
    elif new.high <= old.low:
        most, kept_most = 0, size.high
    else:
        most, kept_most = min(math.ceil(float(size.high) / float(old.low)), MAX), 0
    if old.high == 0:
        least, kept_least = min(size.low + 1, MAX), size.low
    elif old.high <= new.low:
        least, kept_least = 0, size.low
    else:
        least, kept_least = math.ceil(float(size.low) / float(old.high)), 0
    result = Range(least, most) * new + Range(kept_least, kept_most)
    return CallEstimate(size.times(2 * STRING_FACTOR), result)


def _quote_estimate(args: EstimatedArguments) -> CallEstimate:
    size = args.size(0)
    # The server's numbers overflow here too.
    return CallEstimate(size.times(STRING_FACTOR), Range(size.low + 2, size.high * 2 + 2 & MAX))


def _format_estimate(args: EstimatedArguments) -> CallEstimate:
    return CallEstimate(args.size(0).times(STRING_FACTOR))


LIBRARY: Final = Library(since=(1, 23))
_STRINGS: Final = list_of(STRING)
_ONCE: Final = {"cost": traversal(0), "estimate": traversal_estimated(0, keeps_size=True)}
_TWICE: Final = traversal(0, 2 * STRING_FACTOR)
LIBRARY.member("charAt", "string_char_at_int", (STRING, INT), STRING, char_at)
for _name, _word, _call in (("indexOf", "index_of", index_of), ("lastIndexOf", "last_index_of", last_index_of)):
    _id = f"string_{_word}_string"
    LIBRARY.member(_name, _id, (STRING, STRING), INT, _call, cost=positions_cost, estimate=positions_estimate)
    LIBRARY.member(_name, f"{_id}_int", (STRING, STRING, INT), INT, _call, cost=positions_cost, estimate=positions_estimate)
LIBRARY.member("lowerAscii", "string_lower_ascii", (STRING,), STRING, lower_ascii, **_ONCE)  # type: ignore[arg-type]
LIBRARY.member("replace", "string_replace_string_string", (STRING,) * 3, STRING, replace, cost=_TWICE, estimate=_replace_estimate)
LIBRARY.member(
    "replace", "string_replace_string_string_int", (STRING, STRING, STRING, INT), STRING, replace, cost=_TWICE, estimate=_replace_estimate
)
LIBRARY.member("split", "string_split_string", (STRING, STRING), _STRINGS, split, cost=_TWICE, estimate=_split_estimate)
LIBRARY.member("split", "string_split_string_int", (STRING, STRING, INT), _STRINGS, split, cost=_TWICE, estimate=_split_estimate)
LIBRARY.member("substring", "string_substring_int", (STRING, INT), STRING, substring, **_ONCE)  # type: ignore[arg-type]
LIBRARY.member("substring", "string_substring_int_int", (STRING, INT, INT), STRING, substring, **_ONCE)  # type: ignore[arg-type]
LIBRARY.member("trim", "string_trim", (STRING,), STRING, trim, **_ONCE)  # type: ignore[arg-type]
LIBRARY.member("upperAscii", "string_upper_ascii", (STRING,), STRING, upper_ascii, **_ONCE)  # type: ignore[arg-type]
LIBRARY.add(
    "format",
    Overload(
        "string_format", (STRING, list_of(DYN)), STRING, format_string, member=True, cost=traversal(0), estimate=_format_estimate,
        since=(1, 29),
    ),
)  # fmt: skip
LIBRARY.add(
    "strings.quote",
    Overload("strings_quote", (STRING,), STRING, quote, cost=traversal(0), estimate=_quote_estimate, since=(1, 29)),
)
LIBRARY.member("join", "list_join", (_STRINGS,), STRING, join, cost=_join_cost, estimate=_join_estimate)
LIBRARY.member("join", "list_join_string", (_STRINGS, STRING), STRING, join, cost=_join_cost, estimate=_join_estimate)
