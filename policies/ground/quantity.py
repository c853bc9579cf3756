"""Amounts of resources: `1500m`, `2Gi`, `1e3`; parsed, added, compared and printed as Kubernetes does it, exactly.

Mirrors ``resource.Quantity`` of k8s.io/apimachinery v0.36.3 (pkg/api/resource), its oddities included where a user can meet them: `K` is no
suffix, a lone `k` is zero, `1.0` is no integer for `AsInt64`, `1000E` prints as `1`. Upstream keeps an amount in one of two forms, an int64
with a decimal scale or a big decimal, and some answers depend on which; `_Amount` keeps that. Unlike upstream, every operation ends soon
for any exponent, and `value` neither wraps beyond 64 bits nor misrounds negative amounts of the big form.
"""

from __future__ import annotations

import math
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_UP, Context, Decimal, Inexact
from enum import StrEnum
from functools import lru_cache

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.go_numbers import int32
from weighbridge.policies.ground.records import dataclass

_REGEX = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$"
_FORMAT_WRONG = f"quantities must match the regular expression '{_REGEX}'"
_NUMERIC_WRONG = "unable to parse numeric part of quantity"
_SUFFIX_WRONG = "unable to parse quantity's suffix"
_NOT_AN_INTEGER = "cannot convert value to integer"
_TOO_LONG = "the sum of the quantities has too many digits"

# What upstream's scanner accepts, which is more than its regular expression does. Possessive, so that no text costs more than one pass.
_SCAN = expression(
    r"(?P<sign>[+-]?+)(?P<zeros>0*+)(?P<whole>[0-9]*+)(?:\.(?P<fraction>[0-9]*+))?+(?P<suffix>[eEinumkKMGTP]*+[+-]?+[0-9]*+)"
)
_EXPONENT = expression(r"[eE](?P<sign>[+-]?)0*+(?P<digits>[0-9]*+)(?<=[0-9])")

_MAX_INT64, _MIN_INT64 = 2**63 - 1, -(2**63)
_MAX_INT64_DIGITS, _NANO = 18, -9
_LONGEST_REMEMBERED = 32
# Beyond this power of ten a float64 is infinite (or zero), so larger exponents needn't be distinguished.
_BEYOND_FLOAT = 400

_WIDE = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, rounding=ROUND_UP, traps=[])
# A sum has as many digits as the exponents of its operands differ by, and printing takes the square of that. Upstream has no bound.
_SUM = Context(prec=10_000, Emax=MAX_EMAX, Emin=MIN_EMIN, rounding=ROUND_UP, traps=[Inexact])

_DECIMAL_SUFFIXES = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY_SUFFIXES = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_SUFFIX_OF = {exponent: suffix for suffix, exponent in _DECIMAL_SUFFIXES.items()}
_BINARY_SUFFIX_OF = {exponent: suffix for suffix, exponent in _BINARY_SUFFIXES.items()}


class QuantityError(ValueError):
    """A text isn't a quantity, or an operation has no result; the message is upstream's."""


class Format(StrEnum):
    """How a quantity is spelled. Results keep the format that the author used."""

    DECIMAL_SI = "DecimalSI"
    BINARY_SI = "BinarySI"
    DECIMAL_EXPONENT = "DecimalExponent"


@dataclass(frozen=True, slots=True)
class _Amount:
    """A number whose exponent is upstream's scale; `in_int64` if upstream holds it as an int64 with that scale."""

    number: Decimal
    in_int64: bool

    @property
    def exponent(self) -> int:
        return _exponent(self.number)

    def negated(self) -> _Amount:
        # NB: a decimal zero can be negative, and would be printed with its sign.
        return _Amount(self.number.copy_negate() if self.number else self.number, self.in_int64)


