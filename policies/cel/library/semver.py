"""Semantic versions (2.0.0); comparisons ignore the build metadata.

semver('1.2.3-rc.1').isLessThan(semver('1.2.3'))  -> true
semver('1.2.3').minor()                           -> 2
isSemver('v1.2')                                  -> false
semver('v01.2', true) == semver('1.2.0')          -> true
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from weighbridge.policies.cel.library.errors import (
    EMPTY_BUILD,
    EMPTY_NUMBER,
    EMPTY_PRE_RELEASE,
    EMPTY_VERSION,
    SHORT_WITH_MORE,
    TOO_FEW_NUMBERS,
    invalid_build,
    invalid_number,
    invalid_pre_release,
    leading_zeroes,
    leading_zeroes_of_pre_release,
    number_too_great,
)
from weighbridge.policies.cel.library.overload import Library, one, one_estimated, traversal, traversal_estimated
from weighbridge.policies.cel.library.standard_logic import FLAT
from weighbridge.policies.cel.values.types import BOOL, INT, STRING, struct
from weighbridge.policies.cel.values.values import CelError
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass

_NUMBERS: Final = expression(r"[0-9]*", re.ASCII)
_ALPHANUMERIC: Final = expression(r"[0-9A-Za-z-]*", re.ASCII)
_MAX_UINT64: Final = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class SemverValue:
    """A version as a CEL value; numeric parts of the pre-release are ints."""

    numbers: tuple[int, int, int]
    pre_release: tuple[int | str, ...] = ()

    cel_type: ClassVar[str] = "kubernetes.Semver"
    go_type: ClassVar[str] = "cel.Semver"
    #: Go's structure holds lists.
    is_unhashable: ClassVar[bool] = True

    @property
    def printed(self) -> str:
        """How Go prints it, up to the build metadata, which isn't kept."""
        numbers = ".".join(map(str, self.numbers))
        return f"{numbers}-{'.'.join(map(str, self.pre_release))}" if self.pre_release else numbers

    def equals(self, other: object) -> bool | None:
        """Equality without build metadata; `None` if the other isn't a version."""
        return compare(self, other) == 0 if isinstance(other, SemverValue) else None


def _number(text: str, part: str) -> int:
    if not _NUMBERS.fullmatch(text):
        raise CelError(invalid_number(part, text))
    if len(text) > 1 and text[0] == "0":
        raise CelError(leading_zeroes(part, text))
    return _uint64(text)


def _uint64(text: str) -> int:
    if not text:
        raise CelError(EMPTY_NUMBER)
    if len(text) > 20 or int(text) > _MAX_UINT64:
        raise CelError(number_too_great(text))
    return int(text)


def parse(text: str, normalise: bool = False) -> SemverValue:
    """``semver(text)``; normalising strips a ``v`` and leading zeros, and fills in missing parts."""
    if normalise:
        text = _normalised(text)
    if not text:
        raise CelError(EMPTY_VERSION)
    parts = text.split(".", 2)
    if len(parts) != 3:
        raise CelError(TOO_FEW_NUMBERS)
    major, minor = _number(parts[0], "major"), _number(parts[1], "minor")
    rest, plus, build = parts[2].partition("+")
    patch_text, dash, pre_release = rest.partition("-")
    patch = _number(patch_text, "patch")
    parsed = tuple(map(_pre_release, pre_release.split("."))) if dash else ()
    for piece in build.split(".") if plus else []:
        if not piece:
            raise CelError(EMPTY_BUILD)
        if not _ALPHANUMERIC.fullmatch(piece):
            raise CelError(invalid_build(piece))
    return SemverValue((major, minor, patch), parsed)


def _pre_release(text: str) -> int | str:
    if not text:
        raise CelError(EMPTY_PRE_RELEASE)
    if _NUMBERS.fullmatch(text):
        if len(text) > 1 and text[0] == "0":
            raise CelError(leading_zeroes_of_pre_release(text))
        return _uint64(text)
    if not _ALPHANUMERIC.fullmatch(text):
        raise CelError(invalid_pre_release(text))
    return text


def _normalised(text: str) -> str:
    parts = text.removeprefix("v").split(".", 2)
    # The server counts bytes, so one character beyond ASCII is long enough.
    parts = [_without_zeros(part) if len(part.encode()) > 1 else part for part in parts]
    if len(parts) < 3:
        if any(char in parts[-1] for char in "+-"):
            raise CelError(SHORT_WITH_MORE)
        parts += ["0"] * (3 - len(parts))
    return ".".join(parts)


def _without_zeros(part: str) -> str:
    stripped = part.lstrip("0")
    return stripped if stripped and stripped[0] in "0123456789" else f"0{stripped}"


def is_semver(text: str, normalise: bool = False) -> bool:
    """``isSemver(text)``."""
    try:
        parse(text, normalise)
    except CelError:
        return False
    return True


def compare(left: SemverValue, right: SemverValue) -> int:
    """-1, 0 or 1."""
    if left.numbers != right.numbers:
        return 1 if left.numbers > right.numbers else -1
    if not left.pre_release or not right.pre_release:
        return bool(right.pre_release) - bool(left.pre_release)
    for mine, theirs in zip(left.pre_release, right.pre_release, strict=False):
        order = _compare_part(mine, theirs)
        if order:
            return order
    return (len(left.pre_release) > len(right.pre_release)) - (len(left.pre_release) < len(right.pre_release))


def _compare_part(left: int | str, right: int | str) -> int:
    """Numbers come before words."""
    if isinstance(left, int) and isinstance(right, int):
        return (left > right) - (left < right)
    if isinstance(left, str) and isinstance(right, str):
        return (left > right) - (left < right)
    return -1 if isinstance(left, int) else 1


def is_greater(left: SemverValue, right: SemverValue) -> bool:
    """Whether the left one is later."""
    return compare(left, right) == 1


def is_less(left: SemverValue, right: SemverValue) -> bool:
    """Whether the left one is earlier."""
    return compare(left, right) == -1


def _part(index: int) -> object:
    def part(value: SemverValue) -> int:
        number = value.numbers[index]
        return number - (1 << 64) if number > _MAX_UINT64 // 2 else number

    return part


TYPE: Final = struct("kubernetes.Semver")
FLAT.add(SemverValue)
LIBRARY: Final = Library(since=(1, 33))
for _parameters, _suffix in (((STRING,), "string"), ((STRING, BOOL), "string_bool")):
    LIBRARY.function("semver", f"{_suffix}_to_semver", _parameters, TYPE, parse, cost=traversal(0), estimate=traversal_estimated(0))
    LIBRARY.function("isSemver", f"is_semver_{_suffix}", _parameters, BOOL, is_semver, cost=traversal(0), estimate=traversal_estimated(0))
LIBRARY.member("isGreaterThan", "semver_is_greater_than", (TYPE, TYPE), BOOL, is_greater, cost=one, estimate=one_estimated)
LIBRARY.member("isLessThan", "semver_is_less_than", (TYPE, TYPE), BOOL, is_less, cost=one, estimate=one_estimated)
LIBRARY.member("compareTo", "semver_compare_to", (TYPE, TYPE), INT, compare, cost=one, estimate=one_estimated)
for _index, _name in enumerate(("major", "minor", "patch")):
    LIBRARY.member(_name, f"semver_{_name}", (TYPE,), INT, _part(_index), cost=one, estimate=one_estimated)  # type: ignore[arg-type]
