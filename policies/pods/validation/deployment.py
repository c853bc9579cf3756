"""Checks whether the API server accepts a Deployment that an operator creates from its users' values.

It checks the fields that users can set through such objects: names, labels, the selector, the template and the strategy. Source: Kubernetes
v1.36, pkg/apis/apps/validation (ValidateDeployment).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.field_errors import ErrorType, FieldError, invalid_message, unsupported, value_errors
from weighbridge.policies.ground.fields import part, text, text_map
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.pods.validation.percentages import count_errors, excess_errors, number
from weighbridge.policies.pods.validation.template import endless_pod_errors, label_errors, template_errors
from weighbridge.policies.pods.validation.wordings import NO_SELECTOR, NOTHING_CHANGES, unused_by_strategy
from weighbridge.policies.schema.names import dns1123_subdomain, label_value

_RECREATE: Final = "Recreate"
_ROLLING: Final = "RollingUpdate"


def deployment_refusal(deployment: JSONObject) -> str:
    """The API server's message on the Deployment; empty if it accepts it."""
    errors = list(deployment_errors(deployment))
    return invalid_message("Deployment", "apps", name_of(deployment), errors) if errors else ""


def deployment_errors(deployment: JSONObject) -> Iterator[FieldError]:
    """The API server's errors of the Deployment, field by field."""
    name, selector = name_of(deployment), part(deployment, "spec", "selector")
    yield from value_errors("metadata.name", name, dns1123_subdomain(name))
    yield from label_errors(text_map(deployment, "metadata", "labels"), "metadata.labels")
    matched = text_map(selector, "matchLabels").values()
    wrong = [error for value in matched for error in value_errors("spec.selector.matchLabels", value, label_value(value))]
    if wrong:
        yield from wrong
        yield FieldError(ErrorType.INVALID, "spec.selector", selector, NO_SELECTOR)
        return
    yield from template_errors(part(deployment, "spec", "template"), "spec.template")
    yield from endless_pod_errors(part(deployment, "spec", "template", "spec"), "spec.template.spec", "ReplicaSet")
    strategy = part(deployment, "spec").get("strategy")
    if isinstance(strategy, dict):
        yield from _strategy_errors(strategy, "spec.strategy")


def _strategy_errors(strategy: JSONObject, path: str) -> Iterator[FieldError]:
    kind, rolling = text(strategy, "type"), strategy.get("rollingUpdate")
    if kind == _RECREATE:
        if isinstance(rolling, dict):
            yield FieldError(ErrorType.FORBIDDEN, f"{path}.rollingUpdate", detail=unused_by_strategy(_RECREATE))
    elif kind != _ROLLING:
        yield unsupported(path, strategy, (_RECREATE, _ROLLING))
    elif isinstance(rolling, dict):
        lacking, added = rolling.get("maxUnavailable"), rolling.get("maxSurge")
        yield from count_errors(lacking, f"{path}.rollingUpdate.maxUnavailable")
        yield from count_errors(added, f"{path}.rollingUpdate.maxSurge")
        if number(lacking) == number(added) == 0:
            yield FieldError(ErrorType.INVALID, f"{path}.rollingUpdate.maxUnavailable", lacking, NOTHING_CHANGES)
        yield from excess_errors(lacking, f"{path}.rollingUpdate.maxUnavailable")
