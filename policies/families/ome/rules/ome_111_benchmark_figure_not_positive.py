"""A figure of a benchmark is zero or less.

Neither OME's schema nor its webhook has a lower bound, and the job would measure nothing.

Source: OME v0.1.5 pkg/webhook/admission/benchmark/benchmark_webhook.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import JSONValue, Path

_FIGURES: Final = ("maxTimePerIteration", "maxRequestsPerIteration")


@objects.error(
    kinds=("BenchmarkJob",),
    good="accepts-two-levels-of-concurrency",
    bad="refuses-a-concurrency-of-zero",
)
def check(given: Given) -> Said:
    spec = given.spec
    figures: list[tuple[Path, JSONValue]] = [(("spec", name), spec.get(name)) for name in _FIGURES]
    concurrency = spec.get("numConcurrency")
    if isinstance(concurrency, list):
        figures += [(("spec", "numConcurrency", index), found) for index, found in enumerate(concurrency)]
    figures.append((("spec", "serviceMetadata", "gpuCount"), part(spec, "serviceMetadata").get("gpuCount")))
    for path, found in figures:
        if type(found) is int and found <= 0:
            yield Violation(path, f"{found} measures nothing", found=str(found), expected="1 or more")
