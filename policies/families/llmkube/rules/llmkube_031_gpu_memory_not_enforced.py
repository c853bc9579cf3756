"""The memory of a GPU is stated, but limits nothing.

`gpu.memory` neither chooses a GPU that is large enough nor limits what the model takes; only quotas read it, for
services that share a GPU. A node with enough memory is chosen by `nodeSelector`, a slice of a GPU by `gpuSharing`.

Source: LLMKube v0.9.19, internal/controller/gpu_sharing.go; upstream pull request 1314.
"""

from __future__ import annotations

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.gpu import gpu_request
from weighbridge.policies.families.llmkube.subject.references import services_of
from weighbridge.policies.ground.fields import amount, part, text
from weighbridge.policies.ground.request import Request


@objects.note(
    kinds=("Model",),
    reads=("InferenceService",),
    good="warns-of-sharding-on-one-gpu",
    bad="notes-gpu-memory-that-limits-nothing",
)
def check(given: Given) -> Said:
    gpu = gpu_request(given.object)
    memory = text(part(given.spec, "hardware", "gpu"), "memory")
    if gpu is None or not gpu.wanted or amount(memory) is None or _is_shared(given.request, given.facts):
        return  # what is no quantity LLMKUBE-012 speaks of
    yield Violation(
        ("spec", "hardware", "gpu", "memory"),
        f"{memory} neither chooses a GPU nor limits the model; only quotas of shared GPUs count it",
        found=memory,
        hint="select nodes with such GPUs in spec.nodeSelector of the InferenceService",
    )


def _is_shared(request: Request, facts: Facts) -> bool:
    """Whether a service of the Model shares its GPU."""
    services = services_of(request.object, request.namespace, facts)
    return any(text(part(spec_of(service), "resources", "gpuSharing"), "mode") == "shared" for service in services)
