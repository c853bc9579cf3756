"""The claim that a service names as its model cache isn't there.

`modelCache.claimName` names a PersistentVolumeClaim of the same namespace, which the operator never makes; without it the service
is Failed. It may come later in the same rollout, so by default this warns; the configuration's `references` decides.

Source: LLMKube v0.9.19 internal/controller/model_storage.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.resolve.storage import cache
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.families.llmkube.subject.source import SourceKind
from policies.families.references import CLAIMS
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    name = cache.own_claim(serving.service, serving.operator)
    if serving.is_metal or not name or cache.is_declined(serving.service, serving.operator):
        return
    missing = serving.source.kind is not SourceKind.CLAIM and CLAIMS.is_missing(facts, serving.namespace, name)
    if missing is None:
        yield RULE.unchecked(CLAIMS.unknown)
    if not missing:
        return
    yield RULE.finding(
        ("spec", "modelCache", "claimName"),
        f'namespace "{serving.namespace}" has no PersistentVolumeClaim "{name}"',
        found=name,
        nearest=CLAIMS.nearest(facts, serving.namespace, name),
        hint="create the claim in the same namespace, or remove the field for the operator's own cache",
    )


RULE = Rule(
    id="LLMKUBE-049",
    name="cache-claim-missing",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/model_storage.go",
    mirrors="event ModelCachePVCNotFound, phase Failed",
    reads=("Deployment.apps", "Model", "PersistentVolumeClaim"),
    is_about_reference=True,
    is_about_failure=True,
    beside=(
        f"{GGUF_MODEL}\n"
        "---\n"
        "apiVersion: v1\n"
        "kind: PersistentVolumeClaim\n"
        "metadata: {name: models, namespace: default}\n"
        "spec: {accessModes: [ReadWriteMany], volumeName: models}"
    ),
    is_about_placement=True,
    check=_check,
    good="modelRef: gguf\nmodelCache: {claimName: models}",
    bad="modelRef: gguf\nmodelCache: {claimName: model}",
)
