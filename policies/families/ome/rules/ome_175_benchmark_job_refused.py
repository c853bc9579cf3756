"""The API server refuses the Job that OME makes of a BenchmarkJob.

The pod takes over what `podOverride` says. OME requests 2 CPUs and 2Gi of memory, and limits the pod to that, so that a higher request or a
lower limit needs both. Only the controller's log tells, again and again.

Source: OME v0.1.5 pkg/controller/v1beta1/benchmark/controller.go; Kubernetes v1.36 pkg/apis/batch/validation.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.apiserver.unknown_fields import steps
from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.resolve.benchmark import failure_of, refusal_of
from policies.families.ome.resolve.benchmark.job import job_of
from policies.families.ome.resolve.benchmark.target import target_of
from policies.families.ome.rules._examples import SERVED
from policies.families.ome.subject.services import service_of
from policies.field_errors import FieldError
from policies.findings import Finding, Severity
from policies.objects import JSONObject, Path, written
from policies.request import Request

#: Where the pod, and where its container begins in a Job.
_POD, _CONTAINER = 3, 5


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    job = service_of(request)
    target = target_of(job, facts) if job is not None else None
    if job is None or target is None or failure_of(job, target, facts):
        return
    for error in refusal_of(job_of(job, target)):
        yield RULE.finding(
            _field(job, error), f"the API server refuses the Job: {error}", hint="correct the field that this value comes from"
        )


def _field(job: JSONObject, error: FieldError) -> Path:
    """The field of the benchmark that an error about its Job speaks of, as far as it is written."""
    place = steps(error.field)
    rest = place[_CONTAINER:] if place[_POD : _POD + 1] == ("containers",) else place[_POD:]
    return ("spec", *written(spec_of(job), ("podOverride", *rest)))


RULE = Rule(
    id="OME-175",
    name="benchmark-job-refused",
    severity=Severity.ERROR,
    kinds=("BenchmarkJob",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/benchmark/controller.go; Kubernetes v1.36 pkg/apis/batch/validation",
    reads=("BaseModel", "ClusterBaseModel", "InferenceService", "PersistentVolumeClaim"),
    is_about_placement=True,
    is_about_failure=True,
    beside=SERVED
    + """\
---
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: chat, namespace: default}
spec: {model: {name: llama}, engine: {}}
""",
    check=_check,
    good="""\
endpoint: {inferenceService: {name: chat, namespace: default}}
task: text-to-text
maxTimePerIteration: 15
maxRequestsPerIteration: 100
outputLocation: {storageUri: "oci://n/ns/b/bucket/o/results"}
podOverride: {resources: {requests: {cpu: 4}, limits: {cpu: 4}}}
""",
    bad="""\
endpoint: {inferenceService: {name: chat, namespace: default}}
task: text-to-text
maxTimePerIteration: 15
maxRequestsPerIteration: 100
outputLocation: {storageUri: "oci://n/ns/b/bucket/o/results"}
podOverride: {resources: {requests: {cpu: 4}}}
""",
)
