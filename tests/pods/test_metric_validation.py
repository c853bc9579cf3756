"""The API server's errors on an autoscaler's metrics and on their targets."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.pods.validation.metrics import metric_errors
from weighbridge.policies.schema.names import dns1123_label

LABEL = dns1123_label("_")[0]
NO_TARGET = "target.averageUtilization: Required value: must set either a target raw value or a target utilization"
TWO_TARGETS = "target.averageValue: Forbidden: may not set both a target raw value and a target utilization"
NO_VALUE = "target.averageValue: Required value: must set either a target value or averageValue"
NO_OUTER = "target.averageValue: Required value: must set either a target value for metric or a per-pod target"
TWO_OUTER = "target.value: Forbidden: may not set both a target value for metric and a per-pod target"
NO_AVERAGE = "target.averageValue: Required value: must specify a positive target averageValue"
NO_NAME = "metric.name: Required value: must specify a metric name"
NO_RESOURCE = "name: Required value: must specify a resource name"
NO_TYPE = "type: Required value: must specify a metric target type"
BAD_TYPE = "must be either Utilization, Value, or AverageValue"
KINDS = 'supported values: "ContainerResource", "External", "Object", "Pods", "Resource"'
NOT_THERE = "Required value: must populate information for the given metric source"
ONLY = "Forbidden: must populate the given metric source only"


CPU: JSONObject = {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 1}}
NAMED: JSONObject = {"metric": {"name": "m"}, "target": {"type": "AverageValue", "averageValue": "1"}}
NO_TARGET_AT_ALL = [f"target.{NO_TYPE}", f'target.type: Invalid value: "": {BAD_TYPE}', NO_TARGET]


def of_metric(metric: JSONObject) -> list[str]:
    """The errors on a metric."""
    return [str(error).removeprefix("m.") for error in metric_errors(metric, "m")]


def of_object(source: JSONObject) -> list[str]:
    """The errors on an object metric that is good except for these fields."""
    good = {**NAMED, "describedObject": {"kind": "K", "name": "n"}}
    return [error.removeprefix("object.") for error in of_metric({"type": "Object", "object": {**good, **source}})]


def of_external(source: JSONObject) -> list[str]:
    """The errors on an external metric that is good except for these fields."""
    return [error.removeprefix("external.") for error in of_metric({"type": "External", "external": {**NAMED, **source}})]


def of_pods(source: JSONObject) -> list[str]:
    """The errors on a pods metric that is good except for these fields."""
    return [error.removeprefix("pods.") for error in of_metric({"type": "Pods", "pods": {**NAMED, **source}})]


def of_resource(source: JSONObject) -> list[str]:
    """The errors on the usage of a resource, as a metric of pods or of a container."""
    errors = [error.removeprefix("resource.") for error in of_metric({"type": "Resource", "resource": {**CPU, **source}})]
    of_container = of_metric({"type": "ContainerResource", "containerResource": {**CPU, "container": "c", **source}})
    assert errors == [error.removeprefix("containerResource.") for error in of_container]
    return errors


@pytest.mark.parametrize(
    ("metric", "errors"),
    [
        ({}, ["type: Required value: must specify a metric source type", f'type: Unsupported value: "": {KINDS}']),
        ({"type": "resource"}, [f'type: Unsupported value: "resource": {KINDS}']),
        ({"type": "Resource"}, [f"resource: {NOT_THERE}"]),
        ({"type": "Object"}, [f"object: {NOT_THERE}"]),
        ({"type": "External", "external": None}, [f"external: {NOT_THERE}"]),
        ({"type": "Pods", "pods": []}, [f"pods: {NOT_THERE}"]),
        (
            {"type": "ContainerResource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 1}}},
            [f"containerResource: {NOT_THERE}"],
        ),
        (
            {
                "type": "Resource",
                "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 1}},
                "pods": {"metric": {"name": "m"}, "target": {"type": "AverageValue", "averageValue": "1"}},
            },
            [f"pods: {ONLY}"],
        ),
        (
            {
                "type": "Resource",
                "resource": {},
                "external": {"metric": {"name": "m"}, "target": {"type": "AverageValue", "averageValue": "1"}},
                "containerResource": {},
            },
            [f"containerResource: {ONLY}", f"external: {ONLY}"],
        ),
        (
            {"type": "x", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 1}}},
            [f'type: Unsupported value: "x": {KINDS}'],
        ),
        (
            {
                "type": "x",
                "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 1}},
                "pods": {"metric": {"name": "m"}, "target": {"type": "AverageValue", "averageValue": "1"}},
            },
            [f'type: Unsupported value: "x": {KINDS}', f"pods: {ONLY}", f"resource: {ONLY}"],
        ),
        (
            {
                "type": "External",
                "object": {
                    "describedObject": {"kind": "K"},
                    "metric": {"name": "m"},
                    "target": {"type": "AverageValue", "averageValue": "1"},
                },
                "external": {},
            },
            ["object.describedObject.name: Required value", f"object: {ONLY}"],
        ),
    ],
)
def test_a_metric_has_the_part_of_its_type_alone(metric: JSONObject, errors: list[str]) -> None:
    assert of_metric(metric) == errors


@pytest.mark.parametrize(
    ("source", "errors"),
    [
        ({}, []),
        ({"describedObject": {}}, ["describedObject.kind: Required value", "describedObject.name: Required value"]),
        ({"describedObject": {"kind": "K"}}, ["describedObject.name: Required value"]),
        (
            {"describedObject": {"kind": "a/b", "name": ".."}},
            [
                "describedObject.kind: Invalid value: \"a/b\": may not contain '/'",
                "describedObject.name: Invalid value: \"..\": may not be '..'",
            ],
        ),
        ({"describedObject": {"kind": "K", "name": "n", "apiVersion": "a/v1"}}, []),
        (
            {"describedObject": {"kind": "K", "name": "n", "apiVersion": "a/b/v1"}},
            ['describedObject.apiVersion: Invalid value: "a/b/v1": unexpected GroupVersion string: a/b/v1'],
        ),
        ({"describedObject": {"kind": "K", "name": "n", "apiVersion": "v1"}}, []),
        ({"target": {"type": "Value"}}, [NO_VALUE]),
        ({"target": {"type": "Value", "value": "1"}}, []),
        ({"target": {"type": "Value", "value": "1", "averageValue": "1"}}, []),
        ({"target": {"type": "Utilization", "averageUtilization": 1}}, [NO_VALUE]),
        (
            {"describedObject": {}, "metric": {}, "target": {}},
            [
                "describedObject.kind: Required value",
                "describedObject.name: Required value",
                NO_NAME,
                f"target.{NO_TYPE}",
                f'target.type: Invalid value: "": {BAD_TYPE}',
                NO_VALUE,
            ],
        ),
    ],
)
def test_a_metric_of_an_object_says_of_which(source: JSONObject, errors: list[str]) -> None:
    assert of_object(source) == errors


@pytest.mark.parametrize(
    ("source", "errors"),
    [
        ({}, []),
        ({"target": {"type": "Value"}}, [NO_OUTER]),
        ({"target": {"type": "Value", "value": "1"}}, []),
        ({"target": {"type": "Value", "value": "1", "averageValue": "1"}}, [TWO_OUTER]),
        ({"metric": {}, "target": {}}, [NO_NAME, f"target.{NO_TYPE}", f'target.type: Invalid value: "": {BAD_TYPE}', NO_OUTER]),
        ({"metric": {"name": "a%b"}}, ["metric.name: Invalid value: \"a%b\": may not contain '%'"]),
    ],
)
def test_a_metric_from_outside_has_one_value(source: JSONObject, errors: list[str]) -> None:
    assert of_external(source) == errors


@pytest.mark.parametrize(
    ("source", "errors"),
    [
        ({}, []),
        ({"target": {"type": "Value", "value": "1"}}, [NO_AVERAGE]),
        ({"target": {"type": "AverageValue", "averageValue": "1", "value": "1"}}, []),
        ({"metric": {"name": ""}}, [NO_NAME]),
        ({"metric": {"name": "."}}, ["metric.name: Invalid value: \".\": may not be '.'"]),
        (
            {"metric": {"name": "a/%"}},
            ["metric.name: Invalid value: \"a/%\": may not contain '/'", "metric.name: Invalid value: \"a/%\": may not contain '%'"],
        ),
        ({"metric": None, "target": None}, [NO_NAME, f"target.{NO_TYPE}", f'target.type: Invalid value: "": {BAD_TYPE}', NO_AVERAGE]),
    ],
)
def test_a_metric_of_pods_has_an_average(source: JSONObject, errors: list[str]) -> None:
    assert of_pods(source) == errors


@pytest.mark.parametrize(
    ("source", "errors"),
    [
        ({}, []),
        ({"name": ""}, [NO_RESOURCE]),
        ({"name": "memory"}, []),
        ({"target": {"type": "AverageValue", "averageValue": "1"}}, []),
        ({"target": {"type": "Utilization"}}, [NO_TARGET]),
        ({"target": {"type": "Utilization", "averageUtilization": 1, "averageValue": "1"}}, [TWO_TARGETS]),
        (
            {"target": {"type": "Utilization", "averageUtilization": 0}},
            ["target.averageUtilization: Invalid value: 0: must be greater than 0"],
        ),
        (
            {"target": {"type": "Utilization", "averageUtilization": -1}},
            ["target.averageUtilization: Invalid value: -1: must be greater than 0"],
        ),
        ({"target": {"type": "Value", "value": "1"}}, [NO_TARGET]),
        ({"target": {"averageUtilization": 1}}, [f"target.{NO_TYPE}", f'target.type: Invalid value: "": {BAD_TYPE}']),
        ({"target": {"type": "x", "averageUtilization": 1}}, [f'target.type: Invalid value: "x": {BAD_TYPE}']),
        ({"target": {"type": "Value", "averageUtilization": 1}}, []),
        ({"target": {"type": "Value", "averageUtilization": 1, "value": "1m"}}, []),
        ({"target": {"type": "Value", "averageUtilization": 1, "value": "0"}}, ['target.value: Invalid value: "0": must be positive']),
        ({"target": {"type": "Value", "averageUtilization": 1, "value": "-1"}}, ['target.value: Invalid value: "-1": must be positive']),
        ({"target": {"type": "Value", "averageUtilization": 1, "value": "1n"}}, []),
        ({"target": {"type": "AverageValue", "averageValue": "0"}}, ['target.averageValue: Invalid value: "0": must be positive']),
        ({"target": {"type": "AverageValue", "averageValue": "-1"}}, ['target.averageValue: Invalid value: "-1": must be positive']),
        ({"target": {"type": "AverageValue", "averageValue": "1Gi"}}, []),
        ({"target": {"type": "AverageValue", "averageValue": 1}}, []),
        (
            {"target": {"value": "-1", "averageValue": "-1", "averageUtilization": -1}},
            [
                f"target.{NO_TYPE}",
                f'target.type: Invalid value: "": {BAD_TYPE}',
                'target.value: Invalid value: "-1": must be positive',
                'target.averageValue: Invalid value: "-1": must be positive',
                "target.averageUtilization: Invalid value: -1: must be greater than 0",
                TWO_TARGETS,
            ],
        ),
    ],
)
def test_the_usage_of_a_resource_has_a_share_or_an_average(source: JSONObject, errors: list[str]) -> None:
    assert of_resource(source) == errors


def test_the_usage_of_a_container_says_of_which() -> None:
    def of_container(**source: JSONValue) -> list[str]:
        found = of_metric({"type": "ContainerResource", "containerResource": {**CPU, **source}})
        return [error.removeprefix("containerResource.") for error in found]

    assert of_container(container="c") == []
    assert of_container() == of_container(container="") == ["container: Required value: must specify a container"]
    assert of_container(container="C") == [f'container: Invalid value: "C": {LABEL}']
    assert of_container(container="c", name="example.com/gpu") == []
    assert of_container(container="c", name="pods") == ['name: Invalid value: "pods": must be a standard resource for containers']
    assert of_container(name="", target={}) == [NO_RESOURCE, "container: Required value: must specify a container", *NO_TARGET_AT_ALL]


def test_the_usage_of_pods_may_be_of_anything() -> None:
    assert of_metric({"type": "Resource", "resource": {**CPU, "name": "pods"}}) == []
