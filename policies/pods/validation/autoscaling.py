"""Whether the API server takes a HorizontalPodAutoscaler as an operator makes it of what its users write.

Checked are the replicas, and metrics of the types Pods and Resource. Source: Kubernetes v1.36, pkg/apis/autoscaling/validation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.field_errors import ErrorType, FieldError, invalid_message, value_errors
from policies.fields import amount, items, part, text, whole
from policies.objects import JSONObject, name_of
from policies.schema.names import path_segment

_TARGETS: Final = ("Utilization", "Value", "AverageValue")


def autoscaler_refusal(autoscaler: JSONObject) -> str:
    """The API server's message on the autoscaler; empty where it takes it."""
    errors = list(_errors(part(autoscaler, "spec")))
    return invalid_message("HorizontalPodAutoscaler", "autoscaling", name_of(autoscaler), errors) if errors else ""


def _errors(spec: JSONObject) -> Iterator[FieldError]:
    least, most = whole(spec, "minReplicas"), whole(spec, "maxReplicas")
    if most < 1:
        yield FieldError(ErrorType.INVALID, "spec.maxReplicas", most, "must be greater than 0")
    if most < least:
        yield FieldError(ErrorType.INVALID, "spec.maxReplicas", most, "must be greater than or equal to `minReplicas`")
    for index, metric in enumerate(items(spec, "metrics")):
        path = f"spec.metrics[{index}]"
        if text(metric, "type") == "Pods":
            yield from _pods_errors(part(metric, "pods"), f"{path}.pods")
        else:
            yield from _resource_errors(part(metric, "resource"), f"{path}.resource")


def _pods_errors(pods: JSONObject, path: str) -> Iterator[FieldError]:
    name, target = text(part(pods, "metric"), "name"), part(pods, "target")
    if not name:
        yield FieldError(ErrorType.REQUIRED, f"{path}.metric.name", detail="must specify a metric name")
    yield from value_errors(f"{path}.metric.name", name, path_segment(name))
    yield from _target_errors(target, f"{path}.target")
    if amount(target.get("averageValue")) is None:
        yield FieldError(ErrorType.REQUIRED, f"{path}.target.averageValue", detail="must specify a positive target averageValue")


def _resource_errors(resource: JSONObject, path: str) -> Iterator[FieldError]:
    target = part(resource, "target")
    if not text(resource, "name"):
        yield FieldError(ErrorType.REQUIRED, f"{path}.name", detail="must specify a resource name")
    yield from _target_errors(target, f"{path}.target")
    if "averageUtilization" not in target and amount(target.get("averageValue")) is None:
        detail = "must set either a target raw value or a target utilization"
        yield FieldError(ErrorType.REQUIRED, f"{path}.target.averageUtilization", detail=detail)


def _target_errors(target: JSONObject, path: str) -> Iterator[FieldError]:
    """What is wrong with what a metric is held at."""
    kind, average = text(target, "type"), amount(target.get("averageValue"))
    if not kind:
        yield FieldError(ErrorType.REQUIRED, f"{path}.type", detail="must specify a metric target type")
    if kind not in _TARGETS:
        yield FieldError(ErrorType.INVALID, f"{path}.type", kind, "must be either Utilization, Value, or AverageValue")
    if average is not None and average.sign() <= 0:
        yield FieldError(ErrorType.INVALID, f"{path}.averageValue", str(average), "must be positive")
    if "averageUtilization" in target and whole(target, "averageUtilization") < 1:
        detail = "must be greater than 0"
        yield FieldError(ErrorType.INVALID, f"{path}.averageUtilization", whole(target, "averageUtilization"), detail)
