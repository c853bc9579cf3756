"""Quantities come out as upstream's: every row below was printed by k8s.io/apimachinery v0.36.3, except where a comment says otherwise."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weighbridge.policies.ground.quantity import Format, Quantity, QuantityError

SI, BINARY, EXPONENT = Format.DECIMAL_SI, Format.BINARY_SI, Format.DECIMAL_EXPONENT
FORMAT_WRONG = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
SUFFIX_WRONG = "unable to parse quantity's suffix"
NUMERIC_WRONG = "unable to parse numeric part of quantity"
MOST = 2**63 - 1


@pytest.mark.parametrize(
    ("text", "canonical", "spelled", "value", "milli", "integer"),
    [
        ("0", "0", SI, 0, 0, 0),
        ("-0", "0", SI, 0, 0, 0),
        ("+", "0", SI, 0, 0, 0),
        ("k", "0", SI, 0, 0, 0),
        ("Ki", "0", BINARY, 0, 0, 0),
        ("e5", "0", EXPONENT, 0, 0, 0),
        (".", "0", SI, 0, 0, 0),
        ("+8", "+8", SI, 8, 8000, 8),
        ("007", "007", SI, 7, 7000, 7),
        ("1000", "1k", SI, 1000, 1000000, 1000),
        ("1.", "1.", SI, 1, 1000, 1),
        ("1.0", "1", SI, 1, 1000, None),
        ("-.5", "-500m", SI, -1, -500, None),
        ("1.5", "1500m", SI, 2, 1500, None),
        ("1.500k", "1.500k", SI, 1500, 1500000, 1500),
        ("1000m", "1", SI, 1, 1000, None),
        ("1.5m", "1500u", SI, 1, 2, None),
        ("0.1n", "1n", SI, 1, 1, None),
        ("-0.1n", "-1n", SI, -1, -1, None),
        ("1.0000000001", "1000000001n", SI, 2, 1001, None),
        ("1M", "1M", SI, 10**6, 10**9, 10**6),
        ("1T", "1T", SI, 10**12, 10**15, 10**12),
        ("1P", "1P", SI, 10**15, 10**18, 10**15),
        ("100000000000000000", "100P", SI, 10**17, MOST, 10**17),  # upstream's thousandths wrap
        ("1000000000000000000", "1E", SI, 10**18, MOST, None),  # the same
        ("1000E", "1", SI, MOST, MOST, None),  # both wrap upstream
        ("12345678901234567890", "12345678901234567890", SI, MOST, MOST, None),  # both wrap upstream
        ("9223372036854775807", "9223372036854775807", SI, MOST, MOST, None),  # thousandths wrap
        ("1024Ki", "1Mi", BINARY, 2**20, 2**20 * 1000, 2**20),
        ("1.5Gi", "1536Mi", BINARY, 1536 * 2**20, 1536000 * 2**20, None),
        ("-1.5Gi", "-1536Mi", BINARY, -1536 * 2**20, -1536000 * 2**20, None),
        ("0.0001Ki", "102400u", SI, 1, 103, None),
        ("0.5Ki", "512", BINARY, 512, 512000, None),
        ("1.1Ki", "1126400m", BINARY, 1127, 1126400, None),
        ("7Pi", "7Pi", BINARY, 7 * 2**50, 7000 * 2**50, None),
        ("4Ei", "4Ei", BINARY, 2**62, MOST, None),  # thousandths wrap
        ("8Ei", "9223372036854775807", BINARY, MOST, MOST, None),  # thousandths wrap
        ("1e3", "1e3", EXPONENT, 1000, 1000000, 1000),
        ("1E3", "1E3", EXPONENT, 1000, 1000000, 1000),
        ("1e-3", "1e-3", EXPONENT, 1, 1, None),
        ("15e5", "1500e3", EXPONENT, 1500000, 1500000000, 1500000),
        ("1.5e3", "1500", EXPONENT, 1500, 1500000, 1500),
        ("1e-10", "1e-9", EXPONENT, 1, 1, None),
        ("1e4294967299", "1e4294967299", EXPONENT, 1000, 1000000, 1000),
        ("1e-9223372036854775808", "1e-9223372036854775808", EXPONENT, 1, 1000, 1),
    ],
)
def test_a_text_is_read_and_printed_as_upstream_does(
    text: str,
    canonical: str,
    spelled: Format,
    value: int,
    milli: int,
    integer: int | None,
) -> None:
    quantity = Quantity.parse(text)
    assert (str(quantity), quantity.format, quantity.value(), quantity.milli_value()) == (canonical, spelled, value, milli)
    assert quantity.is_integer() == (integer is not None)
    if integer is not None:
        assert quantity.as_int() == integer
    else:
        with pytest.raises(QuantityError, match=r"^cannot convert value to integer$"):
            quantity.as_int()


@pytest.mark.parametrize(
    ("text", "error"),
    [(text, FORMAT_WRONG) for text in ["", " 1", "1 ", "1\n", "4GB", "4 GB", "two", "1.2.3", "1e1.5", "1_000", "1,5", "\u0663", "NaN"]]
    + [(text, SUFFIX_WRONG) for text in ["1ki", "1K", "--1", "1e", "1E+", "1i", "1+5", "1ke3", "1e9223372036854775808", "1e" + "9" * 9999]]
    + [(text, NUMERIC_WRONG) for text in ["e-10", "Ei", "-Ei", ".Ei"]],
)
def test_a_text_that_is_no_quantity_is_refused_in_upstreams_words(text: str, error: str) -> None:
    with pytest.raises(QuantityError) as refused:
        Quantity.parse(text)
    assert str(refused.value) == error


@pytest.mark.parametrize(
    ("left", "right", "total", "difference", "order"),
    [
        ("1Ki", "5m", "1024005m", "1023995m", 1),
        ("1Gi", "512Mi", "1536Mi", "512Mi", 1),
        ("0", "1Ki", "1Ki", "-1Ki", -1),
        ("0Ki", "1k", "1k", "-1k", -1),
        ("1e3", "1Ki", "2024", "-24", -1),
        ("1Ki", "24", "1048", "1k", 1),
        ("2Ki", "1Ki", "3Ki", "1Ki", 1),
        ("1Gi", "1Gi", "2Gi", "0", 0),
        ("9E", "9E", "18E", "0", 0),
        ("1", "1000E", "1000000000000000000001", "-999999999999999999999", -1),
        ("100000000000Ki", "1m", "102400000000000001m", "102399999999999999m", 1),
        ("-0.1n", "0.1n", "0", "-2n", -1),
        ("8Ei", "8Ei", "18446744073709551614", "0", 0),
        ("1023", "1Ki", "2047", "-1", -1),
    ],
)
def test_sum_difference_and_order_are_upstreams(left: str, right: str, total: str, difference: str, order: int) -> None:
    a, b = Quantity.parse(left), Quantity.parse(right)
    assert (str(a.add(b)), str(a.sub(b)), a.compare(b), b.compare(a)) == (total, difference, order, -order)


@pytest.mark.parametrize(
    ("text", "approximation"),
    [("100n", 1.0000000000000001e-07), ("1E", 1e18), ("1000000000000000000000", 1.0000000000000001e21), ("1e400", float("inf"))],
)
def test_the_approximate_float_is_upstreams_to_the_last_bit(text: str, approximation: float) -> None:
    assert Quantity.parse(text).as_approximate_float() == approximation


def test_equal_amounts_are_one_key_however_they_are_spelled() -> None:
    prices = {Quantity.parse("1k"): "a", Quantity.parse("1Gi"): "b"}
    assert prices[Quantity.parse("1000")] == prices[Quantity.parse("1e3")] == "a"
    assert prices[Quantity.parse("1024Mi")] == "b"
    assert Quantity.parse("1G") not in prices
    assert Quantity.parse("1") != 1


def test_a_sum_beyond_int64_is_no_integer_any_more() -> None:
    most = Quantity.from_int(MOST)
    assert most.as_int() == MOST
    assert not most.add(Quantity.from_int(1)).is_integer()
    assert most.sub(Quantity.from_int(1, EXPONENT)).as_int() == MOST - 1


# With some of these upstream computes until it runs out of memory.
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e2147483647", MOST),
        ("-1e2147483647", -MOST - 1),
        ("1e-2147483647", 1),
        ("0e2147483647", 0),
        ("9" * 20000, MOST),
        ("." + "9" * 20000 + "Ei", 2**60),
        ("9" * 20 + "e2147483647", MOST),
        ("0." + "0" * 20000 + "1Ki", 1),
    ],
    ids=lambda parameter: str(parameter)[:24],
)
def test_vast_exponents_and_long_texts_are_answered(text: str, value: int) -> None:
    quantity = Quantity.parse(text)
    assert quantity.value() == value
    assert quantity.compare(Quantity.parse("0")) == quantity.sign() == (value > 0) - (value < 0)
    assert quantity.neg().neg() == quantity
    assert hash(quantity.neg().neg()) == hash(quantity)
    assert str(quantity)


def test_a_sum_too_long_to_hold_is_refused() -> None:
    with pytest.raises(QuantityError, match="too many digits"):
        Quantity.parse("1e2147483647").add(Quantity.parse("1"))


def test_the_conformance_probes_agree(shared: Path) -> None:
    probes = json.loads((shared / "conformance" / "probe_exprs.json").read_text())["cases"]
    verdicts = {}
    for probe in probes:
        asked = re.fullmatch(r"isQuantity\('(.*)'\)", probe["expr"])
        if asked:
            try:
                Quantity.parse(asked[1])
                verdicts[asked[1]] = (True, probe["value"]["bool"])
            except QuantityError:
                verdicts[asked[1]] = (False, probe["value"]["bool"])
    assert len(verdicts) >= 5
    assert {text for text, (ours, upstream) in verdicts.items() if ours != upstream} == set()


SUFFIXES = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18, "e4": 4, "E-2": -2}
texts = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["", "+", "-"]),
        st.from_regex(r"[0-9]{1,25}(\.[0-9]{0,6})?", fullmatch=True),
        st.sampled_from([*SUFFIXES, "Ki", "Mi", "Ti"]),
    ),
)
quantities = texts.map(Quantity.parse)


@given(number=st.from_regex(r"-?[0-9]{1,20}(\.[0-9]{0,3})?", fullmatch=True), suffix=st.sampled_from(sorted(SUFFIXES)))
def test_a_decimal_amount_is_its_number_times_the_suffix(number: str, suffix: str) -> None:
    amount = Decimal(number).scaleb(SUFFIXES[suffix])
    expected = Quantity.parse(f"{amount:f}")
    assert Quantity.parse(number + suffix) == expected


@given(left=quantities, right=quantities, third=quantities)
def test_addition_is_exact(left: Quantity, right: Quantity, third: Quantity) -> None:
    assert left.add(right) == right.add(left)
    assert left.add(right).add(third) == left.add(right.add(third))
    assert left.add(right).sub(right) == left
    assert left.sub(right).sign() == left.compare(right)
    assert left.neg() == Quantity.parse("0").sub(left)
    assert left.sub(left).is_zero()


@given(quantity=quantities)
def test_the_canonical_text_is_read_back_as_the_same_amount(quantity: Quantity) -> None:
    if abs(quantity.value()) < MOST:
        again = Quantity.parse(str(quantity))
        assert again == quantity
        assert hash(again) == hash(quantity)


@given(text=st.text(alphabet="0123456789.+-eEinumkKMGTP x\u0663", max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        quantity = Quantity.parse(text)
    except QuantityError as refusal:
        said = str(refusal)
    else:
        said = ""
        assert quantity.sub(quantity).is_zero()
    assert said in {"", FORMAT_WRONG, SUFFIX_WRONG, NUMERIC_WRONG}
