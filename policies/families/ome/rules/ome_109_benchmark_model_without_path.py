"""The model of the benchmark's service names no path.

The job mounts the model's files to read its tokenizer, and OME makes no job without `storage.path`. Its log says so, and nothing else
does.

Source: OME v0.1.5 pkg/controller/v1beta1/benchmark/controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.benchmark.target import target_of
from policies.families.ome.subject.services import service_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    job = service_of(request)
    target = target_of(job, facts) if job is not None else None
    if target is None or target.model is None or target.model.model is None or not target.lacks_path:
        return
    message = f"{target.model.model.title} of the service names no storage.path, and without it OME makes no job"
    yield RULE.finding(("spec", "endpoint", "inferenceService", "name"), message, hint="give the model a storage.path")


RULE = Rule(
    id="OME-109",
    name="benchmark-model-without-path",
    severity=Severity.WARNING,
    kinds=("BenchmarkJob",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/benchmark/controller.go",
    reads=("BaseModel", "ClusterBaseModel", "InferenceService"),
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
---
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: bare}
spec: {storage: {storageUri: "hf://acme/llama"}}
---
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: talk, namespace: default}
spec: {model: {name: bare}, engine: {}}
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
endpoint: {inferenceService: {name: talk, namespace: default}}
task: text-to-text
maxTimePerIteration: 15
maxRequestsPerIteration: 100
outputLocation: {storageUri: "oci://n/ns/b/bucket/o/results"}
""",
)
