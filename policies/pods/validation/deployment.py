"""Whether the API server takes a Deployment as an operator makes it of what its users write.

Checked is what users reach through such objects: names, labels, the selector and the template. Source: Kubernetes v1.36,
pkg/apis/apps/validation (ValidateDeployment).
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.ground.field_errors import ErrorType, FieldError, invalid_message, value_errors
from weighbridge.policies.ground.fields import part, text_map
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.pods.validation.template import endless_pod_errors, label_errors, template_errors
from weighbridge.policies.schema.names import dns1123_subdomain, label_value


def deployment_refusal(deployment: JSONObject) -> str:
    """The API server's message on the Deployment; empty where it takes it."""
    errors = list(deployment_errors(deployment))
    return invalid_message("Deployment", "apps", name_of(deployment), errors) if errors else ""


def deployment_errors(deployment: JSONObject) -> Iterator[FieldError]:
    """What the API server says against the Deployment, field by field."""
    name, selector = name_of(deployment), part(deployment, "spec", "selector")
    yield from value_errors("metadata.name", name, dns1123_subdomain(name))
    yield from label_errors(text_map(deployment, "metadata", "labels"), "metadata.labels")
    matched = text_map(selector, "matchLabels").values()
    wrong = [error for value in matched for error in value_errors("spec.selector.matchLabels", value, label_value(value))]
    if wrong:
        yield from wrong
        yield FieldError(ErrorType.INVALID, "spec.selector", selector, "invalid label selector")
        return
    yield from template_errors(part(deployment, "spec", "template"), "spec.template")
    yield from endless_pod_errors(part(deployment, "spec", "template", "spec"), "spec.template.spec", "ReplicaSet")
