"""JSON documents as kubectl reads them.

Integers beyond 64 bits signed become floats, and whole floats integers. The last of equal keys counts, a lone surrogate becomes U+FFFD, and
NaN is refused. Python's own reader reads usual texts. Texts that it refuses are read again as Go would read them. Source:
k8s.io/apimachinery v0.36 util/json.
"""

from __future__ import annotations

import json
import math
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.manifests import errors
from weighbridge.webhook.manifests.errors import UnreadableError
from weighbridge.webhook.manifests.lines import SourceText
from weighbridge.webhook.texts.json_syntax import JSONSyntaxError, NumberOverflowError, go_number, read_json_value
from weighbridge.webhook.texts.yaml_scalars import as_json

_SPACE: Final = expression(r"[ \t\r\n]*")
_SURROGATE_ESCAPE: Final = expression(r"\\u[dD][89a-fA-F]")


@dataclass(slots=True)
class JSONText:
    """One value of a JSON text: its end, and whether a map in it has two equal keys.

    `refused` is the reason why it can't be used although it is JSON.
    """

    value: JSONValue
    end: int
    has_duplicates: bool = False
    refused: UnreadableError | None = None


class _UnusualError(Exception):
    """The text has to be read as Go reads it."""


def _unusual(_constant: str) -> JSONValue:
    raise _UnusualError


class _Decoder:
    """Reads one value, and notes what `json` would ignore."""

    __slots__ = ("repeated",)

    def __init__(self) -> None:
        self.repeated = False

    def decode(self, text: str, begin: int) -> tuple[JSONValue, int]:
        """The value that begins at an offset, and its end. Raises _UnusualError, also if it isn't JSON."""
        decoder = json.JSONDecoder(object_pairs_hook=self._map, parse_float=self._fraction, parse_int=self._whole, parse_constant=_unusual)
        try:
            value, end = decoder.raw_decode(text, begin)
        except (json.JSONDecodeError, RecursionError) as error:
            raise _UnusualError from error
        if _SURROGATE_ESCAPE.search(text, begin, end):
            raise _UnusualError
        return value, end

    def _map(self, pairs: list[tuple[str, JSONValue]]) -> JSONValue:
        built = dict(pairs)
        if len(built) != len(pairs):
            self.repeated = True
        return built

    def _whole(self, text: str) -> int | float:
        # Python refuses to convert very long ones.
        value = int(text) if len(text) < 32 else 1 << 64
        return value if -(1 << 63) <= value < 1 << 63 else self._fraction(text)

    def _fraction(self, text: str) -> int | float:
        """A fraction in the form in which kubectl sends it: it decodes the file and writes it again, and Go writes 1.0 as 1."""
        value = float(text)
        if math.isinf(value):
            raise _UnusualError
        sent: int | float = as_json(value)
        return sent


def _read_as_go(source: SourceText, begin: int, start: int) -> JSONText:
    """The value that begins at a character offset, `start` in bytes. Raises UnreadableError if it isn't JSON for Go."""
    data = source.data
    overflows: list[str] = []

    def read_number(text: str) -> int | float:
        try:
            number: int | float = as_json(go_number(text))
        except NumberOverflowError as error:
            overflows.append(error.text)
            return 0
        return number

    try:
        found = read_json_value(data, start, read_number=read_number)
    except JSONSyntaxError as error:
        end = len(data) if error.is_cut else error.offset - 1
        place = source.starts.place(len(data[:end].decode(errors="ignore")))
        raise UnreadableError(*errors.invalid_json(str(error), error.offset, is_cut=error.is_cut), place=place) from None
    refused = UnreadableError(*errors.number_overflows(overflows[0]), place=source.starts.place(begin)) if overflows else None
    return JSONText(found.value, begin + len(data[start : found.end].decode()), found.has_duplicates, refused)


def read_json(source: SourceText, start: int, start_byte: int) -> JSONText | None:
    """Read the JSON value that begins at or after an offset in characters and in bytes; None if only whitespace is left.

    Raises UnreadableError if the text isn't JSON; it may still be YAML.
    """
    text = source.text
    begin = _SPACE.match(text, start).end()  # type: ignore[union-attr]  # it also matches nothing
    if begin == len(text):
        return None
    decoder = _Decoder()
    try:
        value, end = decoder.decode(text, begin)
    except _UnusualError:
        # Skipped characters have one byte each.
        return _read_as_go(source, begin, start_byte + begin - start)
    return JSONText(value, end, decoder.repeated)
