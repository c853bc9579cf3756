"""A memory budget is set, which only the Metal agent reads.

`hardware.memoryBudget` and `hardware.memoryFraction` limit the memory of a model on a Mac. With any other accelerator
nothing reads them: pods request what `spec.resources` of the InferenceService states.

Source: LLMKube v0.9.19, pkg/agent/memory.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, models


@models.note(topic="Models: GPUs and their memory", good="accepts-a-share-of-a-mac", bad="notes-a-budget-without-metal")
def check(model: Model) -> Said:
    for field in ("memoryBudget", "memoryFraction"):
        found = model.hardware.get(field)
        if found and not model.is_metal:
            yield Violation(
                ("spec", "hardware", field),
                "has no effect, since only the Metal agent reads it and the accelerator isn't metal",
                found=str(found),
                hint="set spec.resources.memory of the InferenceService instead",
            )
