"""The InferenceService that a benchmark measures doesn't exist.

The controller reports an error only in its log, and the benchmark never starts. The service may come later in the same rollout, so the
rule warns by default. The configuration's `references` can make it an error. Create the service first, or correct the name.

Source: OME v0.1.5, pkg/controller/v1beta1/benchmark/controller.go.
"""

from weighbridge.policies.families.ome.kinds import INFERENCE_SERVICES
from weighbridge.policies.families.ome.rulebook import FAILURE, REFERENCE, Benchmark, Given, Said, benchmarks


@benchmarks.warning(
    about=REFERENCE | FAILURE,
    reads=("BaseModel", "ClusterBaseModel", "InferenceService"),
    good="accepts-a-benchmark-of-a-service",
    bad="warns-of-a-benchmark-of-a-missing-service",
)
def check(benchmark: Benchmark, given: Given) -> Said:
    namespace, name = benchmark.target.service
    if name:
        path = ("spec", "endpoint", "inferenceService", "name")
        message = f'namespace "{namespace}" has no InferenceService "{name}", and the benchmark waits for it'
        yield from INFERENCE_SERVICES.missing(given, path, name, message, hint="create it first", namespace=namespace)
