"""The CEL of selectors: the fields of a device that it sees, and the effect of errors."""

from __future__ import annotations

import pytest

from tests.devices.cluster import ABORT, answer, claim, device, device_class, gpus, slice_of, wish
from weighbridge.policies.devices import CANNOT_ALLOCATE
from weighbridge.policies.devices.selectors import Selectors
from weighbridge.policies.devices.slices import read_slice

MI300X = device("gpu-0", capacity={"memory": "192Gi"}, model="mi300x", numa=1, healthy=True)
MI300X["attributes"] |= {"driverVersion": {"version": "6.4.1"}, "resource.kubernetes.io/pcieRoot": {"string": "pci0000:00"}}
OWN = 'device.attributes["gpu.amd.com"]'


#: The results of selectors for that device.
OUTCOMES: list[tuple[str, bool | str]] = [
    ('device.driver == "gpu.amd.com"', True),
    (f"{OWN}.healthy", True),
    (f'{OWN}["model"] == "mi300x" && {OWN}.numa > 0', True),
    (f'{OWN}.model == "mi210"', False),
    (f"{OWN}.model == 1", False),
    (f'{OWN}.driverVersion.isGreaterThan(semver("6.4.0"))', True),
    ('device.attributes["resource.kubernetes.io"].pcieRoot == "pci0000:00"', True),
    ('device.capacity["gpu.amd.com"].memory.isGreaterThan(quantity("100Gi"))', True),
    ('"gpu.nvidia.com" in device.attributes', False),
    ('"type" in device.attributes["gpu.nvidia.com"]', False),
    ("has(device.attributes.anything)", True),
    ("device.attributes.size() == 2", True),
    ('device.attributes.exists(domain, domain == "resource.kubernetes.io")', True),
    (f'{OWN}.?model.orValue("") == "mi300x"', True),
    ('device.attributes[?"gpu.nvidia.com"].?type.orValue("none") == "none"', True),
    (f'cel.bind(own, {OWN}, own.healthy && cel.bind(m, own.model, m.startsWith("mi")))', True),
    (f"cel.bind(lazy, {OWN}.nosuch, true)", True),
    ("device.allowMultipleAllocations", False),
    (f"{OWN}.nosuch", "CEL runtime error: no such key: nosuch"),
    ('device.attributes["gpu.nvidia.com"].type == "gpu"', "CEL runtime error: no such key: type"),
    (
        f"{OWN}.model",
        (
            "CEL runtime error: CEL result of type string could not be converted to bool: "
            "unsupported native conversion from string to 'bool'"
        ),
    ),
    ("1", "CEL compile error: must evaluate to bool or the unknown type, not int"),
    ("dyn(true)", "CEL compile error: must evaluate to bool or the unknown type, not dyn"),
    (
        "device.attributes",
        "CEL compile error: must evaluate to bool or the unknown type, not map(string, map(string, google.protobuf.Any))",
    ),
    (
        "lists.range(1500).all(x, lists.range(1500).all(y, y >= 0))",
        "CEL runtime error: operation cancelled: actual cost limit exceeded",
    ),
]
SEEN = [expression for expression, _ in OUTCOMES]


def evaluate(expression: str) -> bool | str:
    found = Selectors().match(expression, read_slice(slice_of([MI300X])).devices[0])
    return found.error or found.holds


@pytest.mark.usefixtures("kubernetes_1_36")
@pytest.mark.parametrize(("expression", "value"), OUTCOMES)
def test_a_selector_sees_what_the_driver_says_of_a_device(expression: str, value: bool | str) -> None:
    assert evaluate(expression) == value


@pytest.mark.usefixtures("kubernetes_1_36")
@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (f"{OWN}.model.exists(c, true)", "expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)"),
        ("device.nosuch", "undefined field 'nosuch'"),
        ("self.x", "undeclared reference to 'self' (in container '')"),
        ("cel.bind(1, 2, true)", "cel.bind() variable names must be simple identifiers"),
    ],
)
def test_a_text_that_is_no_selector_is_refused_with_its_place(expression: str, message: str) -> None:
    found = evaluate(expression)
    assert isinstance(found, str)
    assert found.startswith("CEL compile error: compilation failed: ERROR: <input>:1:")
    assert message in found


def test_an_attribute_of_no_known_kind_is_an_error_of_every_selector() -> None:
    odd = device("odd") | {"attributes": {"names": {"strings": ["a", "b"]}}}
    found = Selectors().match("true", read_slice(slice_of([odd])).devices[0])
    assert found.error == "CEL runtime error: attribute names: unsupported attribute value"


@pytest.mark.usefixtures("kubernetes_1_36")
def test_an_error_of_a_selector_stops_the_scheduling_and_names_its_place() -> None:
    unsafe = 'device.attributes["gpu.amd.com"].nosuch == 1'
    request = {"name": "r0", "exactly": wish(1) | {"selectors": [{"cel": {"expression": "true"}}, {"cel": {"expression": unsafe}}]}}
    eight = slice_of(gpus(8))
    assert answer([eight], claim(request)) == f"{ABORT}claim default/c: selector #1: CEL runtime error: no such key: nosuch"
    in_class = device_class("unsafe", unsafe)
    expected = f"{ABORT}class unsafe: selector #0: CEL runtime error: no such key: nosuch"
    assert answer([eight, in_class], claim(wish(1, "unsafe"))) == expected


def test_from_1_37_on_the_device_is_named_and_what_to_do_about_a_missing_key() -> None:
    request = {"name": "r0", "exactly": wish(1) | {"selectors": [{"cel": {"expression": 'device.attributes["gpu.amd.com"].nosuch == 1'}}]}}
    hint = "consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional fields"
    place = "claim default/c: selector #0 on device gpu.amd.com/n0/gpu-0"
    assert answer([slice_of(gpus(8))], claim(request)) == f"{ABORT}{place}: CEL runtime error: no such key: nosuch. {hint}"


def test_without_devices_there_is_nothing_to_err_on() -> None:
    assert answer([], claim(wish(1, where="device.attributes.nosuch.nosuch"))) == CANNOT_ALLOCATE


def test_a_class_that_is_false_hides_the_claims_error() -> None:
    nvidia = slice_of(gpus(1), driver="gpu.nvidia.com")
    unsafe = wish(1, where='device.attributes["gpu.amd.com"].model == "x"')
    assert answer([nvidia], claim(unsafe)) == CANNOT_ALLOCATE


def test_a_device_that_comes_after_the_solution_is_never_judged() -> None:
    slices = [slice_of([device("good", model="x"), device("bare")])]
    assert answer(slices, claim(wish(1, where=f'{OWN}.model == "x"'))) == ""
    assert "no such key: model" in answer(slices, claim(wish(2, where=f'{OWN}.model == "x"')))
