"""The container image that a service runs.

The author's image wins, then the operator's image for the runtime, then the variant for the GPU's vendor, then the runtime's own.
Source: LLMKube v0.9.19 and v0.9.5, internal/controller/deployment_builder.go and runtime_*.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.predictions.service.workload import LLAMACPP, Workload
from weighbridge.policies.ground.fields import text

_IMAGE: Final = "spec.template.spec.containers[0].image"
LLAMACPP_CPU: Final = "ghcr.io/ggml-org/llama.cpp:server"
LLAMACPP_CUDA: Final = "ghcr.io/ggml-org/llama.cpp:server-cuda-b10068"
LLAMACPP_VULKAN: Final = "ghcr.io/defilantech/llmkube-llama-vulkan@sha256:cbab8af682ecac9b5c865d85219d808dc356814326c70346e05b8b20b333e295"
LLAMACPP_ROCM: Final = "ghcr.io/defilantech/llmkube-llama-rocm@sha256:8da16041a18b4f03f0be4de5e064be97ba8937149091d6693ee09711da362849"
SGLANG_ROCM: Final = "lmsysorg/sglang:v0.5.15-rocm720-mi30x"

#: Runtimes whose image is a setting of the operator: neither the router nor the runtimes without a default image.
_OVERRIDABLE: Final = frozenset({LLAMACPP, "vllm", "sglang", "tgi"})
#: The runtimes' default images: the newest ones, and those up to v0.9.5. It isn't recorded which release between changed which image.
_OWN: Final = {
    LLAMACPP: LLAMACPP_CPU,
    "llamacpp-router": LLAMACPP_CPU,
    "vllm": "vllm/vllm-openai:v0.25.1",
    "sglang": "lmsysorg/sglang:v0.5.15.post1-cu129",
    "tgi": "ghcr.io/huggingface/text-generation-inference:3.3.7",
}
_OWN_BEFORE: Final = {
    **_OWN,
    "vllm": "vllm/vllm-openai:v0.20.0",
    "sglang": "lmsysorg/sglang:v0.5.15-cu129",
    "tgi": "ghcr.io/huggingface/text-generation-inference:latest",
}


def image(workload: Workload) -> str:
    """The image; empty if none is named, which can happen with the runtimes generic and personaplex."""
    found, source, reason = _decide(workload)
    workload.record(_IMAGE, found, source, reason)
    return found


def _decide(workload: Workload) -> tuple[str, str, str]:
    """The image, its source and the reason."""
    own = text(workload.spec, "image")
    if own:
        return own, workload.of_service("spec.image"), "the author's image wins over every other"
    runtime, operator = workload.runtime, workload.operator
    configured = (operator.runtime_images or {}).get(runtime, "") if runtime in _OVERRIDABLE else ""
    if configured:
        return (
            configured,
            workload.of_operator("--runtime-images", "runtime_images"),
            f"the operator's image for runtime {runtime}, for any vendor",
        )
    variant, why = _variant(workload)
    if variant:
        return variant, operator.name, why
    images = _OWN if operator.since(0, 9, 6) else _OWN_BEFORE
    default = images.get(runtime, "")
    if not default:
        return "", operator.name, f"runtime {runtime} has no image of its own: spec.image must name one"
    return default, operator.name, f"the image of runtime {runtime}{_on_cpu(workload)}"


def _variant(workload: Workload) -> tuple[str, str]:
    """The image for the GPU's vendor and runtime, and why; empty if there is none."""
    gpus, operator = workload.gpus, workload.operator
    if workload.runtime == "sglang" and gpus.vendor == "amd" and gpus.has_block:
        return SGLANG_ROCM, "the ROCm image of sglang, since the Model's vendor is amd"
    if workload.runtime != LLAMACPP or not gpus.has_block:
        return "", ""
    if gpus.vendor == "amd" and gpus.runtime == "vulkan":
        return LLAMACPP_VULKAN, "the Vulkan image, since the Model's vendor is amd and its GPU runtime vulkan"
    if gpus.vendor == "amd" and gpus.runtime == "rocm" and operator.since(0, 9, 8):
        return LLAMACPP_ROCM, "the ROCm image, since the Model's vendor is amd and its GPU runtime rocm"
    counted = gpus.count_from == "Model spec.hardware.gpu.count"
    if gpus.vendor == "nvidia" and (gpus.enabled or counted) and operator.since(0, 9, 9):
        return LLAMACPP_CUDA, "the CUDA image, since the Model requests an NVIDIA GPU"
    return "", ""


def _on_cpu(workload: Workload) -> str:
    """The remark on an image that leaves the pod's GPU idle."""
    if workload.runtime != LLAMACPP or not workload.gpus.present:
        return ""
    return ", which computes on the CPU though the pod gets a GPU"
