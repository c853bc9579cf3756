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

from policies.config import Configuration
from policies.facts import Facts
from policies.facts.accelerators import vendor_of_resource
from policies.families.family import Rule
from policies.families.llmkube.subject.serving import Serving, serving_of
from policies.families.serving_engines.images import build_of
from policies.findings import Finding, Severity
from policies.request import Request

_FOREIGN: Final = {"vllm": ("amd", "intel"), "tgi": ("amd", "intel"), "sglang": ("intel",)}


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    gpus = serving.gpus
    if serving.pod_model is None or not gpus.present:
        return
    if serving.has_own_image:
        yield from _of_author(serving, config)
    elif gpus.vendor in _FOREIGN.get(serving.runtime, ()):
        yield _of_operator(serving)


def _of_author(serving: Serving, config: Configuration) -> Iterator[Finding]:
    gpus = serving.gpus
    vendor = vendor_of_resource(gpus.resource) or gpus.vendor
    build = build_of(config.images.upstream_of(serving.image))
    # An image for CPUs alone is another rule's.
    if build is not None and build[1] and vendor.lower() not in build[1]:
        finding = RULE.finding(
            ("spec", "image"),
            f"{serving.image} is built for {build[0]}, and the pod holds {gpus.held}",
            found=serving.image,
            expected=f"an image for vendor {vendor.lower()}",
            hint="take the image that the engine's project builds for this GPU",
        )
        yield replace(finding, severity=Severity.WARNING)


def _of_operator(serving: Serving) -> Finding:
    gpus = serving.gpus
    return RULE.finding(
        ("spec", "image"),
        f"by default {serving.operator.name} starts {serving.image}, which is built for NVIDIA, on a GPU of vendor {gpus.vendor}",
        expected=f"an image of {serving.runtime} for {gpus.vendor}",
        hint=f"set spec.image, or llmkube.images with the key {serving.runtime}/{gpus.vendor} in the configuration",
    )


RULE = Rule(
    id="LLMKUBE-066",
    name="image-for-another-vendor",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/runtime_vllm.go",
    reads=("Deployment.apps", "Model"),
    beside=(
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: amd, namespace: default}\n"
        "spec: {source: https://example.com/m.gguf, hardware: {gpu: {count: 1, vendor: amd, runtime: vulkan}}}"
    ),
    check=_check,
    good="modelRef: amd\nruntime: vllm\nimage: docker.io/rocm/vllm:rocm7.0_vllm_0.11.0",
    bad="modelRef: amd\nruntime: vllm",
)
