"""The defaults of the API server for objects that create pods, if an operator leaves fields out.

Source: Kubernetes v1.36, pkg/apis/autoscaling/v2/defaults.go and pkg/apis/apps/v1/defaults.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.fields import amount, items, part
from weighbridge.policies.ground.objects import JSONObject, JSONValue

#: The default metric of a HorizontalPodAutoscaler.
METRIC: Final[JSONObject] = {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}}
#: The default speed of scaling, by direction, if its `behavior` doesn't say.
_RULES: Final[dict[str, JSONObject]] = {
    "scaleUp": {
        "stabilizationWindowSeconds": 0,
        "selectPolicy": "Max",
        "policies": [{"type": "Pods", "value": 4, "periodSeconds": 15}, {"type": "Percent", "value": 100, "periodSeconds": 15}],
    },
    "scaleDown": {"selectPolicy": "Max", "policies": [{"type": "Percent", "value": 100, "periodSeconds": 15}]},
}
_TARGET_AMOUNTS: Final = ("averageValue", "value")
#: The default strategy by which a Deployment replaces its pods.
STRATEGY: Final[JSONObject] = {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "25%", "maxSurge": "25%"}}


def scaler_spec(spec: JSONObject) -> JSONObject:
    """The spec of a HorizontalPodAutoscaler as it is stored: with a metric, and if it has a `behavior`, with both directions in full."""
    behavior = spec.get("behavior")
    found: JSONObject = {**spec, "metrics": [_metric(metric) for metric in items(spec, "metrics")] or [METRIC]}
    if isinstance(behavior, dict):
        found["behavior"] = {direction: {**rules, **_given(behavior.get(direction))} for direction, rules in _RULES.items()}
    return found


def _metric(metric: JSONObject) -> JSONObject:
    """A metric whose target's amounts are in the form in which quantities are printed."""
    out = dict(metric)
    for kind in metric:
        target = part(metric, kind, "target")
        read = {name: found for name in _TARGET_AMOUNTS if (found := amount(target.get(name))) is not None}
        if read:
            out[kind] = {**metric[kind], "target": {**target, **{name: found.canonical() for name, found in read.items()}}}
    return out


def _given(rules: JSONValue) -> JSONObject:
    """The written part of one direction, with its tolerance in the form in which quantities are printed."""
    given = {name: value for name, value in rules.items() if value is not None} if isinstance(rules, dict) else {}
    tolerance = amount(given.get("tolerance"))
    return given if tolerance is None else {**given, "tolerance": tolerance.canonical()}
