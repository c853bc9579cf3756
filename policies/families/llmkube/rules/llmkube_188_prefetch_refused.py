"""The API server will refuse the Job that prefetches the Model.

The operator copies `prefetchTolerations` into a Job without a check. The Job is called `NAME-prefetch`, and that name is also the value of
a label, so the Model's name may have at most 54 characters. The Model gets no status, its services stay Pending, and only the operator's
log has the reason.

Source: LLMKube v0.9.19, internal/controller/model_prefetch.go; Kubernetes v1.37, pkg/apis/batch/validation.
"""

from typing import Final

from weighbridge.policies.families.llmkube.predictions.model.state import is_prefetched, prefetches
from weighbridge.policies.families.llmkube.predictions.service.labels import LONGEST_VALUE
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Model, Said, Violation, flag, name_of, sources
from weighbridge.policies.families.llmkube.subject.stored import as_stored

_TOLERATIONS: Final = ("spec", "template", "spec", "tolerations")
_NAME: Final = ("spec", "template", "labels")


@sources.error(
    topic="Models: source, files and download",
    about=FAILURE,
    mirrors="the operator's log: creating prefetch job",
    good="accepts-a-prefetch-with-a-toleration",
    bad="refuses-a-prefetch-whose-toleration-is-refused",
)
def check(model: Model) -> Said:
    # LLMKUBE-036 is about longer names.
    if not flag(model.spec, "prefetch") or len(name_of(model.object)) > LONGEST_VALUE:
        return
    # Few Models are prefetched.
    from weighbridge.policies.apiserver.unknown_fields import steps
    from weighbridge.policies.families.llmkube.predictions.model.prefetch_job import job_name, refused_fields

    stored = as_stored(model.object, model.namespace or "default")
    if not prefetches(stored, model.source, model.operator) or is_prefetched(stored):
        return
    name = job_name(stored)
    for error in refused_fields(stored, model.operator):
        place = steps(error.field)
        if place[:4] == _TOLERATIONS:
            path = ("spec", "prefetchTolerations", *place[4:])
            yield Violation(path, f"the API server refuses the Job of the prefetch: {error}", hint="write a toleration as a pod has it")
        elif place == _NAME:
            said = f"the API server refuses the Job of the prefetch, whose name {name} has {len(name)} characters"
            yield Violation(("metadata", "name"), said, expected="at most 54 characters", hint="choose a shorter name")
