"""Where a quantity changes its form or its suffix; every row was printed by k8s.io/apimachinery v0.36.3, except what wraps there."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.quantity import Format, Quantity, QuantityError, must_parse_panic

SI, BINARY, EXPONENT = Format.DECIMAL_SI, Format.BINARY_SI, Format.DECIMAL_EXPONENT
MOST = 2**63 - 1


@pytest.mark.parametrize(
    ("text", "canonical", "negated", "value", "milli", "integer", "approximation"),
    [
        ("12345678901Ki", "12345678901Ki", "-12345678901Ki", 12641975194624, 12641975194624000, True, 12641975194624.0),
        ("123456789012Ki", "123456789012Ki", "-123456789012Ki", 126419751948288, 126419751948288000, False, 126419751948288.0),
        ("12345678Mi", "12345678Mi", "-12345678Mi", 12945381654528, 12945381654528000, True, 12945381654528.0),
        ("123456789Mi", "123456789Mi", "-123456789Mi", 129453825982464, 129453825982464000, False, 129453825982464.02),
        ("12345Gi", "12345Gi", "-12345Gi", 13255342817280, 13255342817280000, True, 13255342817280.0),
        ("123456Gi", "123456Gi", "-123456Gi", 132559870623744, 132559870623744000, False, 132559870623744.02),
        ("99Ti", "99Ti", "-99Ti", 108851651149824, 108851651149824000, True, 108851651149824.0),
        ("100Ti", "100Ti", "-100Ti", 109951162777600, 109951162777600000, False, 109951162777600.0),
        ("1Pi", "1Pi", "-1Pi", 1125899906842624, 1125899906842624000, False, 1125899906842624.0),
        ("0Ei", "0", "0", 0, 0, False, 0.0),
        ("1.0Ki", "1Ki", "-1Ki", 1024, 1024000, False, 1024.0),
        ("999999999999999999", "999999999999999999", "-999999999999999999", 999999999999999999, MOST, True, 1e18),
        ("99999999999999999.9", "99999999999999999900m", "-99999999999999999900m", 10**17, MOST, False, 1e17),
        ("+9Ki", "+9Ki", "-9Ki", 9216, 9216000, True, 9216.0),
        ("+8Ki", "8Ki", "-8Ki", 8192, 8192000, True, 8192.0),
        ("09Ki", "09Ki", "-9Ki", 9216, 9216000, True, 9216.0),
        ("999999999999999999n", "999999999999999999n", "-999999999999999999n", 10**9, 10**12, False, 1000000000.0000001),
        ("1n", "1n", "-1n", 1, 1, False, 1e-9),
        ("0.000000001", "1n", "-1n", 1, 1, False, 1e-9),
        ("1.5e-9", "2e-9", "-2e-9", 1, 1, False, 2e-9),
        ("3e-9", "3e-9", "-3e-9", 1, 1, False, 3.0000000000000004e-9),
        ("1e-33", "1e-9", "-1e-9", 1, 1, False, 1e-9),
        ("1001m", "1001m", "-1001m", 2, 1001, False, 1.0010000000000001),
        ("2000m", "2", "-2", 2, 2000, False, 2.0),
        ("-1999m", "-1999m", "1999m", -2, -1999, False, -1.999),
        ("1e1", "10", "-10", 10, 10000, True, 10.0),
        ("1e4", "10e3", "-10e3", 10**4, 10**7, True, 1e4),
        ("1e5", "100e3", "-100e3", 10**5, 10**8, True, 1e5),
        ("1e6", "1e6", "-1e6", 10**6, 10**9, True, 1e6),
        ("10000k", "10M", "-10M", 10**7, 10**10, True, 1e7),
        ("1023", "1023", "-1023", 1023, 1023000, True, 1023.0),
        ("1025Ki", "1025Ki", "-1025Ki", 1049600, 1049600000, True, 1049600.0),
        ("1048576Ki", "1Gi", "-1Gi", 2**30, 1000 * 2**30, True, 1073741824.0),
        ("1047552Ki", "1023Mi", "-1023Mi", 1023 * 2**20, 1023000 * 2**20, True, 1072693248.0),
        ("1536Ki", "1536Ki", "-1536Ki", 1572864, 1572864000, True, 1572864.0),
        ("1.5Ki", "1536", "-1536", 1536, 1536000, False, 1536.0),
        ("2500000u", "2500m", "-2500m", 3, 2500, False, 2.5),
        ("1234567n", "1234567n", "-1234567n", 1, 2, False, 0.001234567),
        ("1.5k", "1500", "-1500", 1500, 1500000, True, 1500.0),
        ("1.25M", "1250k", "-1250k", 1250000, 1250000000, True, 1250000.0),
        ("1.5E", "1500P", "-1500P", 15 * 10**17, MOST, True, 1.5e18),
        ("1.00000000000000001E", "1000000000000000010", "-1000000000000000010", 10**18 + 10, MOST, True, 1e18),
        ("1.000000000000000001E", "1000000000000000001", "-1000000000000000001", 10**18 + 1, MOST, False, 1.0000000000000001e18),
        ("12E", "12E", "-12E", MOST, MOST, False, 1.2e19),
        ("12345E", "12345E", "-12345E", MOST, MOST, False, 1.2345e22),
        ("1e31", "10e30", "-10e30", MOST, MOST, False, 1e31),
        ("1e32", "100e30", "-100e30", MOST, MOST, False, 1e32),
        ("123e30", "123e30", "-123e30", MOST, MOST, False, 1.23e32),
        ("1e33", "1e33", "-1e33", MOST, MOST, False, 1.0000000000000001e33),
        ("1e64", "10e63", "-10e63", MOST, MOST, False, 1e64),
        ("1e308", "100e306", "-100e306", MOST, MOST, False, 1e308),
        ("1e309", "1e309", "-1e309", MOST, MOST, False, float("inf")),
    ],
)
def test_an_amount_is_read_and_printed_at_the_bounds_of_its_forms(
    text: str, canonical: str, negated: str, value: int, milli: int, integer: bool, approximation: float
) -> None:
    quantity = Quantity.parse(text)
    assert (str(quantity), str(quantity.neg())) == (canonical, negated)
    assert (quantity.value(), quantity.milli_value(), quantity.is_integer()) == (value, milli, integer)
    assert quantity.as_approximate_float() == approximation


@pytest.mark.parametrize(
    ("left", "right", "total", "difference", "spelled", "integers"),
    [
        ("1k", "1", "1001", "999", SI, (True, True)),
        ("1Ki", "1", "1025", "1023", BINARY, (True, True)),
        ("1m", "1u", "1001u", "999u", SI, (False, False)),
        ("9223372036854775807", "1", "9223372036854775808", "9223372036854775806", SI, (False, False)),
        ("922337203685477580", "1", "922337203685477581", "922337203685477579", SI, (True, True)),
        ("9223372036854776", "1m", "9223372036854776001m", "9223372036854775999m", SI, (False, False)),
        ("0", "1Ki", "1Ki", "-1Ki", BINARY, (True, True)),
        ("1", "0Ki", "1", "1", SI, (True, True)),
        ("1", "0Ei", "1", "1", SI, (False, False)),
        ("1E", "1n", "1000000000000000000000000001n", "999999999999999999999999999n", SI, (False, False)),
        ("1k", "0", "1k", "1k", SI, (True, True)),
        ("0m", "1e3", "1e3", "-1e3", EXPONENT, (True, True)),
        ("1", "-1", "0", "2", SI, (True, True)),
        ("1Ki", "-1Ki", "0", "2Ki", BINARY, (True, True)),
        ("1e3", "1e3", "2e3", "0", EXPONENT, (True, True)),
        ("100", "1e-9", "100000000001n", "99999999999n", SI, (False, False)),
    ],
)
def test_a_sum_keeps_the_spelling_and_the_form_while_it_fits(
    left: str, right: str, total: str, difference: str, spelled: Format, integers: tuple[bool, bool]
) -> None:
    a, b = Quantity.parse(left), Quantity.parse(right)
    added, taken = a.add(b), a.sub(b)
    assert (str(added), str(taken)) == (total, difference)
    assert added.format is taken.format is spelled
    assert (added.is_integer(), taken.is_integer()) == integers


def test_a_sum_may_have_ten_thousand_digits() -> None:
    one = Quantity.parse("1")
    assert Quantity.parse("1e9999").add(one).sub(one) == Quantity.parse("1e9999")
    with pytest.raises(QuantityError, match=r"^the sum of the quantities has too many digits$"):
        Quantity.parse("1e10000").add(one)


@pytest.mark.parametrize("value", [-(2**63) - 1, -(2**63), 2**63 - 1, 2**63])
def test_a_whole_number_is_an_integer_as_far_as_64_bits_hold_it(value: int) -> None:
    quantity = Quantity.from_int(value)
    assert quantity.is_integer() == (-(2**63) <= value < 2**63)
    assert (quantity.value(), quantity.sign()) == (max(min(value, MOST), -MOST - 1), 1 if value > 0 else -1)
    assert str(quantity) == str(value)


def test_quantities_print_themselves_and_are_unlike_anything_else() -> None:
    assert repr(Quantity.parse("1500m")) == "Quantity('1500m')"
    assert Quantity.parse("1").__eq__(1) is NotImplemented
    assert (Quantity.parse("0").is_zero(), Quantity.parse("1n").is_zero()) == (True, False)
    assert (Quantity.parse("-0").sign(), Quantity.parse("0Ki").neg().sign()) == (0, 0)


def test_must_parse_panics_in_its_own_words() -> None:
    assert must_parse_panic("1Gi") == ""
    assert must_parse_panic("1GB") == (
        "cannot parse '1GB': quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
    )
