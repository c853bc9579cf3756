"""A figure of a benchmark is zero or less.

Neither OME's schema nor its webhook has a lower bound, but the Job would measure nothing. Write 1 or more.

Source: OME v0.1.5, pkg/webhook/admission/benchmark/benchmark_webhook.go.
"""

from weighbridge.policies.families.ome.rulebook import Benchmark, JSONValue, Path, Said, Violation, benchmarks, part


@benchmarks.error(good="accepts-two-levels-of-concurrency", bad="refuses-a-concurrency-of-zero")
def check(benchmark: Benchmark) -> Said:
    spec = benchmark.spec
    figures: list[tuple[Path, JSONValue]] = [
        (("spec", name), spec.get(name)) for name in ("maxTimePerIteration", "maxRequestsPerIteration")
    ]
    concurrency = spec.get("numConcurrency")
    if isinstance(concurrency, list):
        figures += [(("spec", "numConcurrency", index), found) for index, found in enumerate(concurrency)]
    figures.append((("spec", "serviceMetadata", "gpuCount"), part(spec, "serviceMetadata").get("gpuCount")))
    for path, found in figures:
        if type(found) is int and found <= 0:
            yield Violation(path, f"{found} measures nothing", found=str(found), expected="1 or more")
