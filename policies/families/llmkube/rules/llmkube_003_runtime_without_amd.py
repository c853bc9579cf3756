"""A GPU runtime is set for a vendor that has none, so it is ignored.

`gpu.runtime` chooses between Vulkan and ROCm on AMD GPUs. For vendors nvidia (which is the default where no vendor is
written) and intel the operator ignores it: the pod requests that vendor's resource and gets the CUDA or the CPU image.

Source: LLMKube v0.9.19, pkg/apiutil/gpu.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.subject.gpu import gpu_request
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    gpu = gpu_request(request.object)
    if gpu is not None and gpu.wanted and gpu.runtime and gpu.vendor != "amd":
        yield RULE.finding(
            ("spec", "hardware", "gpu", "runtime"),
            f'"{gpu.runtime}" has no effect for vendor {gpu.vendor}; the pod will request {gpu.resource}',
            found=f"gpu.runtime {gpu.runtime}, gpu.vendor {gpu.vendor}",
            hint="set gpu.vendor to amd, or remove runtime",
        )


RULE = Rule(
    id="LLMKUBE-003",
    name="runtime-without-amd",
    severity=Severity.WARNING,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 pkg/apiutil/gpu.go",
    check=_check,
    good="source: hf://org/model\nhardware: {gpu: {count: 1, vendor: amd, runtime: rocm}}",
    bad="source: hf://org/model\nhardware: {gpu: {count: 1, vendor: intel, runtime: vulkan}}",
)
