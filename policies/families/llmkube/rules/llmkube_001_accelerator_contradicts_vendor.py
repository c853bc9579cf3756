"""The accelerator belongs to another vendor's GPU than the one that the pod will request.

The operator chooses the pod's resource and image by `gpu.vendor` and `gpu.runtime`. It uses `accelerator` only to check
whether the Model is ready. If they contradict each other, the pod may request an NVIDIA GPU with the CUDA image while
the author meant ROCm, and the readiness check looks for a third resource. Write the vendor that the accelerator belongs
to (the default is nvidia), or leave the accelerator out.

Source: LLMKube v0.9.19, pkg/apiutil/gpu.go; internal/controller/gpu_resources.go; upstream issues 730, 735, 1074.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, gpu_models
from weighbridge.policies.families.llmkube.subject.gpu import ACCELERATORS


@gpu_models.error(topic="Models: GPUs and their memory", good="accepts-rocm-on-an-amd-gpu", bad="refuses-rocm-on-an-nvidia-gpu")
def check(model: Model) -> Said:
    gpu, fitting = model.gpu, ACCELERATORS.get(model.gpu.vendor, ())
    vendors = " or ".join(sorted(vendor for vendor, names in ACCELERATORS.items() if gpu.accelerator in names))
    # Upstream's own defaulter writes the runtime into the accelerator, whatever the vendor is: LLMKUBE-003 is about that. The CRD refuses
    # an accelerator of no vendor.
    if gpu.accelerator in {"cpu", gpu.runtime, *fitting} or not fitting or not vendors:
        return
    yield Violation(
        ("spec", "hardware", "accelerator"),
        f'"{gpu.accelerator}" contradicts gpu.vendor "{gpu.vendor}"; the pod will request {gpu.resource}',
        found=f"accelerator {gpu.accelerator}, gpu.vendor {gpu.vendor}",
        expected=f"accelerator {' or '.join(sorted(fitting))} for vendor {gpu.vendor}",
        hint=f"set gpu.vendor to {vendors}, or leave accelerator out",
    )
