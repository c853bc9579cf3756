"""The image of an InferenceService: the configured one, else one for the GPU if the operator would start llama.cpp's CPU image on it.

The configuration's `llmkube.images` comes first, by runtime, vendor and GPU runtime. Without an entry there, Weighbridge fills in an image
only if the operator's image would fail silently: the pod would hold a GPU and compute on the CPU. An image in the operator's settings
(`--runtime-images`) is its administrator's choice and stays.

Source: LLMKube v0.9.19, internal/controller/runtime_llamacpp.go (the images that it pins); docs/intel-gpu-quickstart.md.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import image_of
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.families.llmkube.fill.situation import Situation
from weighbridge.policies.families.llmkube.predictions.service.image import LLAMACPP_CPU, LLAMACPP_CUDA, LLAMACPP_ROCM, LLAMACPP_VULKAN
from weighbridge.policies.families.llmkube.predictions.service.image import image as chosen_image
from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.records import replace

PATH: Final[Path] = ("spec", "image")

SYCL: Final = "ghcr.io/ggml-org/llama.cpp:server-intel"
#: The engines that start llama.cpp's image.
LLAMA_CPP: Final = frozenset({"llamacpp", "llamacpp-router"})


def image(situation: Situation) -> Filling | None:
    """The image to fill in, pinned and from its mirror; `None` if the operator's own is good enough, or if none may be filled in."""
    found = configured(situation) or _for_the_gpu(situation)
    if found is None:
        return None
    value = image_of(situation.config, str(found.value))
    return replace(found, value=value) if situation.config.fills_in_image(value) else None


def configured(situation: Situation) -> Filling | None:
    """The image that the configuration gives, by the most exact of its keys; the vendor is a part of the key only if the pod gets a GPU."""
    images = situation.config.settings_of(LLMKube).images
    if not images:
        return None
    gpus, keys = situation.gpus, [situation.runtime]
    if gpus.present or gpus.enabled:
        keys.append(f"{situation.runtime}/{gpus.vendor}")
        if gpus.runtime:
            keys.append(f"{situation.runtime}/{gpus.vendor}/{gpus.runtime}")
    key = next((key for key in reversed(keys) if key in images), None)
    return Filling(images[key], "configuration", f"llmkube.images, {key}") if key is not None else None


def serves_on_cpu(situation: Situation) -> bool:
    """Whether the pod holds a GPU and starts llama.cpp's CPU image, although the operator's administrator didn't set that image."""
    if not situation.gpus.present or situation.runtime not in LLAMA_CPP:
        return False
    configured = (situation.operator.runtime_images or {}).get("llamacpp") if situation.runtime == "llamacpp" else None
    return not configured and chosen_image(situation.workload) == LLAMACPP_CPU


def _for_the_gpu(situation: Situation) -> Filling | None:
    if not serves_on_cpu(situation):
        return None
    value, of = _of_vendor(situation)
    return Filling(value, "vendor table", f"{of}; {situation.operator.name} would start llama.cpp's CPU image, which leaves the GPU idle")


def _of_vendor(situation: Situation) -> tuple[str, str]:
    """The image for the vendor, and the fields from which it follows."""
    gpus = situation.gpus
    if gpus.vendor == "amd":
        wanted = gpus.runtime or text(part(spec_of(situation.model), "hardware"), "accelerator")
        if wanted == "rocm":
            return LLAMACPP_ROCM, "gpu.vendor amd, ROCm"
        return LLAMACPP_VULKAN, "gpu.vendor amd, Vulkan" if wanted == "vulkan" else "gpu.vendor amd; Vulkan runs on every AMD GPU"
    if gpus.vendor == "intel":
        return SYCL, "gpu.vendor intel"
    return LLAMACPP_CUDA, "gpu.vendor nvidia" if gpus.has_block else "the Model has no gpu block, so its vendor is nvidia"
