"""A memory budget is set that only the Metal agent reads.

`hardware.memoryBudget` and `hardware.memoryFraction` bound what a model may take on a Mac. With any other accelerator
nothing reads them: pods request what the InferenceService's `spec.resources` says.

Source: LLMKube v0.9.19, pkg/agent/memory.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.predictions.model.state import on_metal
from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import part


@objects.note(kinds=("Model",), good="accepts-a-share-of-a-mac", bad="warns-of-a-budget-without-metal")
def check(given: Given) -> Said:
    if on_metal(given.object):
        return
    hardware = part(given.spec, "hardware")
    for field in ("memoryBudget", "memoryFraction"):
        if hardware.get(field):
            yield Violation(
                ("spec", "hardware", field),
                "has no effect, since only the Metal agent reads it and the accelerator isn't metal",
                found=str(hardware[field]),
                hint="set spec.resources.memory of the InferenceService instead",
            )
