"""A benchmark is pointed at nothing, or at two things.

OME's webhook wants exactly one of an address and an InferenceService. Give `endpoint.endpoint` or `endpoint.inferenceService`.

Source: OME v0.1.5 pkg/webhook/admission/benchmark/benchmark_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    endpoint = part(spec_of(request.object), "endpoint")
    given = [name for name in ("endpoint", "inferenceService") if isinstance(endpoint.get(name), dict)]
    if len(given) != 1:
        what = "neither endpoint nor inferenceService is given" if not given else "both endpoint and inferenceService are given"
        yield RULE.finding(("spec", "endpoint"), f"{what}, and a benchmark has one target", hint="give one of the two")


RULE = Rule(
    id="OME-100",
    name="benchmark-target-ambiguous",
    severity=Severity.ERROR,
    kinds=("BenchmarkJob",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/benchmark/benchmark_webhook.go",
    mirrors="webhook benchmarkjob.ome-webhook-server.validator",
    check=_check,
    good="""\
endpoint: {endpoint: {url: "http://chat:8080", apiFormat: openai, modelName: m}}
task: text-to-text
maxTimePerIteration: 15
maxRequestsPerIteration: 100
outputLocation: {storageUri: "oci://n/ns/b/bucket/o/results"}
""",
    bad="""\
endpoint: {}
task: text-to-text
maxTimePerIteration: 15
maxRequestsPerIteration: 100
outputLocation: {storageUri: "oci://n/ns/b/bucket/o/results"}
""",
)
