"""memoryFraction must be above 0 and at most 1.

`hardware.memoryFraction` is a share of the host's memory, above 0 and at most 1. The CRD takes any number; the Metal
agent then fails its memory check and starts nothing.

Source: LLMKube v0.9.19, pkg/agent/memory.go.
"""

from __future__ import annotations

from dataclasses import replace

from weighbridge.policies.families.llmkube.predictions.model.state import on_metal
from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import lookup


@objects.error(
    kinds=("Model",),
    mirrors="the Metal agent's MemoryCheckFailed",
    good="warns-of-a-budget-of-nothing",
    bad="refuses-a-share-above-all",
)
def check(given: Given) -> Said:
    share = lookup(given.spec, ("hardware", "memoryFraction"))
    if isinstance(share, bool) or not isinstance(share, (int, float)) or 0 < share <= 1:
        return
    finding = Violation(
        ("spec", "hardware", "memoryFraction"),
        f"{share} must be above 0 and at most 1",
        found=str(share),
        expected="above 0, at most 1",
        nearest=str(share / 100) if 10 <= share <= 100 else "",
    )
    yield finding if on_metal(given.object) else replace(finding, severity=Severity.WARNING)
