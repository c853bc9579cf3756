"""A claim is named as the model cache, but the operator doesn't use it.

The operator doesn't download a Model into `modelCache.claimName` if the Model is on a claim already (pvc://), if it has no
key in the cache, or if the cache is switched off.

Source: LLMKube v0.9.19, internal/controller/model_storage.go.
"""

from weighbridge.policies.families.llmkube.rulebook import PREDICTED, Said, Service, with_model
from weighbridge.policies.families.llmkube.rules._events import warned


@with_model.warning(
    topic="Services: their Model and its weights",
    mirrors="event ModelCacheClaimIgnored",
    reads=PREDICTED,
    good="accepts-a-cache-claim",
    bad="warns-of-a-cache-claim-that-is-ignored",
)
def check(service: Service) -> Said:
    if service.names("modelCache"):
        path = ("spec", "modelCache", "claimName")
        yield from warned(service.storage.events, "ModelCacheClaimIgnored", path, hint="remove modelCache.claimName")
