"""Texts of selectors that are refused before any device is evaluated, with the whole message; and the values that a selector may have."""

from __future__ import annotations

from typing import Any

import pytest

from tests.devices.cluster import device, slice_of
from weighbridge.policies.devices.selectors import Match, Selectors
from weighbridge.policies.devices.slices import read_slice

# The texts are those of 1.36.
pytestmark = pytest.mark.usefixtures("kubernetes_1_36")

BEFORE = "CEL compile error: compilation failed: "
OWN = 'device.attributes["gpu.amd.com"]'


def matched(expression: str, **attributes: Any) -> Match:
    return Selectors().match(expression, read_slice(slice_of([device("gpu-0", **attributes)])).devices[0])


def marked(expression: str, column: int, message: str) -> str:
    """A message with its place in the text, counted from 1."""
    return f"ERROR: <input>:1:{column}: {message}\n | {expression}\n | {'.' * (column - 1)}^"


@pytest.mark.parametrize(
    ("expression", "column", "message"),
    [
        ('device.driver.matches("[")', 23, "invalid matches argument"),
        ('timestamp("x") == timestamp(1)', 11, "invalid timestamp argument"),
        ('duration("5x") == duration("1s")', 10, "invalid duration argument"),
        ('[1, "a"].size() == 2', 5, "expected type 'int' but found 'string'"),
        ('{"a": 1, 2: 1}.size() == 2', 10, "expected type 'string' but found 'int'"),
        ('"%s %d".format([1]) == ""', 15, "index 1 out of range"),
        ("device.nosuch", 7, "undefined field 'nosuch'"),
        ("cel.bind(1, 2, true)", 10, "cel.bind() variable names must be simple identifiers"),
        ("cel.bind(a.b, 2, true)", 11, "cel.bind() variable names must be simple identifiers"),
        ("[cel.bind(1, 2, true)].size() == 1", 11, "cel.bind() variable names must be simple identifiers"),
        ("{1: cel.bind(1, 2, true)}.size() == 1", 14, "cel.bind() variable names must be simple identifiers"),
        ("cel.bind(1, 2, true).b", 10, "cel.bind() variable names must be simple identifiers"),
        ("!cel.bind(1, 2, true)", 11, "cel.bind() variable names must be simple identifiers"),
        ("[1].all(x, cel.bind(1, 2, true))", 21, "cel.bind() variable names must be simple identifiers"),
        (
            f"{OWN}.model.all(c, true)",
            len(OWN) + 1,
            "expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)",
        ),
    ],
)
def test_a_text_is_refused_at_its_place(expression: str, column: int, message: str) -> None:
    assert matched(expression) == Match(holds=False, error=BEFORE + marked(expression, column, message))


def test_every_mistake_of_a_text_is_told() -> None:
    expression = 'timestamp("x") == timestamp("y")'
    places = [marked(expression, column, "invalid timestamp argument") for column in (11, 29)]
    assert matched(expression).error == BEFORE + "\n".join(places)


@pytest.mark.parametrize(
    ("expression", "type_"),
    [
        ("1", "int"),
        ("dyn(true)", "dyn"),
        ('"true"', "string"),
        ("[true]", "list(bool)"),
        ("device", "kubernetes.DRADevice"),
        (OWN, "map(string, google.protobuf.Any)"),
        ("[device.capacity]", "list(map(string, map(string, kubernetes.Quantity)))"),
        ("optional.of(true)", "optional_type(bool)"),
    ],
)
def test_a_selector_is_a_bool_or_an_attribute(expression: str, type_: str) -> None:
    expected = f"CEL compile error: must evaluate to bool or the unknown type, not {type_}"
    assert matched(expression) == Match(holds=False, error=expected)


@pytest.mark.parametrize(
    ("attributes", "type_", "reason"),
    [
        ({"a": "x"}, "string", "unsupported native conversion from string to 'bool'"),
        ({"a": 1}, "int", "unsupported type conversion from 'int' to bool"),
    ],
)
def test_an_attribute_that_is_no_bool_is_an_error_of_the_device(attributes: dict[str, Any], type_: str, reason: str) -> None:
    expected = f"CEL runtime error: CEL result of type {type_} could not be converted to bool: {reason}"
    assert matched(f"{OWN}.a", **attributes) == Match(holds=False, error=expected)


def test_an_attribute_that_is_not_there_is_an_error_of_the_device() -> None:
    assert matched(f"{OWN}.a == 1") == Match(holds=False, error="CEL runtime error: no such key: a")


def test_an_attribute_that_is_a_version_is_no_bool() -> None:
    versioned = device("gpu-0") | {"attributes": {"a": {"version": "1.2.3"}, "b": {"version": "1.2"}}}
    found = read_slice(slice_of([versioned])).devices[0]
    assert Selectors().match("true", found).error.startswith("CEL runtime error: attribute b: parse semantic version: ")
    del versioned["attributes"]["b"]
    found = read_slice(slice_of([versioned])).devices[0]
    expected = "CEL runtime error: CEL result of type kubernetes.Semver could not be converted to bool: "
    assert Selectors().match(f"{OWN}.a", found).error == f"{expected}type conversion error from 'Semver' to 'bool'"


@pytest.mark.parametrize(
    ("expression", "holds"),
    [
        (f"{OWN}.yes", True),
        (f"{OWN}.no", False),
        (f'{OWN}.model.includes("mi300x")', True),
        (f'{OWN}.model.includes("mi210")', False),
        (f'["mi300x"].includes({OWN}.model)', True),
        ('["mi210"].includes("mi300x")', False),
        ('lists.range(48).includes(47) && "a" in ["a"]', True),
        ('"nosuch.x" in device.attributes || "b" in ["a"]', False),
        ('"gpu.amd.com" in device.attributes && "yes" in ' + OWN, True),
        (f'cel.bind(a, {OWN}, a.yes && !a.no && cel.bind(b, a.model, b == "mi300x"))', True),
        (f"[cel.bind(a, {OWN}.yes, a)][0] && cel.bind(a, {{'k': cel.bind(b, true, b)}}, a.k)", True),
        ("[1, 2].exists(x, cel.bind(y, x + 1, y == 3)) && [cel.bind(z, 1, z)].all(x, x == 1)", True),
        ("cel.bind(a, [1, 2], a.map(x, x * 2)) == [2, 4]", True),
    ],
)
def test_a_selector_holds_or_does_not(expression: str, holds: bool) -> None:
    assert matched(expression, yes=True, no=False, model="mi300x") == Match(holds=holds)


def test_a_list_is_only_searched_as_far_as_a_driver_may_fill_it() -> None:
    expected = "CEL runtime error: 'includes' function cannot be applied to lists longer than 48 values"
    assert matched("lists.range(49).includes(47)") == Match(holds=True)
    assert matched("lists.range(49).includes(48)") == Match(holds=False, error=expected)
    assert matched("lists.range(48).includes(48)") == Match(holds=False)
