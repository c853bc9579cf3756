"""The memory of a GPU is stated, but limits nothing.

`gpu.memory` doesn't choose a GPU that is large enough, and doesn't limit what the model takes. Only quotas read it, for
services that share a GPU. Choose a node with enough memory with `nodeSelector`, or a slice of a GPU with `gpuSharing`.

Source: LLMKube v0.9.19, internal/controller/gpu_sharing.go; upstream pull request 1314.
"""

from weighbridge.policies.families.llmkube.rulebook import JSONObject, Model, Said, Violation, amount, gpu_models, part, text
from weighbridge.policies.families.llmkube.subject.references import services_of


@gpu_models.note(
    topic="Models: GPUs and their memory",
    reads=("InferenceService",),
    good="accepts-sharding-by-rows",
    bad="notes-gpu-memory-that-limits-nothing",
)
def check(model: Model) -> Said:
    memory = text(model.gpu_block, "memory")
    # LLMKUBE-012 warns of a value that isn't a quantity.
    if amount(memory) is not None and not any(map(_shares, services_of(model.object, model.namespace, model.facts))):
        yield Violation(
            ("spec", "hardware", "gpu", "memory"),
            f"{memory} neither chooses a GPU nor limits the model; only quotas of shared GPUs count it",
            found=memory,
            hint="select nodes with such GPUs in spec.nodeSelector of the InferenceService",
        )


def _shares(service: JSONObject) -> bool:
    return text(part(service, "spec", "resources", "gpuSharing"), "mode") == "shared"
