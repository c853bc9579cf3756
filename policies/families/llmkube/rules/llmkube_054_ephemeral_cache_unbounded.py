"""Weights go to the node's own disk, and nothing says how much of it they may take.

With `modelCache.persistence: Ephemeral` and no `resources.ephemeralStorage` neither scheduler nor kubelet counts the download: it
can fill the node.

Source: LLMKube v0.9.19, internal/controller/model_storage.go.
"""

from weighbridge.policies.families.llmkube.rulebook import PREDICTED, Said, Service, with_model
from weighbridge.policies.families.llmkube.rules._events import warned


@with_model.warning(
    mirrors="event UnboundedEphemeralCache",
    reads=PREDICTED,
    good="leaves-the-cuda-image-to-the-operator",
    bad="warns-of-an-unbounded-ephemeral-cache",
)
def check(service: Service) -> Said:
    if service.names("modelCache"):
        yield from warned(service.storage.events, "UnboundedEphemeralCache", ("spec", "resources", "ephemeralStorage"))
