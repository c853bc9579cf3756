"""The Job that downloads a Model ahead of its services, and whether the API server accepts it.

Source: LLMKube v0.9.19, internal/controller/model_prefetch.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.subject.fileset import file_set
from weighbridge.policies.ground.field_errors import FieldError, invalid_message
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of

#: The phase of a Model whose Job exists.
DOWNLOADING: Final = "Downloading"
_DAY: Final = 24 * 60 * 60
_RETRIES: Final = 2


def refused_fields(model: JSONObject, operator: KnownOperator) -> tuple[FieldError, ...]:
    """Why the API server refuses the Job; empty if it accepts it, or if the Job exists already.

    Of the containers only the reference to the Secret is the author's.
    """
    if text(part(model, "status"), "phase") == DOWNLOADING:
        return ()
    # Only a prefetch needs the checks of pods.
    from weighbridge.policies.pods.validation.job import job_errors

    image = operator.init_container_image
    download: JSONObject = {"name": "model-downloader", "image": image}
    containers = [download]
    if not file_set(model).problem:
        containers.insert(0, {"name": "model-cache-prep", "image": image})
        secret = spec_of(model).get("sourceSecretRef")
        if isinstance(secret, dict):
            download["envFrom"] = [{"secretRef": {"name": text(secret, "name")}}]
    return tuple(job_errors(job_of(model, operator, containers, [])))


def refusal_of(model: JSONObject, errors: tuple[FieldError, ...]) -> str:
    """The operator's message on a Job that the API server refuses; empty without errors."""
    return f"creating prefetch job: {invalid_message('Job', 'batch', job_name(model), errors)}" if errors else ""


def job_name(model: JSONObject) -> str:
    """The name of the Job."""
    return f"{name_of(model)}-prefetch"


def job_of(model: JSONObject, operator: KnownOperator, containers: list[JSONObject], volumes: list[JSONObject]) -> JSONObject:
    """The whole Job."""
    mine = {"app.kubernetes.io/component": "model-prefetch", "inference.llmkube.dev/model": name_of(model)}
    done: JSONObject = {
        "name": "prefetch-done",
        "image": operator.init_container_image,
        "command": ["sh", "-c", "echo prefetch complete"],
    }
    pod: JSONObject = {"restartPolicy": "Never", "initContainers": containers, "containers": [done], "volumes": volumes}
    if operator.default_fs_group > 0:
        pod["securityContext"] = {"fsGroup": operator.default_fs_group}
    tolerations = items(spec_of(model), "prefetchTolerations")
    if tolerations:
        pod["tolerations"] = tolerations
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {
            "name": job_name(model),
            "namespace": namespace_of(model),
            "labels": {"app.kubernetes.io/name": "llmkube", "app.kubernetes.io/managed-by": "llmkube-controller", **mine},
        },
        "spec": {"backoffLimit": _RETRIES, "ttlSecondsAfterFinished": _DAY, "template": {"metadata": {"labels": mine}, "spec": pod}},
    }
