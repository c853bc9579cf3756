"""The pod holds a GPU, and its image computes on the CPU.

llama.cpp's plain `server` image has no GPU backend, nor has one of vLLM or SGLang for CPUs: the device is taken from everybody else and
stays idle, and nothing says so. Without `spec.image` an image of llama.cpp for the GPU is filled in. An image of another vendor's GPU is
LLMKUBE-066.

Source: LLMKube v0.9.19 internal/controller/runtime_llamacpp.go; upstream issues 696, 1197.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.defaults.images import LLAMA_CPP
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.families.serving_engines.images import build_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    build = build_of(config.images.upstream_of(serving.image))
    if serving.pod_model is None or not serving.gpus.present or build is None or build[1]:
        return
    fills = serving.spec.get("image") and serving.runtime in LLAMA_CPP
    yield RULE.finding(
        ("spec", "image"),
        f"{serving.image} has no GPU backend, so the pod holds {serving.gpus.held} and computes on the CPU",
        found=serving.image,
        expected=f"an image for vendor {serving.gpus.vendor}",
        hint="remove spec.image; the right image is filled in" if fills else "set spec.image to an image for the GPU",
    )


RULE = Rule(
    id="LLMKUBE-065",
    name="gpu-served-on-cpu",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/runtime_llamacpp.go",
    reads=("Deployment.apps", "Model"),
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf",
    bad="modelRef: gguf\nimage: ghcr.io/ggml-org/llama.cpp:server",
)
