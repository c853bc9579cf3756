"""A Model for Metal counts or claims GPUs of the cluster.

With accelerator `metal` the model runs on a Mac outside the cluster: no pod is made, no GPU requested. The count is
charged to a GPUQuota all the same.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_controller.go; quotas measured.
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
    if gpu is None or gpu.accelerator != "metal" or not (gpu.count > 0 or gpu.claims):
        return
    field = "count" if gpu.count > 0 else "resourceClaims"
    charged = "; a GPUQuota charges the GPUs all the same" if gpu.count > 0 else ""
    yield RULE.finding(
        ("spec", "hardware", "gpu", field),
        f"has no effect with accelerator metal, which runs no pod{charged}",
        hint="remove gpu, or choose another accelerator",
    )


RULE = Rule(
    id="LLMKUBE-032",
    name="metal-with-gpu",
    severity=Severity.WARNING,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/inferenceservice_controller.go",
    check=_check,
    good="source: https://example.com/model.gguf\nhardware: {accelerator: metal, memoryBudget: 24Gi}",
    bad="source: https://example.com/model.gguf\nhardware: {accelerator: metal, gpu: {count: 1}}",
)
