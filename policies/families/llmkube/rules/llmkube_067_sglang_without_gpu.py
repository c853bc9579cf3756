"""SGLang is started without a GPU.

Its image is built for GPUs; without one the engine doesn't start, or crawls. Give the Model a GPU, or serve it with llama.cpp.

Source: LLMKube v0.9.19 internal/controller/runtime_sglang.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.objects import name_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving.pod_model is not None and serving.runtime == "sglang" and not serving.gpus.present and not serving.has_own_image:
        yield RULE.finding(
            ("spec", "runtime"),
            f"sglang gets no GPU; neither Model {name_of(serving.model)} nor resources.gpu asks for one",
            found="sglang",
            hint="set hardware.gpu.count of the Model",
        )


RULE = Rule(
    id="LLMKUBE-067",
    name="sglang-without-gpu",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/runtime_sglang.go",
    reads=("Deployment.apps", "Model"),
    beside=(
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: plain, namespace: default}\n"
        "spec: {source: https://example.com/m.gguf}\n"
        "---\n"
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: repo, namespace: default}\n"
        "spec: {source: org/model, format: safetensors, hardware: {gpu: {count: 1}}}"
    ),
    check=_check,
    good="modelRef: repo\nruntime: sglang",
    bad="modelRef: plain\nruntime: sglang",
)
