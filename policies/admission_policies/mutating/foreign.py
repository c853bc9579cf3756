"""Values of expressions that keep being Go values of their own where a merge takes JSON, and how Go prints them.

A merge refuses them, and its messages print them: as ``%T``, as ``%v``, or as ``%#v``. Where Go prints a place in memory, this has dots.
Source: cel-go's `common/types`, k8s.io/apiserver `pkg/cel`, Go's fmt package.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from weighbridge.policies.cel.library.ip import IpValue
from weighbridge.policies.cel.library.quantity import QuantityValue
from weighbridge.policies.cel.library.semver import SemverValue
from weighbridge.policies.cel.values.calendar import civil
from weighbridge.policies.cel.values.go_values import go_text
from weighbridge.policies.cel.values.times import go_time_text
from weighbridge.policies.cel.values.values import NANOS_PER_SECOND, Duration, MapValue, Timestamp, Uint, Value, go_type_name
from weighbridge.policies.ground.durations import duration_text
from weighbridge.policies.ground.go_text import float_text, quote
from weighbridge.policies.ground.records import dataclass


class ServerPanicError(Exception):
    """The server breaks down here and answers nothing."""


@dataclass(frozen=True, slots=True)
class Foreign:
    """A Go value that isn't JSON: its type, and how Go prints it, also as Go syntax."""

    go_type: str
    text: str
    syntax: str = ""


NULL: Final = Foreign("structpb.NullValue", "NULL_VALUE", "0")
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def foreign(value: Value) -> Foreign:
    """Go's ``Value()`` of a CEL value that isn't JSON."""
    kind = value.__class__
    if kind is list:
        return Foreign("[]ref.Val", f"[{' '.join(map(go_text, value))}]", f"[]ref.Val{{{_joined(map(_part_syntax, value))}}}")
    if kind is MapValue:
        return _foreign_map(value)
    if kind is Uint:
        return Foreign("uint64", str(int(value)), hex(value))
    if kind is bytes:
        return Foreign("[]uint8", go_text(value), f"[]uint8{{{_joined(map(hex, value))}}}")
    if kind is Timestamp:
        return Foreign("time.Time", go_time_text(value), _time_syntax(value))
    if kind is Duration:
        return Foreign("time.Duration", duration_text(value.nanoseconds), str(value.nanoseconds))
    return _foreign_of_library(value)


def _foreign_map(value: MapValue) -> Foreign:
    """Go sorts the keys where it prints a map."""
    entries = sorted(((go_text(key), go_text(inner), _part_syntax(key), _part_syntax(inner)) for key, inner in value.items()))
    text = " ".join(f"{key}:{inner}" for key, inner, _, _ in entries)
    syntax = _joined(f"{key}:{inner}" for _, _, key, inner in entries)
    return Foreign("map[ref.Val]ref.Val", f"map[{text}]", f"map[ref.Val]ref.Val{{{syntax}}}")


def _foreign_of_library(value: Value) -> Foreign:
    if isinstance(value, QuantityValue):
        return Foreign("*resource.Quantity", value.printed, _place("*resource.Quantity"))
    if isinstance(value, IpValue):
        return Foreign("netip.Addr", value.printed, _address_syntax(value))
    if isinstance(value, SemverValue):
        return Foreign("semver.Version", value.printed, _version_syntax(value))
    return Foreign(go_type_name(value), go_text(value))


def _part_syntax(value: Value) -> str:
    """A CEL value within a list or map of them, as ``%#v`` prints it."""
    kind = value.__class__
    if value is None or kind is bool or kind is int:
        return go_text(value)
    if kind is str:
        return quote(value)
    if kind is float:
        return float_text(value)
    if kind is Uint:
        return hex(value)
    if kind is bytes:
        return f"types.Bytes{{{_joined(map(hex, value))}}}"
    if kind is Timestamp:
        return _time_syntax(value)
    return f"types.Duration{{Duration:{value.nanoseconds}}}" if kind is Duration else _place(go_type_name(value))


def _place(go_type: str) -> str:
    """A pointer, of which Go prints the type and an address."""
    return f"({go_type})(0x…)"


def _time_syntax(value: Timestamp) -> str:
    """The call that makes a time; a zone that isn't UTC has no name."""
    seconds, nanos = divmod(value.nanoseconds, NANOS_PER_SECOND)
    year, month, day, rest = civil(seconds + value.offset)
    zone = 'time.Location("")' if value.offset else "time.UTC"
    clock = f"{rest // 3600}, {rest % 3600 // 60}, {rest % 60}, {nanos}"
    return f"time.Date({year}, time.{_MONTHS[month - 1]}, {day}, {clock}, {zone})"


def _address_syntax(value: IpValue) -> str:
    """An address as the 128 bits that hold it; one of four bytes is in the last of them."""
    number = int(value.address) | (0xFFFF << 32 if value.address.version == 4 else 0)
    bits = f"netip.uint128{{hi:{hex(number >> 64)}, lo:{hex(number & (1 << 64) - 1)}}}"
    return f"netip.Addr{{addr:{bits}, z:unique.Handle[net/netip.addrDetail]{{value:{_place('*netip.addrDetail')}}}}}"


def _version_syntax(value: SemverValue) -> str:
    numbers = _joined(f"{name}:{hex(number)}" for name, number in zip(("Major", "Minor", "Patch"), value.numbers, strict=True))
    parts = _joined(
        f'semver.PRVersion{{VersionStr:"", VersionNum:{hex(part)}, IsNum:true}}'
        if isinstance(part, int)
        else f"semver.PRVersion{{VersionStr:{quote(part)}, VersionNum:0x0, IsNum:false}}"
        for part in value.pre_release
    )
    before = f"{{{parts}}}" if parts else "(nil)"
    return f"semver.Version{{{numbers}, Pre:[]semver.PRVersion{before}, Build:[]string(nil)}}"


def _joined(parts: Iterable[str]) -> str:
    return ", ".join(parts)
