"""Each clause of `format` with each kind of value, as Kubernetes 1.36 prints it."""

from __future__ import annotations

import math
from typing import Any, Final

import pytest

from tests.cel.library_calls import made
from weighbridge.policies.cel.library.quantity import QuantityValue
from weighbridge.policies.cel.library.string_format import clauses, format_string
from weighbridge.policies.cel.values import growth
from weighbridge.policies.cel.values.undecided import CostExceededError
from weighbridge.policies.cel.values.values import CelError, Duration, Optional, Timestamp, TypeValue, Uint, Value
from weighbridge.policies.ground.quantity import Quantity

_DECIMAL: Final = "decimal clause can only be used on integers, was given "
_FIXED: Final = "fixed-point clause can only be used on doubles, was given "
_SCIENTIFIC: Final = "scientific clause can only be used on doubles, was given "
_BINARY: Final = "only integers and bools can be formatted as binary, was given "
_HEX: Final = "only integers, byte buffers, and strings can be formatted as hex, was given "
_OCTAL: Final = "octal clause can only be used on integers, was given "
_STRING: Final = (
    "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given "
)
_PRECISION: Final = "could not parse formatting clause: error while parsing precision: "
_UTF8: Final = 'could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string'


def said(text: str, *args: Value) -> str:
    try:
        return format_string(text, list(args))
    except CelError as error:
        return f"error: {error}"


@pytest.mark.parametrize(
    ("value", "decimal", "binary", "octal", "low", "high", "string"),
    [
        (255, "255", "11111111", "377", "ff", "FF", "255"),
        (-255, "-255", "-11111111", "-377", "-ff", "-FF", "-255"),
        (Uint(255), "255", "11111111", "377", "ff", "FF", "255"),
        (True, _DECIMAL + "bool", "1", _OCTAL + "bool", _HEX + "bool", _HEX + "bool", "true"),
        ("aé", _DECIMAL + "string", _BINARY + "string", _OCTAL + "string", "61c3a9", "61C3A9", "aé"),
        (b"a\xff", _DECIMAL + "bytes", _BINARY + "bytes", _OCTAL + "bytes", "61ff", "61FF", _UTF8),
        (1.5, _DECIMAL + "double", _BINARY + "double", _OCTAL + "double", _HEX + "double", _HEX + "double", "1.5"),
        (None, _DECIMAL + "null_type", _BINARY + "null_type", _OCTAL + "null_type", _HEX + "null_type", _HEX + "null_type", "null"),
        ([1], _DECIMAL + "list", _BINARY + "list", _OCTAL + "list", _HEX + "list", _HEX + "list", "[1]"),
    ],
)
def test_whole_numbers_and_bytes_have_clauses_of_their_own(
    value: Value, decimal: str, binary: str, octal: str, low: str, high: str, string: str
) -> None:
    found = [said(f"%{clause}", value).removeprefix("error: error during formatting: ") for clause in "dboxXs"]
    assert found == [decimal, binary, octal, low, high, string]


@pytest.mark.parametrize(
    ("value", "fixed", "short", "none", "scientific", "wide", "string"),
    [
        (1234567.891, "1,234,567.891000", "1,234,567.89", "1,234,568", "1.234568×10⁰⁶", " 1.234568×10⁰⁶", "1.234567891e+06"),
        (-1234567.891, "-1,234,567.891000", "-1,234,567.89", "-1,234,568", "-1.234568×10⁰⁶", "-1.234568×10⁰⁶", "-1.234567891e+06"),
        (-0.0, "0.000000", "0.00", "0", "0.000000×10⁰⁰", " 0.000000×10⁰⁰", "-0"),
        (1e-7, "0.000000", "0.00", "0", "1.000000×10⁻⁰⁷", "1.000000×10⁻⁰⁷", "1e-07"),
        (9.9999999, "10.000000", "10.00", "10", "1.000000×10⁰¹", " 1.000000×10⁰¹", "9.9999999"),
        (math.nan, "NaN", "NaN", "NaN", "   NaN", "           NaN", "NaN"),
        (math.inf, "∞", "∞", "∞", "     ∞", "             ∞", "+Inf"),
        (-math.inf, "-∞", "-∞", "-∞", "    -∞", "            -∞", "-Inf"),
        ("NaN", "NaN", "NaN", "NaN", "   NaN", "           NaN", "NaN"),
        ("Infinity", "∞", "∞", "∞", "     ∞", "             ∞", "Infinity"),
        ("-Infinity", "-∞", "-∞", "-∞", "    -∞", "            -∞", "-Infinity"),
    ],
)
def test_doubles_are_printed_for_an_english_reader(
    value: Value, fixed: str, short: str, none: str, scientific: str, wide: str, string: str
) -> None:
    assert [said(clause, value) for clause in ("%f", "%.2f", "%.0f", "%e", "%.14e", "%s")] == [fixed, short, none, scientific, wide, string]


