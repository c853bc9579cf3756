"""The Job that downloads a Model ahead of its services, into the cache of the namespace.

It has the init containers of a serving pod and ends when they end. It gets only the Model's own tolerations and no node selector, so it
stays Pending if every node of the cluster is tainted. Source: LLMKube v0.9.19, internal/controller/model_prefetch.go.
"""

from __future__ import annotations

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.model.state import is_prefetched, prefetches
from weighbridge.policies.families.llmkube.subject.fileset import file_set
from weighbridge.policies.families.llmkube.subject.source import SourceKind, parse
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject, namespace_of
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class Prefetch:
    """What the operator creates for ``prefetch: true``: a Job and, if it doesn't exist yet, the claim that the Job fills.

    `problem` says why the download can't succeed, and is empty if it can. `is_refused` says that the API server refuses the Job.
    """

    job: JSONObject
    claims: tuple[JSONObject, ...]
    problem: str
    is_refused: bool

    @property
    def objects(self) -> tuple[JSONObject, ...]:
        """What is created: without the Job if the API server refuses it."""
        return self.claims if self.is_refused else (*self.claims, self.job)


def prefetch(model: JSONObject, operator: KnownOperator, facts: Facts) -> Prefetch | None:
    """The prefetch of a Model; `None` if there is none, because it isn't enabled, is done already, or isn't possible."""
    source = parse(text(spec_of(model), "source"), operator)
    if not prefetches(model, source, operator) or is_prefetched(model):
        return None
    from weighbridge.policies.families.llmkube.predictions.model.prefetch_job import job_of, refused_fields
    from weighbridge.policies.families.llmkube.predictions.storage.pod_storage import layout

    placed = layout(model, None, operator, facts, force_cache=True)
    job = job_of(model, operator, list(placed.init_containers), list(placed.volumes))
    return Prefetch(job, _claims(model, operator, facts), fault(model, operator), bool(refused_fields(model, operator)))


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