@dataclass(frozen=True, slots=True, eq=False)
class Quantity:
    """One amount. Immutable; equal amounts are equal and hash alike, however they are spelled (`1k`, `1000`, `1e3`).

    >>> Quantity.parse("1k") == Quantity.parse("1e3")
    True
    >>> str(Quantity.parse("1500Mi").add(Quantity.parse("548Mi")))
    '2Gi'
    """

    _amount: _Amount
    format: Format
    # The author's spelling. Upstream prints it again if it takes it for canonical.
    _spelling: str = ""

    @classmethod
    def parse(cls, text: str) -> Quantity:
        """Read a quantity; raises `QuantityError` with upstream's text. No white space is trimmed.

        What is finer than nano is rounded away from zero. An amount with a binary suffix is capped at 2^63-1.
        """
        # The same few amounts are read again and again. Long texts aren't remembered.
        return _remembered(text) if len(text) <= _LONGEST_REMEMBERED else _read(text)

    @classmethod
    def from_int(cls, value: int, spelled: Format = Format.DECIMAL_SI) -> Quantity:
        """The quantity of a whole number."""
        return cls(_Amount(Decimal(value), in_int64=_MIN_INT64 <= value <= _MAX_INT64), spelled)

    def __eq__(self, other: object) -> bool:
        return self._amount.number == other._amount.number if isinstance(other, Quantity) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._amount.number)

    def __str__(self) -> str:
        return self.canonical()

    def __repr__(self) -> str:
        return f"Quantity({self.canonical()!r})"

    def compare(self, other: Quantity) -> int:
        """-1, 0 or 1, as this amount is less than, equal to or greater than the other."""
        mine, theirs = self._amount.number, other._amount.number
        return (mine > theirs) - (mine < theirs)

    def sign(self) -> int:
        """-1, 0 or 1."""
        return (self._amount.number > 0) - (self._amount.number < 0)

    def is_zero(self) -> bool:
        """Whether the amount is zero."""
        return not self._amount.number

    def add(self, other: Quantity) -> Quantity:
        """The exact sum, spelled as this quantity, or as the other if this one is zero.

        Raises `QuantityError` where the sum would have over ten thousand digits.
        """
        return Quantity(_sum(self._amount, other._amount), other.format if self.is_zero() else self.format)

    def sub(self, other: Quantity) -> Quantity:
        """The exact difference; spelling and errors as for `add`. Only the lowest int64 is added instead, if the sum fits an int64."""
        lowest = other._amount
        if lowest.in_int64 and lowest.number.scaleb(-lowest.exponent, _WIDE) == _MIN_INT64 and _sum(self._amount, lowest).in_int64:
            # Go negates an int64 that has no negative, so it stays as it is.
            return self.add(other)
        return self.add(other.neg())

    def times(self, count: int) -> Quantity:
        """This amount times `count`; zero for a count below one. Spelling and errors as for `add`."""
        total = Quantity.from_int(0)
        for digit in f"{max(count, 0):b}":
            total = total.add(total)
            total = total.add(self) if digit == "1" else total
        return total

    def neg(self) -> Quantity:
        """The same amount with the other sign."""
        return Quantity(self._amount.negated(), self.format)

    def is_integer(self) -> bool:
        """Whether `as_int` has an answer."""
        # NB: this depends on the spelling as well as on the value: neither `1.0` nor `1000m` nor `8Ei` counts as an integer.
        amount = self._amount
        return amount.in_int64 and amount.exponent >= 0 and _fits_int64(amount.number)

    def as_int(self) -> int:
        """Upstream's `AsInt64`; raises `QuantityError` where it refuses (see `is_integer`)."""
        if not self.is_integer():
            raise QuantityError(_NOT_AN_INTEGER)
        return int(self._amount.number)

    def as_approximate_float(self) -> float:
        """Upstream's `AsApproximateFloat64`, to the bit; infinite where the amount is too large for a float64."""
        exponent = self._amount.exponent
        mantissa = float(self._amount.number.scaleb(-exponent, _WIDE))
        return mantissa * _power_of_ten(exponent) if exponent else mantissa

    def value(self) -> int:
        """The amount in whole units, rounded away from zero; beyond 64 bits the nearest bound (upstream's result wraps there).

        >>> Quantity.parse("1100m").value()
        2
        """
        return _whole(self._amount.number)

    def milli_value(self) -> int:
        """The amount in thousandths, rounded and bounded as `value` is."""
        return _whole(self._amount.number.scaleb(3, _WIDE))

    def canonical(self) -> str:
        """Upstream's `String()`: no fraction, and the largest suffix without loss.

        The author's spelling is kept if upstream takes it for canonical. An amount too large for every suffix loses its power of ten, as it
        does upstream: `1000E` gives `1`.
        """
        if self._spelling or self.is_zero():
            return self._spelling or "0"
        number = self._amount.number
        if self.format is Format.BINARY_SI and number.copy_abs() >= 1024 and number == number.to_integral_value(ROUND_UP, _WIDE):
            return _binary_text(int(number))
        return _decimal_text(number, self.format)


