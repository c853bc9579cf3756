"""A benchmark with images has no dataset.

For texts genai-bench has sonnets of its own; for images it has nothing to send. OME's reference asks for a dataset, and nothing enforces
it.

Source: OME v0.1.5 pkg/webhook/admission/benchmark/benchmark_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.resolve.benchmark.scenarios import IMAGE_TASKS
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    task = text(spec, "task")
    if task in IMAGE_TASKS and not isinstance(spec.get("dataset"), dict):
        yield RULE.finding(("spec", "dataset"), f"{task} needs images, and no dataset is given", hint="give dataset.storageUri")


RULE = Rule(
    id="OME-110",
    name="benchmark-dataset-missing",
    severity=Severity.WARNING,
    kinds=("BenchmarkJob",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/benchmark/benchmark_webhook.go",
    check=_check,
    good="""\
endpoint: {endpoint: {url: "http://chat:8080", apiFormat: openai, modelName: m}}
task: image-to-text
maxTimePerIteration: 15
maxRequestsPerIteration: 100
outputLocation: {storageUri: "oci://n/ns/b/bucket/o/results"}
dataset: {storageUri: "hf://acme/images"}
""",
    bad="""\
endpoint: {endpoint: {url: "http://chat:8080", apiFormat: openai, modelName: m}}
task: image-to-text
maxTimePerIteration: 15
maxRequestsPerIteration: 100
outputLocation: {storageUri: "oci://n/ns/b/bucket/o/results"}
""",
)
