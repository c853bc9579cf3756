"""OME v0.1.5 refuses the scenarios of an embedding benchmark.

Its webhook wants two numbers, `E(128,128)`, while genai-bench has the form `E(128)`. Where none is given the webhook checks its own
defaults, which are of that form, and refuses the job as well. Give scenarios with two numbers, or use a version of OME whose webhook
takes one.

Source: OME v0.1.5 pkg/webhook/admission/benchmark/benchmark_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.resolve.benchmark.scenarios import EMBEDDINGS, is_accepted, is_scenario
from policies.fields import text, texts
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    if text(spec, "task") != EMBEDDINGS:
        return
    scenarios = texts(spec, "trafficScenarios")
    if not scenarios:
        message = "without scenarios OME v0.1.5 checks its own defaults, and refuses the job for them"
        yield RULE.finding(("spec", "trafficScenarios"), message, hint="give a scenario with two numbers, such as E(128,128)")
    for index, scenario in enumerate(scenarios):
        if is_scenario(EMBEDDINGS, scenario) and not is_accepted(EMBEDDINGS, scenario):
            message = f'the webhook of OME v0.1.5 refuses "{scenario}"'
            yield RULE.finding(("spec", "trafficScenarios", index), message, hint="give two numbers, such as E(128,128)", found=scenario)


RULE = Rule(
    id="OME-102",
    name="benchmark-embeddings-refused",
    severity=Severity.WARNING,
    kinds=("BenchmarkJob",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/benchmark/benchmark_webhook.go",
    mirrors="webhook benchmarkjob.ome-webhook-server.validator",
    check=_check,
    good="""\
endpoint: {endpoint: {url: "http://chat:8080", apiFormat: openai, modelName: m}}
task: text-to-embeddings
maxTimePerIteration: 15
maxRequestsPerIteration: 100
outputLocation: {storageUri: "oci://n/ns/b/bucket/o/results"}
trafficScenarios: ["E(128,128)"]
""",
    bad="""\
endpoint: {endpoint: {url: "http://chat:8080", apiFormat: openai, modelName: m}}
task: text-to-embeddings
maxTimePerIteration: 15
maxRequestsPerIteration: 100
outputLocation: {storageUri: "oci://n/ns/b/bucket/o/results"}
trafficScenarios: ["E(128)"]
""",
)
