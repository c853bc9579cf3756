"""A block of settings is for another engine than the one that serves.

`vllmConfig`, `sglangConfig`, `tgiConfig` and `personaPlexConfig` are read only by their own runtime; only their parallel sizes are
looked at whatever the runtime is, and can even get a service refused.

Source: LLMKube v0.9.19 internal/controller/runtime.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.request import Request

_BLOCKS: Final = {"vllmConfig": "vllm", "sglangConfig": "sglang", "tgiConfig": "tgi", "personaPlexConfig": "personaplex"}


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    for block, runtime in _BLOCKS.items():
        if not serving.is_metal and serving.spec.get(block) and serving.runtime != runtime:
            yield RULE.finding(
                ("spec", block),
                f"has no effect on runtime {serving.runtime}",
                expected=f"runtime {runtime}",
                hint=f"set runtime: {runtime}, or remove {block}",
            )


RULE = Rule(
    id="LLMKUBE-077",
    name="settings-of-another-engine",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/runtime.go",
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
    good="modelRef: repo\nruntime: vllm\nvllmConfig: {maxModelLen: 8192}",
    bad="modelRef: gguf\nvllmConfig: {maxModelLen: 8192}",
)
