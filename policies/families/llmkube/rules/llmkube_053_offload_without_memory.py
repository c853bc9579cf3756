"""Weights or caches are kept in the node's memory, and no memory is asked for.

With `moeCPUOffload` or `noKvOffload` a pod takes as much of the node's memory as the model is large. Without `resources.memory` or
`hostMemory` the scheduler doesn't know, and the node runs out of it.

Source: LLMKube v0.9.19 internal/controller/runtime_llamacpp_args.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving.pod_model is None or not serving.names("moeCPUOffload", "noKvOffload"):
        return
    for event in serving.launch.warnings:
        if event.reason == "MissingMemoryRequest":
            yield RULE.finding(("spec", "resources", "memory"), event.note)


RULE = Rule(
    id="LLMKUBE-053",
    name="offload-without-memory",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/runtime_llamacpp_args.go",
    mirrors="event MissingMemoryRequest",
    reads=("Deployment.apps", "InferenceService", "Model", "PersistentVolumeClaim"),
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf\nmoeCPUOffload: true\nresources: {memory: 64Gi}",
    bad="modelRef: gguf\nmoeCPUOffload: true",
)
