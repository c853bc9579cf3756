"""The InferenceService that a benchmark measures isn't there.

The controller fails with an error in its log alone, and the job never begins. It may come later in the same rollout, so by default this
warns; the configuration's `references` decides.

Source: OME v0.1.5 pkg/controller/v1beta1/benchmark/controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.kinds import INFERENCE_SERVICES
from policies.families.ome.resolve.benchmark.target import target_of
from policies.families.ome.subject.services import service_of
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    job = service_of(request)
    target = target_of(job, facts) if job is not None else None
    if target is None or target.is_missing is False:
        return
    if target.is_missing is None:
        yield RULE.unchecked(INFERENCE_SERVICES.unknown)
        return
    namespace, name = target.service
    yield RULE.finding(
        ("spec", "endpoint", "inferenceService", "name"),
        f'namespace "{namespace}" has no InferenceService "{name}", and the benchmark waits for it',
        hint="create it first",
        found=name,
        nearest=INFERENCE_SERVICES.nearest(facts, namespace, name),
    )


RULE = Rule(
    id="OME-108",
    name="benchmark-service-missing",
    severity=Severity.WARNING,
    kinds=("BenchmarkJob",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/benchmark/controller.go",
    reads=("BaseModel", "ClusterBaseModel", "InferenceService"),
    is_about_reference=True,
    is_about_failure=True,
    beside="""\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: llama}
spec: {storage: {storageUri: "hf://acme/llama", path: /models/llama}}
---
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: chat, namespace: default}
spec: {model: {name: llama}, engine: {}}
""",
    check=_check,
    good="""\
endpoint: {inferenceService: {name: chat, namespace: default}}
task: text-to-text
maxTimePerIteration: 15
maxRequestsPerIteration: 100
outputLocation: {storageUri: "oci://n/ns/b/bucket/o/results"}
""",
    bad="""\
endpoint: {inferenceService: {name: chatt, namespace: default}}
task: text-to-text
maxTimePerIteration: 15
maxRequestsPerIteration: 100
outputLocation: {storageUri: "oci://n/ns/b/bucket/o/results"}
""",
)
