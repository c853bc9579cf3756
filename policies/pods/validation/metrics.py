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
from weighbridge.policies.pods.validation.wordings import (
    BOTH_TARGETS_OF_METRIC,
    BOTH_TARGETS_OF_USAGE,
    FURTHER_SOURCE,
    NO_AVERAGE,
    NO_CONTAINER,
    NO_METRIC,
    NO_METRIC_TYPE,
    NO_RESOURCE,
    NO_SOURCE,
    NO_TARGET,
    NO_TARGET_OF_METRIC,
    NO_TARGET_OF_USAGE,
    NO_TARGET_TYPE,
    NOT_ABOVE_ZERO,
    NOT_POSITIVE_TARGET,
    WRONG_TARGET_TYPE,
    no_group_version,
)
from weighbridge.policies.schema.names import dns1123_label, path_segment

_TARGETS: Final = ("Utilization", "Value", "AverageValue")


def metric_errors(metric: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of the type, of the part for that type, and of other parts; of several parts only the first is checked."""
    kind = text(metric, "type")
    if not kind:
        yield FieldError(ErrorType.REQUIRED, f"{path}.type", detail=NO_METRIC_TYPE)
    if kind not in _SOURCES:
        yield unsupported(f"{path}.type", kind, sorted(_SOURCES))
    present = [(field, check) for field, check in _SOURCES.values() if isinstance(metric.get(field), dict)]
    for field, check in present[:1]:
        yield from check(part(metric, field), f"{path}.{field}")
    expected = _SOURCES[kind][0] if kind in _SOURCES else ""
    if expected and expected not in dict(present):
        yield FieldError(ErrorType.REQUIRED, f"{path}.{expected}", detail=NO_SOURCE)
    if len(present) != 1:
        for field, _ in sorted(present):
            if field != expected:
                yield FieldError(ErrorType.FORBIDDEN, f"{path}.{field}", detail=FURTHER_SOURCE)


def _object_errors(source: JSONObject, path: str) -> Iterator[FieldError]:
    described = part(source, "describedObject")
    for field in ("kind", "name"):
        value = text(described, field)
        if not value:
            yield FieldError(ErrorType.REQUIRED, f"{path}.describedObject.{field}")
        yield from value_errors(f"{path}.describedObject.{field}", value, path_segment(value))
    if text(described, "apiVersion").count("/") > 1:
        version = text(described, "apiVersion")
        yield FieldError(ErrorType.INVALID, f"{path}.describedObject.apiVersion", version, no_group_version(version))
    yield from _identifier_errors(source, path)
    if not (_has(source, "value") or _has(source, "averageValue")):
        yield FieldError(ErrorType.REQUIRED, f"{path}.target.averageValue", detail=NO_TARGET)


def _external_errors(source: JSONObject, path: str) -> Iterator[FieldError]:
    yield from _identifier_errors(source, path)
    has_value, has_average = _has(source, "value"), _has(source, "averageValue")
    if not (has_value or has_average):
        yield FieldError(ErrorType.REQUIRED, f"{path}.target.averageValue", detail=NO_TARGET_OF_METRIC)
    if has_value and has_average:
        yield FieldError(ErrorType.FORBIDDEN, f"{path}.target.value", detail=BOTH_TARGETS_OF_METRIC)


def _pods_errors(source: JSONObject, path: str) -> Iterator[FieldError]:
    yield from _identifier_errors(source, path)
    if not _has(source, "averageValue"):
        yield FieldError(ErrorType.REQUIRED, f"{path}.target.averageValue", detail=NO_AVERAGE)


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
        yield FieldError(ErrorType.REQUIRED, f"{path}.container", detail=NO_CONTAINER)
    yield from _usage_errors(source, path)


def _identifier_errors(source: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of the metric's name and of its target."""
    name = text(part(source, "metric"), "name")
    if not name:
        yield FieldError(ErrorType.REQUIRED, f"{path}.metric.name", detail=NO_METRIC)
    yield from value_errors(f"{path}.metric.name", name, path_segment(name))
    yield from _target_errors(part(source, "target"), f"{path}.target")


def _usage_errors(source: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of the target of a resource metric."""
    target = part(source, "target")
    yield from _target_errors(target, f"{path}.target")
    has_share, has_average = "averageUtilization" in target, _has(source, "averageValue")
    if not has_share and not has_average:
        yield FieldError(ErrorType.REQUIRED, f"{path}.target.averageUtilization", detail=NO_TARGET_OF_USAGE)
    if has_share and has_average:
        yield FieldError(ErrorType.FORBIDDEN, f"{path}.target.averageValue", detail=BOTH_TARGETS_OF_USAGE)


def _target_errors(target: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of a metric's target."""
    kind = text(target, "type")
    if not kind:
        yield FieldError(ErrorType.REQUIRED, f"{path}.type", detail=NO_TARGET_TYPE)
    if kind not in _TARGETS:
        yield FieldError(ErrorType.INVALID, f"{path}.type", kind, WRONG_TARGET_TYPE)
    for field in ("value", "averageValue"):
        found = amount(target.get(field))
        if found is not None and found.sign() <= 0:
            yield FieldError(ErrorType.INVALID, f"{path}.{field}", str(found), NOT_POSITIVE_TARGET)
    if "averageUtilization" in target and whole(target, "averageUtilization") < 1:
        share = whole(target, "averageUtilization")
        yield FieldError(ErrorType.INVALID, f"{path}.averageUtilization", share, NOT_ABOVE_ZERO)


def _has(source: JSONObject, field: str) -> bool:
    return amount(part(source, "target").get(field)) is not None


#: For each type of metric the field that has its part, and the check of that part; in the server's order.
_SOURCES: Final[dict[str, tuple[str, Callable[[JSONObject, str], Iterator[FieldError]]]]] = {
    "Object": ("object", _object_errors),
    "External": ("external", _external_errors),
    "Pods": ("pods", _pods_errors),
    "Resource": ("resource", _resource_errors),
    "ContainerResource": ("containerResource", _container_errors),
}
