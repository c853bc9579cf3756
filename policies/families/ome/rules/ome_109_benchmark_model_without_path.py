"""The model of the benchmark's service names no path.

The Job mounts the model's files to read its tokenizer, so OME creates no Job without `storage.path`. Only the controller's log has the
reason. Give the model a `storage.path`.

Source: OME v0.1.5, pkg/controller/v1beta1/benchmark/controller.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, Benchmark, Said, Violation, benchmarks


@benchmarks.warning(
    about=FAILURE,
    reads=("BaseModel", "ClusterBaseModel", "InferenceService"),
    good="accepts-a-benchmark-whose-model-has-a-path",
    bad="warns-of-a-benchmark-whose-model-has-no-path",
)
def check(benchmark: Benchmark) -> Said:
    model = benchmark.target.model
    if model is not None and benchmark.target.lacks_path:
        message = f"{model.title} of the service names no storage.path, and without it OME creates no Job"
        yield Violation(("spec", "endpoint", "inferenceService", "name"), message, hint="give the model a storage.path")
