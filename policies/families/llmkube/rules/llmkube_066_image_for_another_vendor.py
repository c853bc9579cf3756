"""The engine's own image is built for another vendor's GPU than the pod gets.

Upstream starts the same CUDA image of vLLM and TGI on every vendor's GPU, and that of SGLang on Intel's: the engine crashes when it
starts. Name an image for the vendor in `spec.image`, or in the configuration's `llmkube.images`.

Source: LLMKube v0.9.19 internal/controller/runtime_*.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.request import Request

_FOREIGN: Final = {"vllm": ("amd", "intel"), "tgi": ("amd", "intel"), "sglang": ("intel",)}


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    gpus = serving.gpus
    if serving.pod_model is None or not gpus.present or serving.has_own_image or gpus.vendor not in _FOREIGN.get(serving.runtime, ()):
        return
    yield RULE.finding(
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
