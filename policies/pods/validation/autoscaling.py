"""Whether the API server takes a HorizontalPodAutoscaler as an operator makes it of what its users write.

Checked are the replicas, the types of metrics, and what those of the types Pods and Resource have.
Source: Kubernetes v1.36, pkg/apis/autoscaling/validation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.field_errors import ErrorType, FieldError, invalid_message, value_errors
from policies.fields import amount, items, part, text, whole
from policies.objects import JSONObject, name_of
from policies.schema.names import path_segment

#: The types of metrics, with the field that has each.
_SOURCES: Final = {
    "ContainerResource": "containerResource",
    "External": "external",
    "Object": "object",
    "Pods": "pods",
    "Resource": "resource",
}
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
        yield from _metric_errors(metric, f"spec.metrics[{index}]")


def _metric_errors(metric: JSONObject, path: str) -> Iterator[FieldError]:
    """What is wrong with the type of a metric, with what it has beside that, and with its own part."""
    kind = text(metric, "type")
    if not kind:
        yield FieldError(ErrorType.REQUIRED, f"{path}.type", detail="must specify a metric source type")
    if kind not in _SOURCES:
        supported = ", ".join(f'"{name}"' for name in sorted(_SOURCES))
        yield FieldError(ErrorType.NOT_SUPPORTED, f"{path}.type", kind, f"supported values: {supported}")
    if isinstance(metric.get("pods"), dict):
        yield from _pods_errors(part(metric, "pods"), f"{path}.pods")
    if isinstance(metric.get("resource"), dict):
        yield from _resource_errors(part(metric, "resource"), f"{path}.resource")
    expected = _SOURCES.get(kind, "")
    present = [name for name in sorted(_SOURCES.values()) if isinstance(metric.get(name), dict)]
    if expected and expected not in present:
        yield FieldError(ErrorType.REQUIRED, f"{path}.{expected}", detail="must populate information for the given metric source")
    if len(present) != 1:
        for name in present:
            if name != expected:
                yield FieldError(ErrorType.FORBIDDEN, f"{path}.{name}", detail="must populate the given metric source only")


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
