"""Checks whether the API server accepts a Job that an operator creates from its users' values.

It checks the name, the labels and the template. The server writes the Job's name into two labels of its pods, so the name may have at most
63 characters. Source: Kubernetes v1.37, pkg/apis/batch/validation (ValidateJob) and pkg/registry/batch/job (generateSelector).
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.ground.field_errors import FieldError, value_errors
from weighbridge.policies.ground.fields import part, text_map
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.pods.validation.template import annotation_errors, label_errors, pod_errors
from weighbridge.policies.schema.names import dns1123_subdomain, label_value


def job_errors(job: JSONObject) -> Iterator[FieldError]:
    """The API server's errors of the Job, field by field."""
    name, template = name_of(job), part(job, "spec", "template")
    yield from value_errors("metadata.name", name, dns1123_subdomain(name))
    yield from label_errors(text_map(job, "metadata", "labels"), "metadata.labels")
    yield from label_errors(text_map(template, "metadata", "labels"), "spec.template.labels")
    yield from value_errors("spec.template.labels", name, label_value(name))
    yield from annotation_errors(text_map(template, "metadata", "annotations"), "spec.template.annotations")
    yield from pod_errors(part(template, "spec"), "spec.template.spec")
