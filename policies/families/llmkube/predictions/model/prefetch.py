"""The Job that downloads a Model ahead of its services, into the cache of the namespace.

It has the init containers of a serving pod and ends when they end. It gets only the Model's own tolerations and no node selector, so it
stays Pending if every node of the cluster is tainted. Source: LLMKube v0.9.19, internal/controller/model_prefetch.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.model.state import DOWNLOADING, is_prefetched, prefetches
from weighbridge.policies.families.llmkube.subject.fileset import file_set
from weighbridge.policies.families.llmkube.subject.source import SourceKind, parse
from weighbridge.policies.ground.field_errors import FieldError, invalid_message
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.pods.validation.job import job_errors

_DAY: Final = 24 * 60 * 60
_RETRIES: Final = 2


@dataclass(frozen=True, slots=True)
class Prefetch:
    """What the operator creates for ``prefetch: true``: a Job and, if it doesn't exist yet, the claim that the Job fills.

    `problem` says why the download can't succeed, and is empty if it can. `errors` are the API server's errors of the Job.
    """

    job: JSONObject
    claims: tuple[JSONObject, ...]
    problem: str
    errors: tuple[FieldError, ...] = ()

    @property
    def objects(self) -> tuple[JSONObject, ...]:
        """What is created: without the Job if the API server refuses it."""
        return self.claims if self.errors else (*self.claims, self.job)

    @property
    def refusal(self) -> str:
        """The operator's message if the API server refuses the Job, else empty."""
        return f"creating prefetch job: {invalid_message('Job', 'batch', name_of(self.job), self.errors)}" if self.errors else ""


def prefetch(model: JSONObject, operator: KnownOperator, facts: Facts) -> Prefetch | None:
    """The prefetch of a Model; `None` if there is none, because it isn't enabled, is done already, or isn't possible."""
    job = job_of(model, operator, facts)
    if job is None:
        return None
    return Prefetch(job, _claims(model, operator, facts), fault(model, operator), refusal_of(model, job))


def job_of(model: JSONObject, operator: KnownOperator, facts: Facts) -> JSONObject | None:
    """The Job of the prefetch; `None` if there is no prefetch."""
    source = parse(text(spec_of(model), "source"), operator)
    if not prefetches(model, source, operator) or is_prefetched(model):
        return None
    from weighbridge.policies.families.llmkube.predictions.storage.pod_storage import layout

    placed = layout(model, None, operator, facts, force_cache=True)
    return _job(model, operator, list(placed.init_containers), list(placed.volumes))


def refusal_of(model: JSONObject, job: JSONObject) -> tuple[FieldError, ...]:
    """Why the API server refuses the Job; empty if it accepts it, or if it exists already."""
    return () if text(part(model, "status"), "phase") == DOWNLOADING else tuple(job_errors(job))


def fault(model: JSONObject, operator: KnownOperator) -> str:
    """Why the download of a prefetch can't succeed; empty if it can."""
    files = file_set(model)
    if files.problem:
        return files.problem
    source = parse(text(spec_of(model), "source"), operator)
    if files.files or source.kind not in {SourceKind.REPOSITORY, SourceKind.CONTROLLER}:
        return ""
    if source.text.startswith("hf://"):
        return "without files the downloader passes the hf:// address to curl, which can't fetch it"
    return "without files the downloader fetches the page of the repository in place of a model"


def _claims(model: JSONObject, operator: KnownOperator, facts: Facts) -> tuple[JSONObject, ...]:
    from weighbridge.policies.families.llmkube.predictions.storage import cache

    namespace = namespace_of(model)
    if facts.objects.get("", "PersistentVolumeClaim", namespace, cache.SHARED_CLAIM) is not None:
        return ()
    claim = cache.made_claim(cache.SHARED_CLAIM, namespace, operator, shared=True)
    return (claim,) if claim is not None else ()


def _job(model: JSONObject, operator: KnownOperator, containers: list[JSONObject], volumes: list[JSONObject]) -> JSONObject:
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
            "name": f"{name_of(model)}-prefetch",
            "namespace": namespace_of(model),
            "labels": {"app.kubernetes.io/name": "llmkube", "app.kubernetes.io/managed-by": "llmkube-controller", **mine},
        },
        "spec": {"backoffLimit": _RETRIES, "ttlSecondsAfterFinished": _DAY, "template": {"metadata": {"labels": mine}, "spec": pod}},
    }
