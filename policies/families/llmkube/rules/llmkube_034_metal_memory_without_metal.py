"""A memory budget is set that only the Metal agent reads.

`hardware.memoryBudget` and `hardware.memoryFraction` bound what a model may take on a Mac. With any other accelerator
nothing reads them: pods request what the InferenceService's `spec.resources` says.

Source: LLMKube v0.9.19, pkg/agent/memory.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.resolve.model.state import on_metal
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if on_metal(request.object or {}):
        return
    hardware = part(spec_of(request.object), "hardware")
    for field in ("memoryBudget", "memoryFraction"):
        if hardware.get(field):
            yield RULE.finding(
                ("spec", "hardware", field),
                "has no effect, since only the Metal agent reads it and the accelerator isn't metal",
                found=str(hardware[field]),
                hint="set spec.resources.memory of the InferenceService instead",
            )


RULE = Rule(
    id="LLMKUBE-034",
    name="metal-memory-without-metal",
    severity=Severity.NOTE,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 pkg/agent/memory.go",
    check=_check,
    good="source: https://example.com/model.gguf\nhardware: {accelerator: metal, memoryBudget: 24Gi}",
    bad="source: https://example.com/model.gguf\nhardware: {memoryBudget: 24Gi}",
)
