"""The GPU's vendor and the resource that the pod asks for belong to different vendors.

`gpu.vendor` chooses the image, `gpu.resourceName` the device. With vendor nvidia, which is the default, and `amd.com/gpu` the operator
starts the CUDA image on an AMD GPU: llama.cpp computes on the CPU, and vLLM stops. Set `gpu.vendor` to the vendor of the device.

Source: LLMKube v0.9.19, pkg/apiutil/gpu.go and internal/controller/runtime_llamacpp.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.operator import operator_for
from policies.families.llmkube.subject.gpu import gpu_request
from policies.findings import Finding, Severity
from policies.request import Request

#: The vendors by the domains of their device plugins.
_VENDORS: Final = {"nvidia.com": "nvidia", "amd.com": "amd", "gpu.intel.com": "intel"}


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    gpu = gpu_request(request.object, operator_for(request, facts, config))
    if gpu is None or gpu.accelerator == "metal":
        return
    vendor = _VENDORS.get(gpu.resource.partition("/")[0])
    if gpu.resource_name and vendor is not None and vendor != gpu.vendor:
        yield RULE.finding(
            ("spec", "hardware", "gpu", "vendor"),
            f"{gpu.resource} is a GPU of {vendor}, but vendor {gpu.vendor} chooses the image",
            found=gpu.vendor,
            expected=vendor,
            hint=f"set gpu.vendor to {vendor}",
        )


RULE = Rule(
    id="LLMKUBE-170",
    name="vendor-contradicts-resource",
    severity=Severity.WARNING,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 pkg/apiutil/gpu.go",
    reads=("Deployment.apps",),
    check=_check,
    good="source: https://example.com/m.gguf\nhardware: {gpu: {count: 1, vendor: amd, resourceName: amd.com/gpu}}",
    bad="source: https://example.com/m.gguf\nhardware: {gpu: {count: 1, vendor: nvidia, resourceName: amd.com/gpu}}",
)
