"""The pod requests a resource of another vendor than the Model's `gpu.vendor`.

The operator chooses the image by `gpu.vendor` and the device by `gpu.resourceName`. With vendor nvidia, which is the default, and
`amd.com/gpu` the operator starts the CUDA image on an AMD GPU: llama.cpp computes on the CPU, and vLLM fails. Set `gpu.vendor` to the
vendor of the device.

Source: LLMKube v0.9.19, pkg/apiutil/gpu.go; internal/controller/runtime_llamacpp.go.
"""

from typing import Final

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, models
from weighbridge.policies.families.llmkube.subject.gpu import gpu_request

#: The vendors by the domains of their device plugins.
_VENDORS: Final = {"nvidia.com": "nvidia", "amd.com": "amd", "gpu.intel.com": "intel"}


@models.warning(
    topic="Models: GPUs and their memory",
    reads=("Deployment.apps",),
    good="accepts-an-amd-resource-for-amd",
    bad="warns-of-an-amd-resource-for-nvidia",
)
def check(model: Model) -> Said:
    gpu = gpu_request(model.object, model.operator)
    vendor = _VENDORS.get(gpu.resource.partition("/")[0], gpu.vendor)
    if gpu.resource_name and vendor != gpu.vendor and not model.is_metal:
        yield Violation(
            ("spec", "hardware", "gpu", "vendor"),
            f"{gpu.resource} is a GPU of {vendor}, but vendor {gpu.vendor} chooses the image",
            found=gpu.vendor,
            expected=vendor,
            hint=f"set gpu.vendor to {vendor}",
        )
