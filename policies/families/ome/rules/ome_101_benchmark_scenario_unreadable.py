"""A traffic scenario isn't one of its task.

OME's webhook refuses most of them. Its expressions are anchored at one end only, so it lets others pass, such as `junkD(1,2)`, and genai-
bench then ends with an error in the pod. Write the scenario in a form of its task, without spaces.

Source: OME v0.1.5 pkg/webhook/admission/benchmark/benchmark_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.resolve.benchmark.scenarios import FORMS, is_scenario
from policies.fields import text, texts
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    task = text(spec, "task")
    for index, scenario in enumerate(texts(spec, "trafficScenarios")):
        if not is_scenario(task, scenario):
            message = f'"{scenario}" is no traffic scenario of {task}'
            yield RULE.finding(("spec", "trafficScenarios", index), message, found=scenario, expected=FORMS[task])


RULE = Rule(
    id="OME-101",
    name="benchmark-scenario-unreadable",
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
trafficScenarios: ["D(100,100)"]
""",
    bad="""\
endpoint: {endpoint: {url: "http://chat:8080", apiFormat: openai, modelName: m}}
task: text-to-text
maxTimePerIteration: 15
maxRequestsPerIteration: 100
outputLocation: {storageUri: "oci://n/ns/b/bucket/o/results"}
trafficScenarios: ["D(100, 100)"]
""",
)
