"""Values at the edges: numbers, texts, maps and lists that decoders, validators and printers may treat differently.

The numbers are at the limits of Go's and the schema's types; the texts are those that JSON, %q and Unicode treat specially.
"""

from __future__ import annotations

from typing import Final

from tests.programs.differential.body_text import Literally
from tests.programs.differential.dice import Dice
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.schema.go_values import deep_copy

WHOLE: Final[tuple[int, ...]] = (
    0, 1, -1, 2, 7, 100, 255, 1000, 65535, 65536, 999999, 1000000, 1000001, 2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**32, 2**53 - 1,
    2**53, 2**53 + 1, 2**63 - 1, -(2**63),
)  # fmt: skip
#: Written as whole numbers, beyond 64 signed bits.
HUGE: Final = (2**63, 2**63 + 1, -(2**63) - 1, 2**64 - 1, 2**64, 10**19, 10**25, -(10**30))
FLOATS: Final = (
    0.0, -0.0, 1.0, -1.0, 0.5, 1.5, -1.5, 0.1, 2.5, 10.0, 100.0, 1e-7, 1e-6, 123456.0, 999999.0, 1e6, 1234567.5, 2147483647.0,
    2147483648.0, 9007199254740991.0, 9007199254740992.0, 9007199254740993.0, 1e15, 1e18, 9223372036854774784.0, 9223372036854775807.0,
    1e19, 1e20, 1e21, 1.2345678901234567e22, 3.4028234663852886e38, 3.5e38, 1e300, 1.7976931348623157e308, 5e-324, 1e-10,
    0.30000000000000004,
)  # fmt: skip
#: Other ways to write numbers, and a number that is none.
WRITTEN: Final = tuple(map(Literally, ("1e2", "1E2", "1.50", "-0", "1e+2", "100e-2", "1e400", "-1e400", "0.1e1", "12e-1", "1e-400")))
TEXTS: Final = (
    "", " ", "a", "A", "0", "1", "-1", "1.0", "true", "null", "~", "a b", " a", "a ", "a\n", "\n", "\t", "a\tb", "\r\n", "\x00",
    "\x1b[31m", "\x7f", "\x80", "\u00a0", "\u2028", "\u2029", "\ufeff", "\ufffd", "é", "é", "ß", "ſ", "K", "日本語", "😀", "👩‍👩‍👧",
    "\U0010ffff", "\ue000", "<a href=\"x\">&amp;'</a>", "a\\b", 'a"b', "`", "%s %d %!v(MISSING)", "${x}", "{{x}}", "a/b", "../..",
    "a.b.c", "a[0]", "x" * 64, "x" * 254, "é" * 40, "٣", "1_000", "0x10", "1e3", "inf", "NaN", "2026-01-02T03:04:05Z", "10%", "100m",
    "1Gi", "\u200b", "\u202e", "½",
)  # fmt: skip
KEYS: Final = (
    "", " ", "a", "A", "a.b", "a/b", "a[0]", "0", "x-y", "é", "日本", "<&>", 'a"b', "a\nb", "\x00", "\u2028", "kind", "metadata", "null",
    "__dict__", "self",
)  # fmt: skip
SIMPLE: Final[tuple[JSONValue, ...]] = (
    None, True, False, 0, 1, -1, 1.5, 1.0, "", "a", "1", "true", [], {}, ["a"], [1], [None], [{}], {"a": "b"}, {"a": None}, {"0": "a"},
)  # fmt: skip


def number(dice: Dice) -> JSONValue:
    """A number of any kind."""
    return dice.pick(dice.pick((WHOLE, FLOATS, FLOATS, HUGE, WRITTEN)))


def text(dice: Dice) -> str:
    """A text, rarely a harmless one."""
    drawn = dice.pick(TEXTS)
    return drawn + dice.pick(TEXTS) if dice.chance(20) else drawn


def half_a_pair(dice: Dice) -> Literally:
    """A text with a surrogate that has no other half, which only an escape can write."""
    return Literally(dice.pick((r'"\ud800"', r'"a\udc00b"', r'"\ud83d\ud83d\ude00"', r'"\uDFFF<"', r'"\ud83d\ude00"')))


def key(dice: Dice) -> str:
    """A key of a map."""
    return dice.pick(KEYS) if dice.chance(70) else text(dice)


def anything(dice: Dice, depth: int = 0) -> JSONValue:
    """A JSON value of any shape."""
    kind = dice.number(0, 9 if depth < 4 else 5)
    if kind <= 2:
        return deep_copy(dice.pick(SIMPLE))
    if kind == 3:
        return number(dice)
    if kind <= 5:
        return text(dice)
    if kind <= 7:
        return {key(dice): anything(dice, depth + 1) for _ in range(dice.number(0, 3))}
    return [anything(dice, depth + 1) for _ in range(dice.number(0, 3))]


def nested(dice: Dice) -> Literally:
    """A deeply nested value; as text, since few functions can follow it to the end."""
    depth, leaf = dice.pick((5, 30, 100, 300, 900)), dice.pick(("null", "1", '"x"', "{}", "[]"))
    opening, closing = dice.pick((("[", "]"), ('{"a":', "}"), ('[{"a":', "}]"), ('{"metadata":', "}")))
    depth //= len(closing)
    return Literally(opening * depth + leaf + closing * depth)
