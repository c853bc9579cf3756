"""A figure of a benchmark is zero or less.

Neither OME's schema nor its webhook has a lower bound, and the job would measure nothing.

Source: OME v0.1.5 pkg/webhook/admission/benchmark/benchmark_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import part
from policies.findings import Finding, Severity
from policies.objects import JSONValue, Path
from policies.request import Request

_FIGURES: Final = ("maxTimePerIteration", "maxRequestsPerIteration")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    figures: list[tuple[Path, JSONValue]] = [(("spec", name), spec.get(name)) for name in _FIGURES]
    concurrency = spec.get("numConcurrency")
    if isinstance(concurrency, list):
        figures += [(("spec", "numConcurrency", index), found) for index, found in enumerate(concurrency)]
    figures.append((("spec", "serviceMetadata", "gpuCount"), part(spec, "serviceMetadata").get("gpuCount")))
    for path, found in figures:
        if type(found) is int and found <= 0:
            yield RULE.finding(path, f"{found} measures nothing", found=str(found), expected="1 or more")


RULE = Rule(
    id="OME-111",
    name="benchmark-figure-not-positive",
    severity=Severity.ERROR,
    kinds=("BenchmarkJob",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/benchmark/benchmark_webhook.go",
    check=_check,
    good="""\
endpoint: {endpoint: {url: "http://chat:8080", apiFormat: openai, modelName: m}}
task: text-to-text
maxTimePerIteration: 15
maxRequestsPerIteration: 100
outputLocation: {storageUri: "oci://n/ns/b/bucket/o/results"}
numConcurrency: [1, 8]
""",
    bad="""\
endpoint: {endpoint: {url: "http://chat:8080", apiFormat: openai, modelName: m}}
task: text-to-text
maxTimePerIteration: 15
maxRequestsPerIteration: 100
outputLocation: {storageUri: "oci://n/ns/b/bucket/o/results"}
numConcurrency: [0, 8]
""",
)
