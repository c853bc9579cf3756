"""The InferenceService that a benchmark measures isn't there.

The controller fails with an error in its log alone, and the job never begins. It may come later in the same rollout, so by default this
warns; the configuration's `references` decides.

Source: OME v0.1.5 pkg/controller/v1beta1/benchmark/controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.kinds import INFERENCE_SERVICES
from weighbridge.policies.families.ome.predictions.benchmark.target import target_of
from weighbridge.policies.families.ome.rulebook import FAILURE, REFERENCE, Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.ome.subject.service_spec import service_of


@objects.warning(
    kinds=("BenchmarkJob",),
    about=REFERENCE | FAILURE,
    reads=("BaseModel", "ClusterBaseModel", "InferenceService"),
    good="accepts-a-benchmark-of-a-service",
    bad="warns-of-a-benchmark-of-a-missing-service",
)
def check(given: Given) -> Said:
    job = service_of(given.request)
    target = target_of(job, given.facts) if job is not None else None
    if target is None or target.is_missing is False:
        return
    if target.is_missing is None:
        yield NotChecked(INFERENCE_SERVICES.unknown)
        return
    namespace, name = target.service
    yield Violation(
        ("spec", "endpoint", "inferenceService", "name"),
        f'namespace "{namespace}" has no InferenceService "{name}", and the benchmark waits for it',
        hint="create it first",
        found=name,
        nearest=INFERENCE_SERVICES.nearest(given.facts, namespace, name),
    )
