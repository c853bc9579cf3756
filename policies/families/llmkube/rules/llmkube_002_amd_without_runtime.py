"""A Model on an AMD GPU names no runtime, so llama.cpp serves it on the CPU.

Without `gpu.runtime` the operator requests `amd.com/gpu` but starts the stock llama.cpp image, which has no AMD
backend: the pod holds a GPU and computes on the CPU. Write `runtime: vulkan` or `runtime: rocm`. vLLM and SGLang have
their own images and don't read the field. Weighbridge fills in the Vulkan image if a service has no image, so this is a
warning. If services of the Model are known, the rule warns only of those that start llama.cpp and set no image.

Source: LLMKube v0.9.19, internal/controller/runtime_llamacpp.go; upstream issues 3, 696, 697, 701, 727.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, gpu_models
from weighbridge.policies.families.llmkube.rules._services import where_the_image_is_open


@gpu_models.warning(
    topic="Models: GPUs and their memory",
    reads=("InferenceService",),
    good="fills-rocm-and-the-render-device",
    bad="warns-of-amd-without-a-runtime",
)
def check(model: Model) -> Said:
    where = where_the_image_is_open(model) if model.gpu.vendor == "amd" and not model.gpu.runtime else ""
    if where:
        yield Violation(
            ("spec", "hardware", "gpu", "runtime"),
            f"runtime isn't set for vendor amd, so llama.cpp runs its CPU image {where}",
            expected="vulkan or rocm",
            hint="set runtime to vulkan or rocm; vLLM and SGLang don't need it",
        )
