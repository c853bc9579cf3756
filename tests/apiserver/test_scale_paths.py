"""The paths of a scale: the values at the path and on the way, and the number of replicas that a Scale can have."""

from __future__ import annotations

from typing import Any

import pytest

from tests.apiserver.probe import request
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.apiserver.refusal import Refusal
from weighbridge.policies.apiserver.scale import decode_scale, validate_scale_spec, validate_scale_status
from weighbridge.policies.ground.objects import FieldValidation, JSONObject, JSONValue

PATHS: JSONObject = {
    "specReplicasPath": ".spec.pool.replicas",
    "statusReplicasPath": ".status.pool.replicas",
    "labelSelectorPath": ".status.pool.selector",
}
MAX = 2**31 - 1
NO_SCALE = 'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"'


@pytest.mark.parametrize(
    ("spec", "bad_value", "detail"),
    [
        ({"pool": {"replicas": -1}}, -1, "should be a non-negative integer"),
        ({"pool": {"replicas": MAX + 1}}, MAX + 1, "should be less than or equal to 2147483647"),
        ({"pool": {"replicas": "2"}}, 0, ".spec.pool.replicas accessor error: 2 is of the type string, expected int64"),
        ({"pool": {"replicas": 1.5}}, 0, ".spec.pool.replicas accessor error: 1.5 is of the type float64, expected int64"),
        ({"pool": {"replicas": True}}, 0, ".spec.pool.replicas accessor error: true is of the type bool, expected int64"),
        ({"pool": {"replicas": None}}, 0, ".spec.pool.replicas accessor error: <nil> is of the type <nil>, expected int64"),
        ({"pool": {"replicas": [1, 2]}}, 0, ".spec.pool.replicas accessor error: [1 2] is of the type []interface {}, expected int64"),
        (
            {"pool": {"replicas": {"a": 1}}}, 0,
            ".spec.pool.replicas accessor error: map[a:1] is of the type map[string]interface {}, expected int64",
        ),
        ({"pool": "x"}, 0, ".spec.pool.replicas accessor error: x is of the type string, expected map[string]interface{}"),
        (["x"], 0, ".spec.pool accessor error: [x] is of the type []interface {}, expected map[string]interface{}"),
    ],
)  # fmt: skip
def test_replicas_that_a_scale_cannot_hold_are_an_error(spec: JSONValue, bad_value: int, detail: str) -> None:
    (error,) = validate_scale_spec({"spec": spec}, PATHS)
    assert (str(error.type), error.field, error.bad_value, error.detail) == ("FieldValueInvalid", ".spec.pool.replicas", bad_value, detail)


@pytest.mark.parametrize("obj", [{}, {"spec": None}, {"spec": {}}, {"spec": {"pool": None}}, {"spec": {"pool": {}}}])
def test_replicas_that_are_not_there_are_no_error(obj: JSONObject) -> None:
    assert validate_scale_spec(obj, PATHS) == []
    assert validate_scale_status({"status": obj.get("spec")}, PATHS) == []


@pytest.mark.parametrize("replicas", [0, 1, MAX])
def test_as_many_replicas_as_fit_32_bits_are_fine(replicas: int) -> None:
    assert validate_scale_spec({"spec": {"pool": {"replicas": replicas}}}, PATHS) == []
    assert validate_scale_status({"status": {"pool": {"replicas": replicas, "selector": "a=b"}}}, PATHS) == []


def test_the_status_is_judged_by_replicas_and_selector() -> None:
    status = {"pool": {"replicas": -1, "selector": 5}}
    assert list(map(str, validate_scale_status({"status": status}, PATHS))) == [
        ".status.pool.replicas: Invalid value: -1: should be a non-negative integer",
        '.status.pool.selector: Invalid value: "": .status.pool.selector accessor error: 5 is of the type int64, expected string',
    ]
    without_selector = {key: path for key, path in PATHS.items() if key != "labelSelectorPath"}
    assert len(validate_scale_status({"status": status}, without_selector)) == 1
    assert validate_scale_spec({"spec": {"pool": {"replicas": -1}}}, None) == []
    assert validate_scale_status({"status": status}, None) == []


def scaled(definition: ResourceDefinition, stored: JSONValue, **parts: Any) -> JSONObject | Refusal:
    body = {"metadata": {"name": "a"}, "spec": {"replicas": 7}} | parts
    asked = request(definition, body, stored, subresource="scale", validation=FieldValidation.STRICT)
    return decode_scale(asked, definition, PATHS, (), [])


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({}, {"pool": {"replicas": 7}}),
        ({"a": 1, "pool": {"b": 2}}, {"a": 1, "pool": {"b": 2, "replicas": 7}}),
        ({"pool": {"replicas": 1}}, {"pool": {"replicas": 7}}),
    ],
)
def test_the_replicas_are_written_at_their_path(probe: ResourceDefinition, spec: JSONObject, expected: JSONObject) -> None:
    found = scaled(probe, {"metadata": {"name": "a", "uid": "u"}, "spec": spec})
    assert found == {"metadata": {"name": "a", "uid": "u"}, "spec": expected}


