"""The weights alone need more memory than the GPUs of any node have.

The operator doesn't compare them. The pod is scheduled, llama.cpp or vLLM runs out of memory while it loads the model, and
crashes again and again. The rule takes the size of the weights from the stored Model's status, or else from the parameters
and the quantization in the file's name. It estimates the size of a repository (`Qwen/Qwen2.5-72B-Instruct`) from its name,
at 16 bits unless the name has another number. It takes the memory of a GPU from the labels of the nodes; shares of a GPU,
such as time slices, add no memory. Context and buffers need more. The rule is silent if one of the two isn't known, or if
`layers` leaves a part of the model to the CPU. LLMKUBE-171 checks the nodes that a service selects.

Source: LLMKube v0.9.19, internal/controller, which has no such check for pods; upstream issues 185, 487, 640.
"""

from typing import Final

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, models, part, text, whole
from weighbridge.policies.families.llmkube.subject.gpu import gpu_request
from weighbridge.policies.families.llmkube.subject.weights import weights
from weighbridge.policies.families.weights import GIB

_HINT: Final = "count more GPUs, take a smaller quantization, or leave layers to the CPU with gpu.layers"
_HINT_FOR_SHARES: Final = "take GPUs that aren't shared or a smaller quantization, or leave layers to the CPU with gpu.layers"


@models.warning(
    topic="Models: GPUs and their memory",
    reads=("Deployment.apps", "Node"),
    good="accepts-weights-that-fit-two-gpus",
    bad="warns-of-weights-that-fit-no-gpu",
)
def check(model: Model) -> Said:
    gpu, inventory = gpu_request(model.object, model.operator), model.facts.inventory
    if not gpu.wanted or gpu.count <= 0 or inventory is None or whole(model.gpu_block, "layers", -1) > 0:
        return
    from weighbridge.policies.facts.accelerators.memory import memory_of, most_memory
    from weighbridge.policies.facts.accelerators.units import known_units

    needed = weights(model.object)
    used = 1 if text(part(model.gpu_block, "sharding"), "strategy") == "none" else gpu.count
    most = most_memory(inventory, gpu.resource, gpu.count, used) if needed is not None else None
    if needed is None or most is None or needed.size <= most.size:
        return
    held, node = most.size, most.node
    named = f"node {node.name}{node.product_note(gpu.resource)}"
    yield Violation(
        ("spec", "hardware", "gpu", "count"),
        f"the weights need {needed.shown}, and {used} {gpu.resource} of {named}, which has most, hold {held / GIB:.1f} GiB",
        found=f"{used} GPU" if used == 1 else f"{used} GPUs",
        expected=f"at least {-(-needed.size // memory_of(node, gpu.resource))} of these GPUs",
        hint=_HINT if known_units(inventory, node, gpu.resource) is None else _HINT_FOR_SHARES,
    )
