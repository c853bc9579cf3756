"""A benchmark is pointed at nothing, or at two things.

OME's webhook wants exactly one of an address and an InferenceService. Give `endpoint.endpoint` or `endpoint.inferenceService`.

Source: OME v0.1.5 pkg/webhook/admission/benchmark/benchmark_webhook.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import part


@objects.error(
    kinds=("BenchmarkJob",),
    mirrors="webhook benchmarkjob.ome-webhook-server.validator",
    good="accepts-a-benchmark-of-a-service",
    bad="refuses-a-benchmark-of-two-targets",
)
def check(known_given: Given) -> Said:
    endpoint = part(known_given.spec, "endpoint")
    given = [name for name in ("endpoint", "inferenceService") if isinstance(endpoint.get(name), dict)]
    if len(given) != 1:
        what = "neither endpoint nor inferenceService is given" if not given else "both endpoint and inferenceService are given"
        yield Violation(("spec", "endpoint"), f"{what}, and a benchmark has one target", hint="give one of the two")
