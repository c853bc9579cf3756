"""A Model for Metal counts or claims GPUs of the cluster.

With accelerator `metal` the model runs on a Mac outside the cluster: no pod is made, no GPU requested. The count is
charged to a GPUQuota all the same.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_controller.go; quotas measured.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.gpu import gpu_request


@objects.warning(kinds=("Model",), good="warns-of-amd-without-a-runtime", bad="leaves-a-metal-model-alone")
def check(given: Given) -> Said:
    gpu = gpu_request(given.object)
    if gpu is None or gpu.accelerator != "metal" or not (gpu.count > 0 or gpu.claims):
        return
    field = "count" if gpu.count > 0 else "resourceClaims"
    charged = "; a GPUQuota charges the GPUs all the same" if gpu.count > 0 else ""
    yield Violation(
        ("spec", "hardware", "gpu", field),
        f"has no effect with accelerator metal, which runs no pod{charged}",
        hint="remove gpu, or choose another accelerator",
    )
