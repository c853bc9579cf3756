"""How claims and devices are read: the drivers' reports on allocated devices, and attributes without a usable value."""

from __future__ import annotations

import pytest

from tests.devices.cluster import claim, slice_of, wish
from weighbridge.policies.cel.values.values import CelError
from weighbridge.policies.devices.claims import read_claim
from weighbridge.policies.devices.device_values import device_value
from weighbridge.policies.devices.slices import read_slice
from weighbridge.policies.ground.objects import JSONObject

PLACE: JSONObject = {"driver": "gpu.amd.com", "pool": "n0", "device": "gpu-0"}
BAD: JSONObject = {"conditions": [{"type": "bad", "status": "True"}]}


@pytest.mark.parametrize(
    ("result", "reports", "failed"),
    [
        ({}, [{**PLACE, **BAD}], True),
        ({}, [], False),
        ({}, [{**PLACE, "conditions": [{"type": "bad", "status": "False"}]}], False),
        ({}, [{**PLACE, "conditions": [{"type": "ok", "status": "True"}]}], False),
        ({}, [{**PLACE, "device": "gpu-1", **BAD}], False),
        ({}, [{**PLACE, "pool": "n1", **BAD}], False),
        ({}, [{**PLACE, "driver": "x", **BAD}], False),
        ({}, [{**PLACE, "device": "gpu-1"}, {**PLACE, **BAD}], True),
        ({"shareID": "a"}, [{**PLACE, "shareID": "a", **BAD}], True),
        ({"shareID": "a"}, [{**PLACE, "shareID": "b", **BAD}], False),
        ({"shareID": "a"}, [{**PLACE, "shareID": "b"}, {**PLACE, "shareID": "a", **BAD}], True),
        ({"bindingConditions": []}, [{**PLACE, **BAD}], False),
    ],
)
def test_the_report_on_a_device_and_share_says_if_binding_failed(result: JSONObject, reports: list[JSONObject], failed: bool) -> None:
    given = {**PLACE, "bindingConditions": ["ok"], "bindingFailureConditions": ["bad"], **result}
    read = read_claim(claim(wish(1), allocation={"devices": {"results": [given]}}, devices=reports))
    assert read.allocation is not None
    assert [device.binding_has_failed for device in read.allocation.devices] == [failed]


@pytest.mark.parametrize(
    ("attribute", "error"),
    [
        ({"version": "1.2.3"}, ""),
        ({"version": "1.2"}, "attribute a: parse semantic version: No Major.Minor.Patch elements found"),
        ({"int": 1}, ""),
        ({"int": True}, "attribute a: unsupported attribute value"),
        ({"bool": False}, ""),
        ({"bool": 1}, "attribute a: unsupported attribute value"),
        ({"string": ""}, ""),
        ({"list": [1]}, "attribute a: unsupported attribute value"),
        ({}, "attribute a: unsupported attribute value"),
    ],
)
def test_an_attribute_has_one_value_of_a_known_kind(attribute: JSONObject, error: str) -> None:
    (device,) = read_slice(slice_of([{"name": "d", "attributes": {"a": attribute}}])).devices
    told = ""
    try:
        device_value(device)
    except CelError as raised:
        told = str(raised)
    assert told == error
