"""The pod holds a GPU, and its image computes on the CPU.

llama.cpp's plain `server` image has no GPU backend, and neither have the CPU images of vLLM and SGLang. The device stays idle, no other
pod can use it, and nothing reports it. If `spec.image` is empty, Weighbridge fills in a llama.cpp image for the GPU. LLMKUBE-066 is
about an image for another vendor's GPU.

Source: LLMKube v0.9.19, internal/controller/runtime_llamacpp.go; upstream issues 696, 1197.
"""

from weighbridge.policies.families.llmkube.fill.images import LLAMA_CPP
from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, with_model
from weighbridge.policies.families.serving_engines.images import build_of


@with_model.warning(topic="Services: images", good="accepts-a-cpu-image-without-a-gpu", bad="warns-of-a-cpu-image-on-a-gpu")
def check(service: Service) -> Said:
    gpus, build = service.gpus, build_of(service.config.images.upstream_of(service.image))
    if not gpus.present or build is None or build[1]:
        return
    fills = service.spec.get("image") and service.runtime in LLAMA_CPP
    yield Violation(
        ("spec", "image"),
        f"{service.image} has no GPU backend, so the pod holds {gpus.held} and computes on the CPU",
        found=service.image,
        expected=f"an image for vendor {gpus.vendor}",
        hint="remove spec.image; the right image is filled in" if fills else "set spec.image to an image for the GPU",
    )
