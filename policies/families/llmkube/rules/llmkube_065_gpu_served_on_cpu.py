"""The pod holds a GPU, and its image computes on the CPU.

llama.cpp's plain `server` image has no GPU backend, nor has one of vLLM or SGLang for CPUs: the device is taken from everybody else and
stays idle, and nothing says so. Without `spec.image` an image of llama.cpp for the GPU is filled in. An image of another vendor's GPU is
LLMKUBE-066.

Source: LLMKube v0.9.19 internal/controller/runtime_llamacpp.go; upstream issues 696, 1197.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.fill.images import LLAMA_CPP
from weighbridge.policies.families.llmkube.rulebook import Given, Said, Serving, Violation, services
from weighbridge.policies.families.serving_engines.images import build_of


@services.warning(
    reads=("Deployment.apps", "Model"),
    good="accepts-a-cpu-image-without-a-gpu",
    bad="warns-of-a-cpu-image-on-a-gpu",
)
def check(serving: Serving, given: Given) -> Said:
    build = build_of(given.config.images.upstream_of(serving.image))
    if serving.pod_model is None or not serving.gpus.present or build is None or build[1]:
        return
    fills = serving.spec.get("image") and serving.runtime in LLAMA_CPP
    yield Violation(
        ("spec", "image"),
        f"{serving.image} has no GPU backend, so the pod holds {serving.gpus.held} and computes on the CPU",
        found=serving.image,
        expected=f"an image for vendor {serving.gpus.vendor}",
        hint="remove spec.image; the right image is filled in" if fills else "set spec.image to an image for the GPU",
    )