def test_the_conditions_of_a_scale_go_with_it(probe: ResourceDefinition) -> None:
    metadata = {"name": "a", "uid": "v", "resourceVersion": "5", "labels": {"x": "y"}}
    found = scaled(probe, {"metadata": {"name": "a", "uid": "u", "labels": {}}}, metadata=metadata)
    assert found == {"metadata": {"name": "a", "uid": "v", "resourceVersion": "5", "labels": {}}, "spec": {"pool": {"replicas": 7}}}


@pytest.mark.parametrize(
    ("stored", "code", "message"),
    [
        ({"spec": None}, 500, "value cannot be set because .spec is not a map[string]interface{}"),
        ({"spec": {"pool": None}}, 500, "value cannot be set because .spec.pool is not a map[string]interface{}"),
        ({"spec": {"pool": 1}}, 500, ".spec.pool.replicas accessor error: 1 is of the type int64, expected map[string]interface{}"),
        ({"status": {"pool": {"replicas": 1.5}}}, 500, ".status.pool.replicas accessor error: 1.5 is of the type float64, expected int64"),
        ({"status": {"pool": {"selector": {}}}}, 500, (
            ".status.pool.selector accessor error: map[] is of the type map[string]interface {}, expected string"
        )),
        (None, 404, 'probes.weighbridge.test "a" not found'),
    ],
)  # fmt: skip
def test_what_is_stored_cannot_be_scaled(probe: ResourceDefinition, stored: JSONValue, code: int, message: str) -> None:
    assert scaled(probe, None if stored is None else {"metadata": {"name": "a"}} | stored) == Refusal(code, message)


@pytest.mark.parametrize(("replicas", "uid", "is_refused"), [
    (-(2**31), None, True), (-(2**31), "u", True), (-(2**31), "other", False), (-(2**31) + 1, None, False), (0, None, False),
])  # fmt: skip
def test_the_mark_for_no_replicas_is_refused_for_the_stored_object(
    probe: ResourceDefinition, replicas: int, uid: str | None, is_refused: bool
) -> None:
    metadata = {"name": "a"} if uid is None else {"name": "a", "uid": uid}
    found = scaled(probe, {"metadata": {"name": "a", "uid": "u"}}, metadata=metadata, spec={"replicas": replicas})
    empty = Refusal(400, 'the spec replicas field ".spec.pool.replicas" cannot be empty')
    assert (found == empty) is is_refused
    assert isinstance(found, Refusal) is is_refused


@pytest.mark.parametrize(
    ("parts", "is_scale"),
    [
        ({"spec": {"replicas": MAX}}, True),
        ({"spec": {"replicas": MAX + 1}}, False),
        ({"spec": {"replicas": -(2**31) - 1}}, False),
        ({"spec": {"replicas": 1.0}}, False),
        ({"spec": {"replicas": True}}, False),
        ({"spec": None}, True),
        ({"spec": "x"}, False),
        ({"status": {"replicas": 1, "selector": "a"}}, True),
        ({"status": {"replicas": None, "selector": None}}, True),
        ({"status": {"replicas": "1"}}, False),
        ({"status": {"selector": 1}}, False),
        ({"status": []}, False),
        ({"metadata": {"name": "a", "generation": 1}}, True),
        ({"metadata": {"name": "a", "generation": 1.0}}, False),
        ({"metadata": {"name": "a", "deletionGracePeriodSeconds": 1.0}}, False),
        ({"metadata": "x"}, False),
        ({"metadata": {"name": "a", "labels": 1}}, False),
        ({"metadata": {"name": "a", "zz": 1}}, False),
        ({"spec": {"replicas": 1, "selector": "a"}}, False),
        ({"status": {"zz": 1}}, False),
        ({"zz": 1}, False),
        ({"kind": "Scale", "apiVersion": "autoscaling/v1"}, True),
        ({"kind": "", "apiVersion": ""}, True),
        ({"kind": "scale"}, False),
        ({"kind": "Probe"}, False),
        ({"apiVersion": "autoscaling/v2"}, False),
        ({"apiVersion": 1}, False),
    ],
)
def test_a_body_decodes_into_a_scale_or_not(probe: ResourceDefinition, parts: JSONObject, is_scale: bool) -> None:
    found = scaled(probe, {"metadata": {"name": "a"}}, **parts)
    assert (found != Refusal(400, NO_SCALE)) is is_scale
