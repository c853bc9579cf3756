"""The accelerator belongs to another vendor's GPU than the one that the pod will request.

The pod's resource and image follow `gpu.vendor` and `gpu.runtime`; `accelerator` only drives the readiness check. Where
they contradict each other the pod requests, say, an NVIDIA GPU with the CUDA image while the author asked for ROCm, and
the readiness check looks for a third resource. Write the vendor that the accelerator belongs to (it defaults to nvidia),
or leave the accelerator out.

Source: LLMKube v0.9.19, pkg/apiutil/gpu.go and internal/controller/gpu_resources.go; upstream issues 730, 735, 1074.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.subject.gpu import ACCELERATORS, gpu_request
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    gpu = gpu_request(request.object)
    # Upstream's own defaulter writes the runtime into the accelerator, whatever the vendor; LLMKUBE-003 speaks of that.
    if gpu is None or not gpu.wanted or gpu.accelerator in {"cpu", gpu.runtime}:
        return
    fitting = ACCELERATORS.get(gpu.vendor)
    vendors = " or ".join(sorted(vendor for vendor, names in ACCELERATORS.items() if gpu.accelerator in names))
    if fitting is None or gpu.accelerator in fitting or not vendors:
        return  # the CRD refuses other values
    yield RULE.finding(
        ("spec", "hardware", "accelerator"),
        f'"{gpu.accelerator}" contradicts gpu.vendor "{gpu.vendor}"; the pod will request {gpu.resource}',
        found=f"accelerator {gpu.accelerator}, gpu.vendor {gpu.vendor}",
        expected=f"accelerator {' or '.join(sorted(fitting))} for vendor {gpu.vendor}",
        hint=f"set gpu.vendor to {vendors}, or leave accelerator out",
    )


RULE = Rule(
    id="LLMKUBE-001",
    name="accelerator-contradicts-vendor",
    severity=Severity.ERROR,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 pkg/apiutil/gpu.go",
    check=_check,
    good="source: hf://org/model\nhardware: {accelerator: rocm, gpu: {count: 1, vendor: amd, runtime: rocm}}",
    bad="source: hf://org/model\nhardware: {accelerator: rocm, gpu: {count: 1, vendor: nvidia}}",
)
