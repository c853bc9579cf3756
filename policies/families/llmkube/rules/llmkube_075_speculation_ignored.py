"""Speculative decoding is set for an engine that doesn't read it.

`speculativeDecoding` is llama.cpp's. vLLM and SGLang have settings of their own (`vllmConfig.speculative`,
`sglangConfig.speculative`); the others have none.

Source: LLMKube v0.9.19 internal/controller/runtime_llamacpp_args.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    kind = text(part(serving.spec, "speculativeDecoding"), "type")
    if not serving.is_metal and kind not in {"", "none", "disabled"} and serving.runtime != "llamacpp":
        own = f"{serving.runtime}Config.speculative" if serving.runtime in {"vllm", "sglang"} else "runtime llamacpp"
        yield RULE.finding(
            ("spec", "speculativeDecoding"), f"has no effect on runtime {serving.runtime}", found=kind, expected=own, hint=f"use {own}"
        )


RULE = Rule(
    id="LLMKUBE-075",
    name="speculation-ignored",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/runtime_llamacpp_args.go",
    reads=("Model",),
    beside=(
        f"{GGUF_MODEL}\n"
        "---\n"
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: repo, namespace: default}\n"
        "spec: {source: org/model, format: safetensors, hardware: {gpu: {count: 1}}}"
    ),
    check=_check,
    good="modelRef: gguf\nspeculativeDecoding: {type: ngram-simple}",
    bad="modelRef: repo\nruntime: vllm\nspeculativeDecoding: {type: ngram-simple}",
)
