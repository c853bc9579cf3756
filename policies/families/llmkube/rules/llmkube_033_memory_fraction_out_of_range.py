"""memoryFraction must be above 0 and at most 1.

`hardware.memoryFraction` is a share of the host's memory, above 0 and at most 1. The CRD allows any number. With
another one the memory check of the Metal agent fails, and the agent starts nothing.

Source: LLMKube v0.9.19, pkg/agent/memory.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Severity, Violation, models


@models.error(
    topic="Models: GPUs and their memory",
    mirrors="the Metal agent's MemoryCheckFailed",
    good="accepts-a-share-of-a-mac",
    bad="refuses-a-share-above-all",
)
def check(model: Model) -> Said:
    share = model.hardware.get("memoryFraction")
    if isinstance(share, bool) or not isinstance(share, (int, float)) or 0 < share <= 1:
        return
    yield Violation(
        ("spec", "hardware", "memoryFraction"),
        f"{share} must be above 0 and at most 1",
        found=str(share),
        expected="above 0, at most 1",
        nearest=str(share / 100) if 10 <= share <= 100 else "",
        severity=None if model.is_metal else Severity.WARNING,
    )
