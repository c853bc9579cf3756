"""The API server refuses the Job that OME creates for a BenchmarkJob.

OME copies `podOverride` into the pod. By default it requests 2 CPUs and 2Gi of memory, and sets the same limits. So a higher request
needs a higher limit, and a lower limit needs a lower request. The controller retries again and again, and only its log shows the
refusal.

Source: OME v0.1.5, pkg/controller/v1beta1/benchmark/controller.go; Kubernetes v1.36, pkg/apis/batch/validation.
"""

from weighbridge.policies.apiserver.unknown_fields import steps
from weighbridge.policies.families.ome.predictions.benchmark import obstacle_of, refusal_of
from weighbridge.policies.families.ome.predictions.benchmark.job import job_of
from weighbridge.policies.families.ome.rulebook import FAILURE, PLACEMENT, Benchmark, Path, Said, Violation, benchmarks, written
from weighbridge.policies.ground.field_errors import FieldError

#: The paths of the pod and of its container in a Job.
_POD, _CONTAINER = 3, 5


@benchmarks.error(
    about=PLACEMENT | FAILURE,
    reads=("BaseModel", "ClusterBaseModel", "ConfigMap/benchmarkjob-config", "InferenceService", "PersistentVolumeClaim"),
    good="accepts-requests-and-limits-of-a-benchmark",
    bad="refuses-requests-of-a-benchmark-above-its-limits",
)
def check(benchmark: Benchmark) -> Said:
    if benchmark.target.is_missing or obstacle_of(benchmark):
        return
    for error in refusal_of(job_of(benchmark)):
        path = _field(benchmark, error)
        yield Violation(path, f"the API server refuses the Job: {error}", hint="correct the field that this value comes from")


def _field(benchmark: Benchmark, error: FieldError) -> Path:
    """The field of the benchmark from which a refused field of its Job comes, as far as the benchmark has it."""
    place = steps(error.field)
    rest = place[_CONTAINER:] if place[_POD : _POD + 1] == ("containers",) else place[_POD:]
    return ("spec", *written(benchmark.spec, ("podOverride", *rest)))
