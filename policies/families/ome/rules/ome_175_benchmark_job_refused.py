"""The API server refuses the Job that OME makes of a BenchmarkJob.

The pod takes over what `podOverride` says. OME requests 2 CPUs and 2Gi of memory, and limits the pod to that, so that a higher request or a
lower limit needs both. Only the controller's log tells, again and again.

Source: OME v0.1.5 pkg/controller/v1beta1/benchmark/controller.go; Kubernetes v1.36 pkg/apis/batch/validation.
"""

from __future__ import annotations

from weighbridge.policies.apiserver.unknown_fields import steps
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.predictions.benchmark import failure_of, refusal_of
from weighbridge.policies.families.ome.predictions.benchmark.job import job_of
from weighbridge.policies.families.ome.predictions.benchmark.target import target_of
from weighbridge.policies.families.ome.rulebook import FAILURE, PLACEMENT, Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.service_spec import service_of
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.objects import JSONObject, Path, written

#: Where the pod, and where its container begins in a Job.
_POD, _CONTAINER = 3, 5


@objects.error(
    kinds=("BenchmarkJob",),
    about=PLACEMENT | FAILURE,
    reads=("BaseModel", "ClusterBaseModel", "InferenceService", "PersistentVolumeClaim"),
    good="accepts-requests-and-limits-of-a-benchmark",
    bad="refuses-requests-of-a-benchmark-above-its-limits",
)
def check(given: Given) -> Said:
    job = service_of(given.request)
    target = target_of(job, given.facts) if job is not None else None
    if job is None or target is None or failure_of(job, target, given.facts):
        return
    for error in refusal_of(job_of(job, target)):
        yield Violation(_field(job, error), f"the API server refuses the Job: {error}", hint="correct the field that this value comes from")


def _field(job: JSONObject, error: FieldError) -> Path:
    """The field of the benchmark that an error about its Job speaks of, as far as it is written."""
    place = steps(error.field)
    rest = place[_CONTAINER:] if place[_POD : _POD + 1] == ("containers",) else place[_POD:]
    return ("spec", *written(spec_of(job), ("podOverride", *rest)))
