"""What the API server fills in of objects that make pods, where an operator leaves it open.

Source: Kubernetes v1.36, pkg/apis/autoscaling/v2/defaults.go and pkg/apis/apps/v1/defaults.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.fields import amount, items, part
from weighbridge.policies.ground.objects import JSONObject, JSONValue

#: The metric of a HorizontalPodAutoscaler that has none.
METRIC: Final[JSONObject] = {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}}
#: How fast it scales, by direction, where its `behavior` leaves that open.
_RULES: Final[dict[str, JSONObject]] = {
    "scaleUp": {
        "stabilizationWindowSeconds": 0,
        "selectPolicy": "Max",
        "policies": [{"type": "Pods", "value": 4, "periodSeconds": 15}, {"type": "Percent", "value": 100, "periodSeconds": 15}],
    },
    "scaleDown": {"selectPolicy": "Max", "policies": [{"type": "Percent", "value": 100, "periodSeconds": 15}]},
}
_TARGET_AMOUNTS: Final = ("averageValue", "value")
#: How a Deployment that doesn't say goes over to a new version of its pod.
STRATEGY: Final[JSONObject] = {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "25%", "maxSurge": "25%"}}


def scaler_spec(spec: JSONObject) -> JSONObject:
    """The spec of a HorizontalPodAutoscaler as it is stored: with a metric, and if it has a `behavior`, with both directions in full."""
    behavior = spec.get("behavior")
    found: JSONObject = {**spec, "metrics": [_metric(metric) for metric in items(spec, "metrics")] or [METRIC]}
    if isinstance(behavior, dict):
        found["behavior"] = {direction: {**rules, **_given(behavior.get(direction))} for direction, rules in _RULES.items()}
    return found


def _metric(metric: JSONObject) -> JSONObject:
    """A metric with the amounts of its target as quantities print."""
    out = dict(metric)
    for kind in metric:
        target = part(metric, kind, "target")
        read = {name: found for name in _TARGET_AMOUNTS if (found := amount(target.get(name))) is not None}
        if read:
            out[kind] = {**metric[kind], "target": {**target, **{name: found.canonical() for name, found in read.items()}}}
    return out


def _given(rules: JSONValue) -> JSONObject:
    """What is written of one direction, its tolerance as quantities print."""
    given = {name: value for name, value in rules.items() if value is not None} if isinstance(rules, dict) else {}
    tolerance = amount(given.get("tolerance"))
    return given if tolerance is None else {**given, "tolerance": tolerance.canonical()}
