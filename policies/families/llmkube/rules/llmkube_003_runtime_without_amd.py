"""A GPU runtime is set for a vendor that has none, so it is ignored.

`gpu.runtime` chooses between Vulkan and ROCm on AMD GPUs. For the vendors nvidia (the default) and intel the operator
ignores it: the pod requests that vendor's resource and gets the CUDA or the CPU image.

Source: LLMKube v0.9.19, pkg/apiutil/gpu.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, gpu_models


@gpu_models.warning(topic="Models: GPUs and their memory", good="fills-vulkan-and-the-render-device", bad="warns-of-a-runtime-without-amd")
def check(model: Model) -> Said:
    gpu = model.gpu
    if gpu.runtime and gpu.vendor != "amd":
        yield Violation(
            ("spec", "hardware", "gpu", "runtime"),
            f'"{gpu.runtime}" has no effect for vendor {gpu.vendor}; the pod will request {gpu.resource}',
            found=f"gpu.runtime {gpu.runtime}, gpu.vendor {gpu.vendor}",
            hint="set gpu.vendor to amd, or remove runtime",
        )
