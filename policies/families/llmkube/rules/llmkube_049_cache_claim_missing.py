"""The claim that a service names as its model cache isn't there.

`modelCache.claimName` names a PersistentVolumeClaim of the same namespace, which the operator never makes; without it the service
is Failed. It may come later in the same rollout, so by default this warns; the configuration's `references` decides.

Source: LLMKube v0.9.19 internal/controller/model_storage.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.predictions.storage import cache
from weighbridge.policies.families.llmkube.rulebook import (
    FAILURE,
    PLACEMENT,
    REFERENCE,
    Given,
    NotChecked,
    Said,
    Serving,
    Violation,
    services,
)
from weighbridge.policies.families.llmkube.subject.source import SourceKind
from weighbridge.policies.families.references import CLAIMS


@services.warning(
    about=REFERENCE | PLACEMENT | FAILURE,
    mirrors="event ModelCachePVCNotFound, phase Failed",
    reads=("Deployment.apps", "Model", "PersistentVolumeClaim"),
    good="accepts-a-cache-claim",
    bad="warns-of-a-missing-cache-claim",
)
def check(serving: Serving, given: Given) -> Said:
    name = cache.own_claim(serving.service, serving.operator)
    if serving.is_metal or not name or cache.is_declined(serving.service, serving.operator):
        return
    missing = serving.source.kind is not SourceKind.CLAIM and CLAIMS.is_missing(given.facts, serving.namespace, name)
    if missing is None:
        yield NotChecked(CLAIMS.unknown)
    if not missing:
        return
    yield Violation(
        ("spec", "modelCache", "claimName"),
        f'namespace "{serving.namespace}" has no PersistentVolumeClaim "{name}"',
        found=name,
        nearest=CLAIMS.nearest(given.facts, serving.namespace, name),
        hint="create the claim in the same namespace, or remove the field for the operator's own cache",
    )
