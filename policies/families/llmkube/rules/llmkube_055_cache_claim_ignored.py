"""A claim is named as the model cache, and the operator won't use it.

A Model that is on a claim already (pvc://) or has no key in the cache isn't downloaded into `modelCache.claimName`, and no
Model is where the cache is switched off.

Source: LLMKube v0.9.19, internal/controller/model_storage.go.
"""

from weighbridge.policies.families.llmkube.rulebook import PREDICTED, Said, Service, with_model
from weighbridge.policies.families.llmkube.rules._events import warned


@with_model.warning(
    mirrors="event ModelCacheClaimIgnored",
    reads=PREDICTED,
    good="accepts-a-cache-claim",
    bad="warns-of-a-cache-claim-that-is-ignored",
)
def check(service: Service) -> Said:
    if service.names("modelCache"):
        yield from warned(service.storage.events, "ModelCacheClaimIgnored", ("spec", "modelCache", "claimName"))
