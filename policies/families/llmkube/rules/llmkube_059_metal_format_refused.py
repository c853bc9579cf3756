"""A Model in MLX format on Metal is served by runtime llamacpp, whose agent refuses it.

On Metal a host's agent starts the server. Its llama-server takes GGUF alone; MLX needs another of its runtimes, and the CRD puts
llamacpp where no runtime is written.

Source: LLMKube v0.9.19 pkg/agent/agent.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.subject.serving import serving_of
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving.model is not None and serving.is_metal and serving.runtime == "llamacpp" and text(spec_of(serving.model), "format") == "mlx":
        yield RULE.finding(
            ("spec", "runtime"),
            "the Metal agent's llama-server can't load a Model in format mlx",
            found="llamacpp",
            expected="a Model in format gguf, or an agent started for a runtime that loads MLX",
        )


RULE = Rule(
    id="LLMKUBE-059",
    name="metal-format-refused",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 pkg/agent/agent.go",
    mirrors="the metal agent's own check",
    reads=("Model",),
    beside=(
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: metal, namespace: default}\n"
        "spec: {source: https://example.com/m, format: mlx, hardware: {accelerator: metal}}\n"
        "---\n"
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: metal-gguf, namespace: default}\n"
        "spec: {source: https://example.com/m.gguf, hardware: {accelerator: metal}}"
    ),
    check=_check,
    good="modelRef: metal-gguf",
    bad="modelRef: metal",
)
