"""A claim is named as the model cache, and the operator won't use it.

Models that lie on a claim already (pvc://), that have no key in the cache, or that a switched off cache never sees, aren't
downloaded into `modelCache.claimName`.

Source: LLMKube v0.9.19 internal/controller/model_storage.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import Said, Serving, Violation, services


@services.warning(
    mirrors="event ModelCacheClaimIgnored",
    reads=("Deployment.apps", "InferenceService", "Model", "PersistentVolumeClaim"),
    good="accepts-a-cache-claim",
    bad="warns-of-a-cache-claim-that-is-ignored",
)
def check(serving: Serving) -> Said:
    if serving.pod_model is None or not serving.names("modelCache"):
        return
    for event in serving.storage.events:
        if event.reason == "ModelCacheClaimIgnored":
            yield Violation(("spec", "modelCache", "claimName"), event.note)