def _read(text: str) -> Quantity:
    scanned = _SCAN.fullmatch(text)
    if scanned is None or not text:
        raise QuantityError(_FORMAT_WRONG)
    whole, fraction = scanned["whole"] or "0", scanned["fraction"] or ""
    exponent, spelled = _read_suffix(scanned["suffix"])
    amount = _read_short(whole, fraction, exponent, spelled)
    if amount is not None:
        spelling = text if _is_canonical(amount, whole + fraction, spelled) else ""
    elif scanned["zeros"] or scanned["whole"] or fraction:
        amount, spelling = _Amount(_read_long(whole, fraction, exponent, spelled), in_int64=False), ""
        if spelled is Format.BINARY_SI and 0 < amount.number < 1:
            spelled = Format.DECIMAL_SI
    else:
        raise QuantityError(_NUMERIC_WRONG)
    return Quantity(amount.negated() if scanned["sign"] == "-" else amount, spelled, spelling)


@lru_cache(maxsize=4096)
def _remembered(text: str) -> Quantity:
    return _read(text)


def _read_suffix(suffix: str) -> tuple[int, Format]:
    """The power (of ten, or of two for `BinarySI`) that a suffix means."""
    if suffix in _DECIMAL_SUFFIXES:
        return _DECIMAL_SUFFIXES[suffix], Format.DECIMAL_SI
    if suffix in _BINARY_SUFFIXES:
        return _BINARY_SUFFIXES[suffix], Format.BINARY_SI
    exponent = _EXPONENT.fullmatch(suffix)
    if exponent is None or len(exponent["digits"]) > len(str(_MAX_INT64)):
        raise QuantityError(_SUFFIX_WRONG)
    power = int(exponent["sign"] + (exponent["digits"] or "0"))
    if not _MIN_INT64 <= power <= _MAX_INT64:
        raise QuantityError(_SUFFIX_WRONG)
    return int32(power), Format.DECIMAL_EXPONENT


def _read_short(whole: str, fraction: str, exponent: int, spelled: Format) -> _Amount | None:
    """The magnitude in upstream's int64 form; `None` where the text may not fit it."""
    if spelled is Format.BINARY_SI:
        # A power of two to the 10n has about 3n digits.
        if fraction or len(whole) + exponent * 3 // 10 + 1 > 15:
            return None
        scale, digits = 0, int(whole) << exponent
    else:
        scale = int32(exponent - len(fraction))
        if len(whole) + len(fraction) > _MAX_INT64_DIGITS or scale < _NANO:
            return None
        digits = int(whole + fraction)
    if not digits:
        scale = _zero_scale(scale)
    return _Amount(Decimal(digits).scaleb(scale, _WIDE), in_int64=True)


