"""A parameter for the benchmark's requests can't be read.

OME's webhook reads `temperature` as a number and `ignore_eos` as true or false, and refuses the job otherwise.

Source: OME v0.1.5 pkg/webhook/admission/benchmark/benchmark_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.subject.sizes import parse_float
from policies.fields import text_map
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    given = text_map(spec_of(request.object), "additionalRequestParams")
    path = ("spec", "additionalRequestParams")
    temperature = given.get("temperature")
    if temperature is not None and parse_float(temperature) is None:
        yield RULE.finding((*path, "temperature"), f'"{temperature}" is no number', found=temperature, expected="a number, such as 0.7")
    ignored = given.get("ignore_eos")
    if ignored is not None and ignored not in ("true", "false"):
        yield RULE.finding((*path, "ignore_eos"), f'"{ignored}" is neither true nor false', found=ignored, expected="true or false")


RULE = Rule(
    id="OME-103",
    name="benchmark-parameters-unreadable",
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
additionalRequestParams: {temperature: "0.7", ignore_eos: "true"}
""",
    bad="""\
endpoint: {endpoint: {url: "http://chat:8080", apiFormat: openai, modelName: m}}
task: text-to-text
maxTimePerIteration: 15
maxRequestsPerIteration: 100
outputLocation: {storageUri: "oci://n/ns/b/bucket/o/results"}
additionalRequestParams: {temperature: hot}
""",
)