@pytest.mark.parametrize(("value", "name"), [("nan", "string"), (1, "int"), (None, "null_type"), (True, "bool")])
def test_only_doubles_and_their_names_are_printed_as_doubles(value: Value, name: str) -> None:
    assert said("%f", value) == f"error: error during formatting: {_FIXED}{name}"
    assert said("%e", value) == f"error: error during formatting: {_SCIENTIFIC}{name}"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (
            [1, "a", b"a", 1.5, None, True, Uint(2), TypeValue("int"), Duration(10**9), Timestamp(0), [2]],
            '[1, "a", b"a", 1.500000, null, true, 2, int, duration("1s"), timestamp("1970-01-01T00:00:00Z"), [2]]',
        ),
        ([math.nan, math.inf, -math.inf], '["NaN", "+Inf", "-Inf"]'),
        (made(("b", 1), ("a", [made((2, 3))])), '{"a":[{2:3}], "b":1}'),
        (made((Uint(1), 1)), "{1:1}"),
        (made((True, 1)), "{true:1}"),
        (made(), "{}"),
        ([], "[]"),
        (made((1.5, 1)), "error: error during formatting: no formatting function for map key of type double"),
        ([Optional(present=True, value=1)], "error: error during formatting: no formatting function for optional_type"),
        ([QuantityValue(Quantity.parse("1"))], "error: error during formatting: no formatting function for kubernetes.Quantity"),
        ([b"\xff"], f"error: error during formatting: {_UTF8}"),
        (Optional(present=True, value=1), f"error: error during formatting: {_STRING}optional_type"),
        (QuantityValue(Quantity.parse("1")), f"error: error during formatting: {_STRING}kubernetes.Quantity"),
        (TypeValue("int"), "int"),
        (Duration(-1500 * 10**6), "-1.5s"),
        (Timestamp(10**9), "1970-01-01T00:00:01Z"),
        (False, "false"),
    ],
)
def test_what_a_string_clause_prints(value: Any, text: str) -> None:
    assert said("%s", value) == text


@pytest.mark.parametrize(
    ("text", "args", "found"),
    [
        ("", (), ""),
        ("%%", (), "%"),
        ("a%%b", (1.5,), "a%b"),
        ("%d%%", (5,), "5%"),
        ("%", (), "error: index 0 out of range"),
        ("%", (1,), "error: unexpected end of string"),
        ("a%s%", ("b", 1), "error: unexpected end of string"),
        ("%z", (), "error: index 0 out of range"),
        ("%z", (1,), 'error: could not parse formatting clause: unrecognized formatting clause "z"'),
        ("% d", (1,), 'error: could not parse formatting clause: unrecognized formatting clause " "'),
        ("%5d", (1,), 'error: could not parse formatting clause: unrecognized formatting clause "5"'),
        ("%.f", (1.5,), f'error: {_PRECISION}error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax'),
        ("%.", (1.5,), f"error: {_PRECISION}could not find end of precision specifier"),
        ("%.3", (1.5,), f"error: {_PRECISION}could not find end of precision specifier"),
        ("%.2f %d", (1.5,), "error: index 1 out of range"),
        ("%.2f %d", (1234.5, 7), "1,234.50 7"),
        ("%.10f", (0.1,), "0.1000000000"),
        ("%.0000000002f", (0.25,), "0.25"),
        ("%.0f", (7.0,), "7"),
        ("%s%s", ("a", "b"), "ab"),
        ("%s-%s.", ("a", "b"), "a-b."),
        ("%d", (1, 2), "1"),
    ],
)
def test_clauses_take_their_arguments_in_order(text: str, args: tuple[Value, ...], found: str) -> None:
    assert said(text, *args) == found


def test_while_compiling_a_text_that_ends_too_early_is_noticed_before_an_argument_is_missed() -> None:
    found = []
    for text in ("%", "a%", "%s", "a%d", "%%", "%z"):
        try:
            found.append([clause.conversion or clause.text for clause in clauses(text, 0, compiling=True)])
        except CelError as error:
            found.append([str(error)])
    missing, early = ["index 0 out of range"], ["unexpected end of string"]
    assert found == [early, early, missing, missing, ["%"], missing]


def test_a_text_is_filled_in_up_to_the_longest_that_can_be_paid_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "LONGEST_TEXT", 100)
    half = "x" * 50
    assert len(said("%s%s", half, half)) == 100
    assert len(said("%s", [half[:-4], half[:-4]])) == 100
    assert len(said("%.98f", 1.5)) == 100
    too_long: list[tuple[str, Value]] = [("%s%s-", half), ("%s%s%%", half), ("%s%s", [half]), ("%.101f", 1.0), ("%.99f", 1.5)]
    for text, value in too_long:
        with pytest.raises(CostExceededError):
            said(text, value, value)