def _is_canonical(amount: _Amount, digits: str, spelled: Format) -> bool:
    """Whether upstream takes the author's spelling of a short amount to be canonical."""
    if spelled is Format.BINARY_SI:
        return bool(int(digits) & 7)
    return amount.exponent % 3 == 0 and not digits.endswith("000") and digits[0] != "0"


def _read_long(whole: str, fraction: str, exponent: int, spelled: Format) -> Decimal:
    """The magnitude in upstream's big form: rounded up to nano, capped where the suffix is binary."""
    number = Decimal(whole + fraction)
    if spelled is Format.BINARY_SI:
        number = _WIDE.multiply(number, Decimal(1 << exponent)).scaleb(-len(fraction), _WIDE)
    else:
        scale = int32(exponent - len(fraction))
        number = number.scaleb(scale if number else _zero_scale(scale), _WIDE)
    if number and (number.adjusted() <= _BEYOND_FLOAT or _exponent(number) < _NANO):
        number = _WIDE.quantize(number, Decimal(1).scaleb(_NANO))
    return Decimal(_MAX_INT64) if spelled is Format.BINARY_SI and number > _MAX_INT64 else number


def _sum(left: _Amount, right: _Amount) -> _Amount:
    """Upstream's addition: in int64 where both amounts, brought to one scale, and their sum fit."""
    if left.in_int64 and right.in_int64:
        if not right.number:
            return left
        if not left.number:
            return right
    try:
        number = _SUM.add(left.number, right.number)
    except Inexact:
        raise QuantityError(_TOO_LONG) from None
    scale = min(left.exponent, right.exponent)
    operands = (amount.number.scaleb(-scale, _WIDE) for amount in (left, right))
    in_int64 = left.in_int64 and right.in_int64 and all(map(_fits_int64, operands))
    return _Amount(number or Decimal(0).scaleb(_zero_scale(scale)), in_int64 and _fits_int64(number.scaleb(-scale, _WIDE)))


def _fits_int64(number: Decimal) -> bool:
    return _MIN_INT64 <= number <= _MAX_INT64


def _whole(number: Decimal) -> int:
    return int(min(max(number.to_integral_value(ROUND_UP, _WIDE), Decimal(_MIN_INT64)), Decimal(_MAX_INT64)))


def _decimal_text(number: Decimal, spelled: Format) -> str:
    number = number.normalize(_WIDE)
    power = _exponent(number) // 3 * 3
    digits = f"{number.scaleb(-power, _WIDE):f}"
    if spelled is Format.DECIMAL_EXPONENT:
        return f"{digits}e{power}" if power else digits
    return digits + _DECIMAL_SUFFIX_OF.get(power, "")


def _binary_text(number: int) -> str:
    twos = (number & -number).bit_length() - 1
    power = twos // 10 * 10
    # NB: by way of Decimal, since str() refuses an int of over 4,300 digits.
    return f"{Decimal(number >> power):f}" + _BINARY_SUFFIX_OF.get(power, "")


def _exponent(number: Decimal) -> int:
    return int(number.as_tuple().exponent)


def _zero_scale(scale: int) -> int:
    """The scale of a zero, bounded: a huge one would only be carried into sums."""
    return max(-_BEYOND_FLOAT, min(_BEYOND_FLOAT, scale))


def _power_of_ten(exponent: int) -> float:
    """Go's ``math.Pow10``, which multiplies two table entries, so that some results aren't the nearest float."""
    if exponent < 0:
        return 0.0 if exponent < -323 else float(f"1e-{-exponent // 32 * 32}") / float(f"1e{-exponent % 32}")
    return math.inf if exponent > 308 else float(f"1e{exponent // 32 * 32}") * float(f"1e{exponent % 32}")


def must_parse_panic(text: str) -> str:
    """The text with which Go's `resource.MustParse` panics; empty if the text is an amount."""
    try:
        Quantity.parse(text)
    except QuantityError as error:
        return f"cannot parse '{text}': {error}"
    return ""
