"""A claim is named as the model cache, and the operator won't use it.

Models that lie on a claim already (pvc://), that have no key in the cache, or that a switched off cache never sees, aren't
downloaded into `modelCache.claimName`.

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
        if event.reason == "ModelCacheClaimIgnored":
            yield RULE.finding(("spec", "modelCache", "claimName"), event.note)


RULE = Rule(
    id="LLMKUBE-055",
    name="cache-claim-ignored",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/model_storage.go",
    mirrors="event ModelCacheClaimIgnored",
    reads=("Deployment.apps", "InferenceService", "Model", "PersistentVolumeClaim"),
    beside=(
        f"{GGUF_MODEL}\n"
        "---\n"
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: claimed, namespace: default}\n"
        "spec: {source: pvc://models/m.gguf, hardware: {gpu: {count: 1}}}\n"
        "---\n"
        "apiVersion: v1\n"
        "kind: PersistentVolumeClaim\n"
        "metadata: {name: models, namespace: default}\n"
        "spec: {accessModes: [ReadWriteMany], volumeName: models}\n"
        "status: {phase: Bound}"
    ),
    check=_check,
    good="modelRef: gguf\nmodelCache: {claimName: models}",
    bad="modelRef: claimed\nmodelCache: {claimName: models}",
)
