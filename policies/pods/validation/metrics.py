"""The API server's checks of a metric of a HorizontalPodAutoscaler.

Source: Kubernetes v1.36.3, pkg/apis/autoscaling/validation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from weighbridge.policies.ground.field_errors import ErrorType, FieldError, unsupported, value_errors
from weighbridge.policies.ground.fields import amount, part, text, whole
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.validation.resources import container_resource_name
from weighbridge.policies.pods.validation.wordings import NO_RESOURCE, NOT_ABOVE_ZERO
from weighbridge.policies.schema.names import dns1123_label, path_segment

_TARGETS: Final = ("Utilization", "Value", "AverageValue")


def metric_errors(metric: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of the type, of the part for that type, and of other parts; of several parts only the first is checked."""
    kind = text(metric, "type")
    if not kind:
        yield FieldError(ErrorType.REQUIRED, f"{path}.type", detail="must specify a metric source type")
    if kind not in _SOURCES:
        yield unsupported(f"{path}.type", kind, sorted(_SOURCES))
    present = [(field, check) for field, check in _SOURCES.values() if isinstance(metric.get(field), dict)]
    for field, check in present[:1]:
        yield from check(part(metric, field), f"{path}.{field}")
    expected = _SOURCES[kind][0] if kind in _SOURCES else ""
    if expected and expected not in dict(present):
        yield FieldError(ErrorType.REQUIRED, f"{path}.{expected}", detail="must populate information for the given metric source")
    if len(present) != 1:
        for field, _ in sorted(present):
            if field != expected:
                yield FieldError(ErrorType.FORBIDDEN, f"{path}.{field}", detail="must populate the given metric source only")


def _object_errors(source: JSONObject, path: str) -> Iterator[FieldError]:
    described = part(source, "describedObject")
    for field in ("kind", "name"):
        value = text(described, field)
        if not value:
            yield FieldError(ErrorType.REQUIRED, f"{path}.describedObject.{field}")
        yield from value_errors(f"{path}.describedObject.{field}", value, path_segment(value))
    if text(described, "apiVersion").count("/") > 1:
        version = text(described, "apiVersion")
        yield FieldError(ErrorType.INVALID, f"{path}.describedObject.apiVersion", version, f"unexpected GroupVersion string: {version}")
    yield from _identifier_errors(source, path)
    if not (_has(source, "value") or _has(source, "averageValue")):
        yield FieldError(ErrorType.REQUIRED, f"{path}.target.averageValue", detail="must set either a target value or averageValue")


def _external_errors(source: JSONObject, path: str) -> Iterator[FieldError]:
    yield from _identifier_errors(source, path)
    has_value, has_average = _has(source, "value"), _has(source, "averageValue")
    if not (has_value or has_average):
        detail = "must set either a target value for metric or a per-pod target"
        yield FieldError(ErrorType.REQUIRED, f"{path}.target.averageValue", detail=detail)
    if has_value and has_average:
        detail = "may not set both a target value for metric and a per-pod target"
        yield FieldError(ErrorType.FORBIDDEN, f"{path}.target.value", detail=detail)


def _pods_errors(source: JSONObject, path: str) -> Iterator[FieldError]:
    yield from _identifier_errors(source, path)
    if not _has(source, "averageValue"):
        yield FieldError(ErrorType.REQUIRED, f"{path}.target.averageValue", detail="must specify a positive target averageValue")


def _resource_errors(source: JSONObject, path: str) -> Iterator[FieldError]:
    if not text(source, "name"):
        yield FieldError(ErrorType.REQUIRED, f"{path}.name", detail=NO_RESOURCE)
    yield from _usage_errors(source, path)


def _container_errors(source: JSONObject, path: str) -> Iterator[FieldError]:
    name, container = text(source, "name"), text(source, "container")
    if name:
        yield from container_resource_name(name, f"{path}.name")
    else:
        yield FieldError(ErrorType.REQUIRED, f"{path}.name", detail=NO_RESOURCE)
    if container:
        yield from value_errors(f"{path}.container", container, dns1123_label(container))
    else:
        yield FieldError(ErrorType.REQUIRED, f"{path}.container", detail="must specify a container")
    yield from _usage_errors(source, path)


def _identifier_errors(source: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of the metric's name and of its target."""
    name = text(part(source, "metric"), "name")
    if not name:
        yield FieldError(ErrorType.REQUIRED, f"{path}.metric.name", detail="must specify a metric name")
    yield from value_errors(f"{path}.metric.name", name, path_segment(name))
    yield from _target_errors(part(source, "target"), f"{path}.target")


def _usage_errors(source: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of the target of a resource metric."""
    target = part(source, "target")
    yield from _target_errors(target, f"{path}.target")
    has_share, has_average = "averageUtilization" in target, _has(source, "averageValue")
    if not has_share and not has_average:
        detail = "must set either a target raw value or a target utilization"
        yield FieldError(ErrorType.REQUIRED, f"{path}.target.averageUtilization", detail=detail)
    if has_share and has_average:
        detail = "may not set both a target raw value and a target utilization"
        yield FieldError(ErrorType.FORBIDDEN, f"{path}.target.averageValue", detail=detail)


def _target_errors(target: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of a metric's target."""
    kind = text(target, "type")
    if not kind:
        yield FieldError(ErrorType.REQUIRED, f"{path}.type", detail="must specify a metric target type")
    if kind not in _TARGETS:
        yield FieldError(ErrorType.INVALID, f"{path}.type", kind, "must be either Utilization, Value, or AverageValue")
    for field in ("value", "averageValue"):
        found = amount(target.get(field))
        if found is not None and found.sign() <= 0:
            yield FieldError(ErrorType.INVALID, f"{path}.{field}", str(found), "must be positive")
    if "averageUtilization" in target and whole(target, "averageUtilization") < 1:
        share = whole(target, "averageUtilization")
        yield FieldError(ErrorType.INVALID, f"{path}.averageUtilization", share, NOT_ABOVE_ZERO)


def _has(source: JSONObject, field: str) -> bool:
    return amount(part(source, "target").get(field)) is not None


#: By type, the field that has its part, and the check of that part; in the server's order.
_SOURCES: Final[dict[str, tuple[str, Callable[[JSONObject, str], Iterator[FieldError]]]]] = {
    "Object": ("object", _object_errors),
    "External": ("external", _external_errors),
    "Pods": ("pods", _pods_errors),
    "Resource": ("resource", _resource_errors),
    "ContainerResource": ("containerResource", _container_errors),
}
