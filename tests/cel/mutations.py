"""Makes random mistakes in expressions, from a seed: tokens and characters are dropped, doubled, swapped or inserted."""

from __future__ import annotations

import re
from random import Random

_TOKEN = re.compile(r"\s+|'[^']*'|\"[^\"]*\"|[A-Za-z_]\w*|\d+(?:\.\d+)?u?|&&|\|\||[=!<>]=|.", re.DOTALL)
_TOKENS = (
    "self", "oldSelf", "x", "size", "has", "all", "exists", "map", "filter", "optMap", "true", "null", "in", "if", "namespace", "int",
    "string", "duration", "timestamp", "type", "dyn", "1", "-1", "1.5", "2u", "0x1F", "9223372036854775808", "''", "'a'", '"b"', "b'x'",
    "r'\\d'", "''''", "[]", "{}", "[1]", "{'a': 1}", "(", ")", "[", "]", "{", "}", ".", ",", ":", "?", ".?", "[?", "+", "-", "*", "/",
    "%", "!", "==", "!=", "<", ">=", "&&", "||", "&", "|", "=", "`a`", "`", "'", '"', "\\", "#", "$", "@", "~", ";", "é", "😀", "\u2028",
    "//c", "\n", "\t", "quantity('1')", "optional.of(1)", "optional.none()", "self.spec", "__x__", "matches('(')", "M{a: 1}", "M{}",
    "a.b.C{d: 1}", "format([1])", "lists.range(3)", "sets.contains([1], [2])", "isIP('::1')", "url('x')", "1e400", "b'\\u0041'",
    "'\\400'", "'\\ud800'", "[1, 'a']", "{1: 2, 'a': 3}", "cel.bind(a, 1, a)", "sortBy(e, e)", "transformMap(k, v, v)",
    "existsOne(i, v, v)",
)  # fmt: skip


def pieces(text: str) -> list[str]:
    """The text cut into tokens, with the spaces."""
    return _TOKEN.findall(text)


def mutated(text: str, random: Random) -> str:
    """The text with one to three random changes."""
    parts = pieces(text)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        parts = _changed(parts, random)
    return "".join(parts)


def _changed(parts: list[str], random: Random) -> list[str]:
    if not parts:
        return [random.choice(_TOKENS)]
    at = random.randrange(len(parts))
    match random.randrange(8):
        case 0:
            return parts[:at] + parts[at + 1 :]
        case 1:
            return [*parts[:at], parts[at], *parts[at:]]
        case 2:
            other = random.randrange(len(parts))
            parts = list(parts)
            parts[at], parts[other] = parts[other], parts[at]
            return parts
        case 3:
            return [*parts[:at], random.choice(_TOKENS), *parts[at:]]
        case 4:
            return [*parts[:at], random.choice(_TOKENS), *parts[at + 1 :]]
        case 5:
            return parts[:at]
        case 6:
            return pieces(_without_a_character("".join(parts), random))
        case _:
            return [*parts[:at], f" {random.choice(_TOKENS)} ", *parts[at:]]


def _without_a_character(text: str, random: Random) -> str:
    at = random.randrange(len(text))
    return text[:at] + text[at + 1 :]
