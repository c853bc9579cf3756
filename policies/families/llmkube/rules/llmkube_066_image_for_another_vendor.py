"""The image is built for another vendor's GPU than the pod gets.

Upstream starts the CUDA image of vLLM and TGI on every vendor's GPU, and the CUDA image of SGLang also on Intel GPUs: the engine crashes
at start. An image in `spec.image` may also be another vendor's, such as llama.cpp's `server-rocm` on an NVIDIA GPU: llama.cpp then
computes on the CPU, and the other engines fail at start. The rule knows the images that the engines' projects publish. It also knows them
in a mirror that the configuration names (`images.mirrors`) or that keeps the last two parts of their names. Name an image for the vendor
in `spec.image`, or in the configuration's `llmkube.images`.

Source: LLMKube v0.9.19, internal/controller/runtime_*.go.
"""

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.facts.accelerators import vendor_of_resource
from weighbridge.policies.families.llmkube.rulebook import Said, Service, Severity, Violation, with_model
from weighbridge.policies.families.serving_engines.images import build_of

_FOREIGN: Final = {"vllm": ("amd", "intel"), "tgi": ("amd", "intel"), "sglang": ("intel",)}


@with_model.error(topic="Services: images", good="accepts-the-render-group-of-the-author", bad="refuses-vllm-on-amd-without-an-image")
def check(service: Service) -> Said:
    if service.gpus.present:
        yield from _of_author(service) if service.has_own_image else _of_operator(service)


def _of_author(service: Service) -> Iterator[Violation]:
    gpus, build = service.gpus, build_of(service.config.images.upstream_of(service.image))
    vendor = (vendor_of_resource(gpus.resource) or gpus.vendor).lower()
    # LLMKUBE-065 is about images for CPUs.
    if build is not None and build[1] and vendor not in build[1]:
        yield Violation(
            ("spec", "image"),
            f"{service.image} is built for {build[0]}, and the pod holds {gpus.held}",
            found=service.image,
            expected=f"an image for vendor {vendor}",
            hint="take the image that the engine's project builds for this GPU",
            severity=Severity.WARNING,
        )


def _of_operator(service: Service) -> Iterator[Violation]:
    runtime, vendor = service.runtime, service.gpus.vendor
    if vendor in _FOREIGN.get(runtime, ()):
        yield Violation(
            ("spec", "image"),
            f"by default {service.operator.name} starts {service.image}, which is built for NVIDIA, on a GPU of vendor {vendor}",
            expected=f"an image of {runtime} for {vendor}",
            hint=f"set spec.image, or llmkube.images with the key {runtime}/{vendor} in the configuration",
        )
