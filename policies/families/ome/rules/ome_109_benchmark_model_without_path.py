"""The model of the benchmark's service names no path.

The job mounts the model's files to read its tokenizer, and OME makes no job without `storage.path`. Its log says so, and nothing else
does.

Source: OME v0.1.5 pkg/controller/v1beta1/benchmark/controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.predictions.benchmark.target import target_of
from weighbridge.policies.families.ome.rulebook import FAILURE, Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.service_spec import service_of


@objects.warning(
    kinds=("BenchmarkJob",),
    about=FAILURE,
    reads=("BaseModel", "ClusterBaseModel", "InferenceService"),
    good="accepts-a-benchmark-whose-model-has-a-path",
    bad="warns-of-a-benchmark-whose-model-has-no-path",
)
def check(given: Given) -> Said:
    job = service_of(given.request)
    target = target_of(job, given.facts) if job is not None else None
    if target is None or target.model is None or target.model.model is None or not target.lacks_path:
        return
    message = f"{target.model.model.title} of the service names no storage.path, and without it OME makes no job"
    yield Violation(("spec", "endpoint", "inferenceService", "name"), message, hint="give the model a storage.path")
