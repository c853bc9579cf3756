"""memoryFraction must be above 0 and at most 1.

`hardware.memoryFraction` is a share of the host's memory, above 0 and at most 1. The CRD takes any number; the Metal
agent then fails its memory check and starts nothing.

Source: LLMKube v0.9.19, pkg/agent/memory.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.resolve.model.state import on_metal
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    share = lookup(spec_of(request.object), ("hardware", "memoryFraction"))
    if isinstance(share, bool) or not isinstance(share, (int, float)) or 0 < share <= 1:
        return
    finding = RULE.finding(
        ("spec", "hardware", "memoryFraction"),
        f"{share} must be above 0 and at most 1",
        found=str(share),
        expected="above 0, at most 1",
        nearest=str(share / 100) if 10 <= share <= 100 else "",
    )
    yield finding if on_metal(request.object or {}) else replace(finding, severity=Severity.WARNING)


RULE = Rule(
    id="LLMKUBE-033",
    name="memory-fraction-out-of-range",
    severity=Severity.ERROR,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 pkg/agent/memory.go",
    mirrors="the Metal agent's MemoryCheckFailed",
    check=_check,
    good="source: https://example.com/model.gguf\nhardware: {accelerator: metal, memoryFraction: 0.75}",
    bad="source: https://example.com/model.gguf\nhardware: {accelerator: metal, memoryFraction: 75}",
)
