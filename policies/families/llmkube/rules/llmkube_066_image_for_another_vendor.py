"""The image is built for another vendor's GPU than the pod gets.

Upstream starts the same CUDA image of vLLM and TGI on every vendor's GPU, and that of SGLang on Intel's: the engine crashes when it
starts. An image in `spec.image` may be another vendor's as well, such as llama.cpp's `server-rocm` on an NVIDIA GPU: llama.cpp computes on
the CPU then, the other engines end at start. Known are the images that the engines' projects publish, also from a mirror that the
configuration names (`images.mirrors`) or that keeps the last two steps of their names. Name an image for the vendor in `spec.image`, or in
the configuration's `llmkube.images`.

Source: LLMKube v0.9.19 internal/controller/runtime_*.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts.accelerators import vendor_of_resource
from weighbridge.policies.families.llmkube.rulebook import Given, Said, Serving, Violation, services
from weighbridge.policies.families.serving_engines.images import build_of
from weighbridge.policies.ground.findings import Severity

_FOREIGN: Final = {"vllm": ("amd", "intel"), "tgi": ("amd", "intel"), "sglang": ("intel",)}


@services.error(
    reads=("Deployment.apps", "Model"),
    good="accepts-the-render-group-of-the-author",
    bad="refuses-vllm-on-amd-without-an-image",
)
def check(serving: Serving, given: Given) -> Said:
    gpus = serving.gpus
    if serving.pod_model is None or not gpus.present:
        return
    if serving.has_own_image:
        yield from _of_author(serving, given.config)
    elif gpus.vendor in _FOREIGN.get(serving.runtime, ()):
        yield _of_operator(serving)


def _of_author(serving: Serving, config: Configuration) -> Iterator[Violation]:
    gpus = serving.gpus
    vendor = vendor_of_resource(gpus.resource) or gpus.vendor
    build = build_of(config.images.upstream_of(serving.image))
    # An image for CPUs alone is another rule's.
    if build is not None and build[1] and vendor.lower() not in build[1]:
        finding = Violation(
            ("spec", "image"),
            f"{serving.image} is built for {build[0]}, and the pod holds {gpus.held}",
            found=serving.image,
            expected=f"an image for vendor {vendor.lower()}",
            hint="take the image that the engine's project builds for this GPU",
        )
        yield replace(finding, severity=Severity.WARNING)


def _of_operator(serving: Serving) -> Violation:
    gpus = serving.gpus
    return Violation(
        ("spec", "image"),
        f"by default {serving.operator.name} starts {serving.image}, which is built for NVIDIA, on a GPU of vendor {gpus.vendor}",
        expected=f"an image of {serving.runtime} for {gpus.vendor}",
        hint=f"set spec.image, or llmkube.images with the key {serving.runtime}/{gpus.vendor} in the configuration",
    )
