"""A benchmark names no target, or two.

OME's webhook requires exactly one of an address and an InferenceService. Write `endpoint.endpoint` or
`endpoint.inferenceService`.

Source: OME v0.1.5, pkg/webhook/admission/benchmark/benchmark_webhook.go.
"""

from weighbridge.policies.families.ome.rulebook import Benchmark, Said, Violation, benchmarks, part


@benchmarks.error(
    mirrors="webhook benchmarkjob.ome-webhook-server.validator",
    good="accepts-a-benchmark-of-a-service",
    bad="refuses-a-benchmark-of-two-targets",
)
def check(benchmark: Benchmark) -> Said:
    endpoint = part(benchmark.spec, "endpoint")
    targets = [name for name in ("endpoint", "inferenceService") if isinstance(endpoint.get(name), dict)]
    if len(targets) != 1:
        what = "neither endpoint nor inferenceService is given" if not targets else "both endpoint and inferenceService are given"
        yield Violation(("spec", "endpoint"), f"{what}; a benchmark has exactly one target", hint="give one of the two")
