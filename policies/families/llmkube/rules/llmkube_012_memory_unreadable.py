"""An amount of memory is not a quantity, or is not above 0.

`gpu.memory` and `memoryBudget` are plain strings in the CRD. What isn't a Kubernetes quantity (`16GB`, `two`) is
ignored silently where a quota is computed, and makes the Metal agent refuse the model, as does a budget
of 0.

Source: LLMKube v0.9.19, internal/controller/gpu_sharding.go and pkg/agent/memory.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import amount
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request

_FIELDS = (("hardware", "memoryBudget"), ("hardware", "gpu", "memory"))


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    for path in _FIELDS:
        text = lookup(spec, path)
        if not isinstance(text, str) or not text:
            continue
        found = amount(text)
        if found is None:
            yield RULE.finding(
                ("spec", *path),
                f'"{text}" is not a quantity',
                found=text,
                expected="such as 16Gi, 500m or 2",
                hint="units are Ki, Mi, Gi, Ti, not KB or GB",
            )
        elif found.sign() <= 0:
            yield RULE.finding(("spec", *path), f'"{text}" is not above 0', found=text, expected="more than 0, such as 16Gi")


RULE = Rule(
    id="LLMKUBE-012",
    name="memory-unreadable",
    severity=Severity.WARNING,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/gpu_sharding.go",
    check=_check,
    good="source: hf://org/model\nhardware: {gpu: {count: 1, memory: 16Gi}}",
    bad="source: hf://org/model\nhardware: {gpu: {count: 1, memory: 16GB}}",
)
