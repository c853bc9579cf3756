"""Weights go to the node's own disk, and nothing says how much of it they may take.

With `modelCache.persistence: Ephemeral` and no `resources.ephemeralStorage` neither scheduler nor kubelet counts the download: it
can fill the node.

Source: LLMKube v0.9.19 internal/controller/model_storage.go.
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
    if serving.pod_model is None or not serving.names("modelCache"):
        return
    for event in serving.storage.events:
        if event.reason == "UnboundedEphemeralCache":
            yield RULE.finding(("spec", "resources", "ephemeralStorage"), event.note)


RULE = Rule(
    id="LLMKUBE-054",
    name="ephemeral-cache-unbounded",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/model_storage.go",
    mirrors="event UnboundedEphemeralCache",
    reads=("Deployment.apps", "InferenceService", "Model", "PersistentVolumeClaim"),
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf\nmodelCache: {persistence: Ephemeral}\nresources: {ephemeralStorage: 20Gi}",
    bad="modelRef: gguf\nmodelCache: {persistence: Ephemeral}",
)
