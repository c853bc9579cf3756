"""Weights are downloaded to the node's disk, and nothing limits how much of it they take.

With `modelCache.persistence: Ephemeral` and no `resources.ephemeralStorage` neither the scheduler nor the kubelet counts the
download, which can fill the node's disk.

Source: LLMKube v0.9.19, internal/controller/model_storage.go.
"""

from weighbridge.policies.families.llmkube.rulebook import PREDICTED, Said, Service, with_model
from weighbridge.policies.families.llmkube.rules._events import warned

_HINT = "set resources.ephemeralStorage above the model's size"


@with_model.warning(
    topic="Services: their Model and its weights",
    mirrors="event UnboundedEphemeralCache",
    reads=PREDICTED,
    good="accepts-a-bounded-ephemeral-cache",
    bad="warns-of-an-unbounded-ephemeral-cache",
)
def check(service: Service) -> Said:
    if service.names("modelCache"):
        yield from warned(service.storage.events, "UnboundedEphemeralCache", ("spec", "resources", "ephemeralStorage"), hint=_HINT)
