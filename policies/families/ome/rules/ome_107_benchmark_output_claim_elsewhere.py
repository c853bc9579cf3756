"""The URI of a benchmark's results names another namespace, which OME ignores.

A pod mounts claims of its own namespace only, and the controller looks for the claim there. Leave the namespace out, or run the job in
it.

Source: OME v0.1.5 pkg/controller/v1beta1/benchmark/controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.benchmark.output import output_of
from policies.families.ome.subject.services import service_of
from policies.findings import Finding, Severity
from policies.objects import namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    job = service_of(request)
    uri = output_of(job) if job is not None else None
    if job is None or uri is None or uri.scheme != "pvc" or uri.mistake:
        return
    named, own = uri.parts.get("namespace", ""), namespace_of(job)
    if named and named != own:
        message = f'the claim is looked for in namespace "{own}", not in "{named}"'
        yield RULE.finding(("spec", "outputLocation", "storageUri"), message, hint="leave the namespace out", found=named, expected=own)


RULE = Rule(
    id="OME-107",
    name="benchmark-output-claim-elsewhere",
    severity=Severity.WARNING,
    kinds=("BenchmarkJob",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/benchmark/controller.go",
    beside="""\
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: results, namespace: default}
spec: {}
""",
    check=_check,
    good="""\
endpoint: {endpoint: {url: "http://chat:8080", apiFormat: openai, modelName: m}}
task: text-to-text
maxTimePerIteration: 15
maxRequestsPerIteration: 100
outputLocation: {storageUri: "pvc://results/chat"}
""",
    bad="""\
endpoint: {endpoint: {url: "http://chat:8080", apiFormat: openai, modelName: m}}
task: text-to-text
maxTimePerIteration: 15
maxRequestsPerIteration: 100
outputLocation: {storageUri: "pvc://team-b:results/chat"}
""",
)
