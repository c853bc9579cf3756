"""The API server's errors on the bounds of an autoscaler, and on how fast it scales."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.validation.autoscaler import autoscaler_refusal

# The messages are those of Kubernetes 1.36.
pytestmark = pytest.mark.usefixtures("kubernetes_1_36")

FROM_ZERO = "metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas"
LEAST = "minReplicas: Invalid value: "
MOST = "maxReplicas: Invalid value: "
SELECTED = 'supported values: "Disabled", "Max", "Min"'
POLICIES = 'supported values: "Percent", "Pods"'


REFUSED = 'HorizontalPodAutoscaler.autoscaling "a" is invalid: '
POLICY: JSONObject = {"type": "Pods", "value": 1, "periodSeconds": 1}
EXTERNAL: JSONObject = {"type": "External", "external": {"metric": {"name": "m"}, "target": {"type": "Value", "value": "1"}}}
OBJECT: JSONObject = {"type": "Object", "object": {**EXTERNAL["external"], "describedObject": {"kind": "K", "name": "n"}}}
CPU: JSONObject = {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 1}}}


def of_spec(spec: JSONObject) -> list[str]:
    """The errors on an autoscaler with at most two replicas."""
    message = autoscaler_refusal({"metadata": {"name": "a"}, "spec": {"maxReplicas": 2, **spec}})
    if not message:
        return []
    assert message.startswith(REFUSED)
    return message.removeprefix(REFUSED).removeprefix("[").removesuffix("]").removeprefix("spec.").split(", spec.")


def of_rules(rules: JSONObject) -> list[str]:
    """The errors on the rules for how fast it scales, up or down."""
    up, down = (of_spec({"behavior": {direction: rules}}) for direction in ("scaleUp", "scaleDown"))
    errors = [error.removeprefix("behavior.scaleUp.") for error in up]
    assert errors == [error.removeprefix("behavior.scaleDown.") for error in down]
    return errors


def of_policy(policy: JSONObject) -> list[str]:
    """The errors on the second of two policies, which is good except for these fields."""
    return [error.removeprefix("policies[1].") for error in of_rules({"policies": [POLICY, {**POLICY, **policy}]})]


@pytest.mark.parametrize(
    ("spec", "errors"),
    [
        ({}, []),
        ({"minReplicas": 1}, []),
        ({"minReplicas": 2}, []),
        ({"minReplicas": 3}, [f"{MOST}2: must be greater than or equal to `minReplicas`"]),
        ({"minReplicas": None}, []),
        ({"maxReplicas": 1}, []),
        (
            {"maxReplicas": 0},
            ["maxReplicas: Required value: must be set and greater than 0", f"{MOST}0: must be greater than or equal to `minReplicas`"],
        ),
        (
            {"maxReplicas": -1},
            [f"{MOST}-1: must be greater than or equal to 1", f"{MOST}-1: must be greater than or equal to `minReplicas`"],
        ),
        (
            {"maxReplicas": 0, "minReplicas": 0},
            [f"{LEAST}0: must be greater than or equal to 1", "maxReplicas: Required value: must be set and greater than 0", FROM_ZERO],
        ),
        ({"minReplicas": 0}, [f"{LEAST}0: must be greater than or equal to 1", FROM_ZERO]),
        ({"minReplicas": -1}, [f"{LEAST}-1: must be greater than or equal to 1"]),
        ({"minReplicas": 0, "metrics": []}, [f"{LEAST}0: must be greater than or equal to 1", FROM_ZERO]),
    ],
)
def test_an_autoscaler_has_a_least_and_a_most(spec: JSONObject, errors: list[str]) -> None:
    assert of_spec(spec) == errors


@pytest.mark.parametrize("metric", [OBJECT, EXTERNAL, CPU])
def test_from_zero_it_scales_by_what_is_not_of_pods(metric: JSONObject) -> None:
    least = f"{LEAST}0: must be greater than or equal to 1"
    told = [] if metric["type"] in ("Object", "External") else [FROM_ZERO]
    assert of_spec({"minReplicas": 0, "metrics": [CPU, metric]}) == [least, *told]
    assert of_spec({"minReplicas": 1, "metrics": [CPU, metric]}) == []


def test_each_metric_is_judged_where_it_stands() -> None:
    found = of_spec({"metrics": [CPU, {"type": "Pods"}]})
    assert found == ["metrics[1].pods: Required value: must populate information for the given metric source"]


def test_the_errors_of_an_autoscaler_have_an_order() -> None:
    behavior = {"scaleDown": {"stabilizationWindowSeconds": -1}, "scaleUp": {"stabilizationWindowSeconds": -1}}
    found = of_spec({"behavior": behavior, "metrics": [{"type": "Pods"}], "maxReplicas": -2, "minReplicas": 0})
    window = "stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero"
    assert found == [
        f"{LEAST}0: must be greater than or equal to 1",
        "maxReplicas: Invalid value: -2: must be greater than or equal to 1",
        "maxReplicas: Invalid value: -2: must be greater than or equal to `minReplicas`",
        "metrics[0].pods: Required value: must populate information for the given metric source",
        FROM_ZERO,
        f"behavior.scaleUp.{window}",
        f"behavior.scaleDown.{window}",
    ]


@pytest.mark.parametrize(
    ("rules", "errors"),
    [
        ({}, []),
        ({"stabilizationWindowSeconds": 0}, []),
        ({"stabilizationWindowSeconds": 3600}, []),
        ({"stabilizationWindowSeconds": 3601}, ["stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600"]),
        ({"stabilizationWindowSeconds": -1}, ["stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero"]),
        ({"stabilizationWindowSeconds": None}, []),
        ({"selectPolicy": "Max"}, []),
        ({"selectPolicy": "Min"}, []),
        ({"selectPolicy": "Disabled"}, []),
        ({"selectPolicy": "max"}, [f'selectPolicy: Unsupported value: "max": {SELECTED}']),
        ({"selectPolicy": ""}, [f'selectPolicy: Unsupported value: "": {SELECTED}']),
        ({"selectPolicy": None}, []),
        ({"policies": []}, ["policies: Required value: must specify at least one Policy"]),
        ({"policies": None}, []),
        ({"tolerance": 0}, []),
        ({"tolerance": "0.1"}, []),
        ({"tolerance": None}, []),
        ({"tolerance": -2}, ['tolerance: Invalid value: "-2": must be greater than or equal to 0']),
        ({"tolerance": "-0.0001"}, ['tolerance: Invalid value: "-100u": must be greater than or equal to 0']),
        (
            {"policies": [], "selectPolicy": "x", "stabilizationWindowSeconds": -1},
            [
                "stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero",
                f'selectPolicy: Unsupported value: "x": {SELECTED}',
                "policies: Required value: must specify at least one Policy",
            ],
        ),
    ],
)
def test_an_autoscaler_waits_an_hour_at_most(rules: JSONObject, errors: list[str]) -> None:
    assert of_rules(rules) == errors


@pytest.mark.parametrize(
    ("policy", "errors"),
    [
        ({}, []),
        ({"type": "Percent"}, []),
        ({"type": ""}, [f'type: Unsupported value: "": {POLICIES}']),
        ({"type": "percent"}, [f'type: Unsupported value: "percent": {POLICIES}']),
        ({"value": 0}, ["value: Invalid value: 0: must be greater than zero"]),
        ({"value": -1}, ["value: Invalid value: -1: must be greater than zero"]),
        ({"periodSeconds": 1800}, []),
        ({"periodSeconds": 1801}, ["periodSeconds: Invalid value: 1801: must be less than or equal to 1800"]),
        ({"periodSeconds": 0}, ["periodSeconds: Invalid value: 0: must be greater than zero"]),
        ({"periodSeconds": -1}, ["periodSeconds: Invalid value: -1: must be greater than zero"]),
        (
            {"value": 0, "periodSeconds": 0, "type": "x"},
            [
                f'type: Unsupported value: "x": {POLICIES}',
                "value: Invalid value: 0: must be greater than zero",
                "periodSeconds: Invalid value: 0: must be greater than zero",
            ],
        ),
    ],
)
def test_a_policy_changes_some_replicas_in_some_time(policy: JSONObject, errors: list[str]) -> None:
    assert of_policy(policy) == errors
