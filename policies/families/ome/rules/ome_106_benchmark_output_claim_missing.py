"""The claim for a benchmark's results isn't there.

It is looked for in the job's namespace, whatever namespace the URI names. Without it the controller makes no job, and says so in its log
alone.

Source: OME v0.1.5 pkg/controller/v1beta1/benchmark/controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.benchmark.output import output_of
from policies.families.ome.subject.services import service_of
from policies.families.references import CLAIMS
from policies.findings import Finding, Severity, Unchecked
from policies.objects import namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    job = service_of(request)
    uri = output_of(job) if job is not None else None
    if job is None or uri is None or uri.scheme != "pvc" or uri.mistake:
        return
    namespace, claim = namespace_of(job), uri.parts["claim"]
    is_missing = CLAIMS.is_missing(facts, namespace, claim)
    if is_missing is None:
        yield RULE.unchecked(CLAIMS.unknown)
    elif is_missing:
        message = f'namespace "{namespace}" has no PersistentVolumeClaim "{claim}", and without it OME makes no job'
        nearest = CLAIMS.nearest(facts, namespace, claim)
        yield RULE.finding(("spec", "outputLocation", "storageUri"), message, hint="create the claim first", found=claim, nearest=nearest)


RULE = Rule(
    id="OME-106",
    name="benchmark-output-claim-missing",
    severity=Severity.WARNING,
    kinds=("BenchmarkJob",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/benchmark/controller.go",
    reads=("PersistentVolumeClaim",),
    is_about_reference=True,
    is_about_failure=True,
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
outputLocation: {storageUri: "pvc://result/chat"}
""",
)
