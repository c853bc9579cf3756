"""A Model on an Intel GPU is served on the CPU unless its service names an image.

For vendor intel the operator has no image of its own: llama.cpp gets its stock CPU image, whatever `gpu.runtime` says,
and the pod holds a GPU and leaves it idle. Only the InferenceService can help that, with `spec.image` (upstream
publishes `llama.cpp:server-intel`, SYCL). A service that leaves its image open is given that one on its way in, so this
warns of services that are already there, and of those that come past the webhook. Where services of the Model are known,
it warns only of those that start llama.cpp and set no image.

Source: LLMKube v0.9.19, internal/controller/runtime_llamacpp.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.rules._services import where_the_image_is_open
from policies.families.llmkube.subject.gpu import gpu_request
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    gpu = gpu_request(request.object)
    if gpu is None or not gpu.wanted or gpu.vendor != "intel":
        return
    where = where_the_image_is_open(request.object, request.namespace, facts)
    if where:
        yield RULE.finding(
            ("spec", "hardware", "gpu", "vendor"),
            f"llama.cpp runs its CPU image on vendor intel {where}",
            found="intel",
            hint="set spec.image of the InferenceService; if it is empty, the webhook sets ghcr.io/ggml-org/llama.cpp:server-intel",
        )


RULE = Rule(
    id="LLMKUBE-013",
    name="intel-without-image",
    severity=Severity.WARNING,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/runtime_llamacpp.go",
    reads=("InferenceService",),
    check=_check,
    good="source: hf://org/model\nhardware: {gpu: {count: 1, vendor: nvidia}}",
    bad="source: hf://org/model\nhardware: {gpu: {count: 1, vendor: intel}}",
)
