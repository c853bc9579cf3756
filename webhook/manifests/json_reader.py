"""JSON documents as Kubernetes' decoders read them.

Whole floats stay floats here, other than in YAML; integers beyond 64 bits signed become floats, the last of equal keys wins, a lone
surrogate becomes U+FFFD, and NaN is refused. Source: k8s.io/apimachinery v0.36 util/json.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any, Final

from policies.objects import JSONValue
from webhook.manifests import errors
from webhook.manifests.errors import MAX_DEPTH, UnreadableError
from webhook.manifests.lines import SourceText
from webhook.manifests.scalars import as_json

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_BRACKET: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}]')
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_SURROGATE_ESCAPE: Final = re.compile(r"\\u[dD][89a-fA-F]")


def _no_constant(name: str) -> JSONValue:
    raise UnreadableError(errors.invalid_json(f"{name} is no JSON value"))


@dataclass(slots=True)
class JSONText:
    """One value of a JSON text: where it ends, and whether some map in it had two equal keys.

    `refused` is why it can't be used although it is JSON.
    """

    value: JSONValue
    end: int
    has_duplicates: bool = False
    refused: UnreadableError | None = None


def _is_too_deep(value: JSONValue) -> bool:
    level, depth = [value], 0
    while level:
        depth += 1
        children: list[Any] = []
        for member in level:
            if isinstance(member, dict):
                children.extend(item for item in member.values() if isinstance(item, (dict, list)))
            elif isinstance(member, list):
                children.extend(item for item in member if isinstance(item, (dict, list)))
        level = children
    return depth > MAX_DEPTH


def _too_deep(source: SourceText, begin: int) -> UnreadableError:
    """The refusal, with the place of the first bracket that opens one level too many."""
    depth = 0
    for match in _BRACKET.finditer(source.text, begin):
        sign = match[0]
        depth += (sign in "{[") - (sign in "}]")
        if depth > MAX_DEPTH:
            begin = match.start()
            break
    return UnreadableError(errors.too_deep(), place=source.starts.place(begin))


def _without_surrogates(value: JSONValue) -> JSONValue:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    return value


class _Decoder:
    """Reads one value and notes what `json` would pass over."""

    __slots__ = ("overflow", "repeated")

    def __init__(self) -> None:
        self.repeated = False
        self.overflow = ""

    def decode(self, text: str, begin: int) -> tuple[JSONValue, int]:
        """The value that begins at an offset, and where it ends."""

        decoder = json.JSONDecoder(
            object_pairs_hook=self._map, parse_float=self._fraction, parse_int=self._whole, parse_constant=_no_constant
        )
        return decoder.raw_decode(text, begin)

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
        """As kubectl sends it on: it decodes the file and writes it anew, and Go writes 1.0 as 1."""
        value = float(text)
        if math.isinf(value):
            self.overflow = text
            return value
        sent: int | float = as_json(value)
        return sent


def _refusal(value: JSONValue, source: SourceText, stretch: tuple[int, int], overflow: str) -> UnreadableError | None:
    begin, _ = stretch
    if overflow:
        return UnreadableError(*errors.number_overflows(overflow), place=source.starts.place(begin))
    if source.text.count("[", *stretch) + source.text.count("{", *stretch) > MAX_DEPTH and _is_too_deep(value):
        return _too_deep(source, begin)
    return None


def read_json(source: SourceText, start: int) -> JSONText | None:
    """Read the JSON value that begins at or after a character offset; None where only whitespace is left.

    Raises UnreadableError where the text isn't JSON, so that it may yet be YAML.
    """
    text = source.text
    begin = _SPACE.match(text, start).end()  # type: ignore[union-attr]  # it also matches nothing
    if begin == len(text):
        return None
    decoder = _Decoder()
    try:
        value, end = decoder.decode(text, begin)
    except json.JSONDecodeError as error:
        problem = errors.invalid_json(error.msg[:1].lower() + error.msg[1:])
        raise UnreadableError(problem, place=source.starts.place(error.pos)) from None
    except RecursionError:
        return JSONText(None, len(text), refused=_too_deep(source, begin))
    except UnreadableError as error:
        error.place = source.starts.place(begin)
        raise
    refused = _refusal(value, source, (begin, end), decoder.overflow)
    if _SURROGATE_ESCAPE.search(text, begin, end):
        value = _without_surrogates(value)
    return JSONText(value, end, decoder.repeated, refused)
