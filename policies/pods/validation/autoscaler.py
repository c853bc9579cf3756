"""Checks whether the API server accepts a HorizontalPodAutoscaler that an operator creates from its users' values.

The reference to the scaled object isn't checked, since operators write it correctly.
Source: Kubernetes v1.37.2, pkg/apis/autoscaling/validation and v2/zz_generated.validations.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.field_errors import (
    NEGATIVE,
    NOT_POSITIVE,
    ErrorType,
    FieldError,
    invalid_message,
    unsupported,
    value_errors,
)
from weighbridge.policies.ground.fields import amount, items, part, text, whole
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.pods.validation.metrics import metric_errors
from weighbridge.policies.pods.validation.wordings import (
    BELOW_MINIMUM,
    NO_MAXIMUM,
    NO_POLICY,
    NOT_ABOVE_ZERO,
    NOTHING_FROM_ZERO,
    above,
    below,
)

_MOST_WINDOW_SECONDS: Final = 3600
_MOST_PERIOD_SECONDS: Final = 1800
_SELECTIONS: Final = ("Disabled", "Max", "Min")
_POLICIES: Final = ("Percent", "Pods")
#: The types of metrics that can scale up from zero.
_FROM_ZERO: Final = ("Object", "External")


def autoscaler_refusal(autoscaler: JSONObject) -> str:
    """The API server's message on the autoscaler; empty if it accepts it."""
    errors = list(autoscaler_errors(autoscaler))
    return invalid_message("HorizontalPodAutoscaler", "autoscaling", name_of(autoscaler), errors) if errors else ""


def autoscaler_errors(autoscaler: JSONObject) -> Iterator[FieldError]:
    """The API server's errors of the autoscaler, field by field."""
    spec = part(autoscaler, "spec")
    least, most = whole(spec, "minReplicas", 1), whole(spec, "maxReplicas")
    bounds = list(_bound_errors(least, most))
    if not release().scales_to_zero:
        yield from bounds
    if most < least:
        yield FieldError(ErrorType.INVALID, "spec.maxReplicas", most, BELOW_MINIMUM)
    metrics = items(spec, "metrics")
    for index, metric in enumerate(metrics):
        yield from metric_errors(metric, f"spec.metrics[{index}]")
    if least == 0 and not any(text(metric, "type") in _FROM_ZERO for metric in metrics):
        yield FieldError(ErrorType.FORBIDDEN, "spec.metrics", detail=NOTHING_FROM_ZERO)
    for direction in ("scaleUp", "scaleDown"):
        rules = part(spec, "behavior").get(direction)
        if isinstance(rules, dict):
            yield from _rules_errors(rules, f"spec.behavior.{direction}")
    if release().scales_to_zero:
        yield from bounds


def _bound_errors(least: int, most: int) -> Iterator[FieldError]:
    """The errors of the bounds of the replicas, each by itself."""
    bound = 0 if release().scales_to_zero else 1
    if least < bound:
        yield FieldError(ErrorType.INVALID, "spec.minReplicas", least, below(bound))
    if most < 1 and not release().words_missing_maximum:
        yield FieldError(ErrorType.INVALID, "spec.maxReplicas", most, NOT_ABOVE_ZERO)
    elif most == 0:
        yield FieldError(ErrorType.REQUIRED, "spec.maxReplicas", detail="" if release().scales_to_zero else NO_MAXIMUM)
    elif most < 0:
        yield FieldError(ErrorType.INVALID, "spec.maxReplicas", most, below(1))


def _rules_errors(rules: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of the speed of scaling in one direction."""
    window = whole(rules, "stabilizationWindowSeconds")
    if window < 0:
        yield FieldError(ErrorType.INVALID, f"{path}.stabilizationWindowSeconds", window, below("zero"))
    if window > _MOST_WINDOW_SECONDS:
        yield FieldError(ErrorType.INVALID, f"{path}.stabilizationWindowSeconds", window, above(_MOST_WINDOW_SECONDS))
    selected = rules.get("selectPolicy")
    if isinstance(selected, str) and selected not in _SELECTIONS:
        yield unsupported(f"{path}.selectPolicy", selected, _SELECTIONS)
    policies = rules.get("policies")
    if isinstance(policies, list) and not policies:
        yield FieldError(ErrorType.REQUIRED, f"{path}.policies", detail=NO_POLICY)
    for index, policy in enumerate(items(rules, "policies")):
        yield from _policy_errors(policy, f"{path}.policies[{index}]")
    tolerance = amount(rules.get("tolerance"))
    if release().checks_scaling_tolerances and tolerance is not None and tolerance.sign() < 0:
        yield FieldError(ErrorType.INVALID, f"{path}.tolerance", tolerance.canonical(), NEGATIVE)


def _policy_errors(policy: JSONObject, path: str) -> Iterator[FieldError]:
    kind, seconds = text(policy, "type"), whole(policy, "periodSeconds")
    if kind not in _POLICIES:
        yield unsupported(f"{path}.type", kind, _POLICIES)
    for field in ("value", "periodSeconds"):
        if whole(policy, field) <= 0:
            yield from value_errors(f"{path}.{field}", whole(policy, field), [NOT_POSITIVE])
    if seconds > _MOST_PERIOD_SECONDS:
        yield FieldError(ErrorType.INVALID, f"{path}.periodSeconds", seconds, above(_MOST_PERIOD_SECONDS))
