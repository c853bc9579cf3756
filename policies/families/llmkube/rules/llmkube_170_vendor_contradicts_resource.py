"""The GPU's vendor and the resource that the pod asks for belong to different vendors.

`gpu.vendor` chooses the image, `gpu.resourceName` the device. With vendor nvidia, which is the default, and `amd.com/gpu` the operator
starts the CUDA image on an AMD GPU: llama.cpp computes on the CPU, and vLLM stops. Set `gpu.vendor` to the vendor of the device.

Source: LLMKube v0.9.19, pkg/apiutil/gpu.go and internal/controller/runtime_llamacpp.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.operator import operator_for
from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.gpu import gpu_request

#: The vendors by the domains of their device plugins.
_VENDORS: Final = {"nvidia.com": "nvidia", "amd.com": "amd", "gpu.intel.com": "intel"}


@objects.warning(
    kinds=("Model",),
    reads=("Deployment.apps",),
    good="accepts-an-amd-resource-for-amd",
    bad="warns-of-an-amd-resource-for-nvidia",
)
def check(given: Given) -> Said:
    gpu = gpu_request(given.object, operator_for(*given))
    if gpu is None or gpu.accelerator == "metal":
        return
    vendor = _VENDORS.get(gpu.resource.partition("/")[0])
    if gpu.resource_name and vendor is not None and vendor != gpu.vendor:
        yield Violation(
            ("spec", "hardware", "gpu", "vendor"),
            f"{gpu.resource} is a GPU of {vendor}, but vendor {gpu.vendor} chooses the image",
            found=gpu.vendor,
            expected=vendor,
            hint=f"set gpu.vendor to {vendor}",
        )
