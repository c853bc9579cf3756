"""An amount of memory is not a quantity, or is not above 0.

`gpu.memory` and `memoryBudget` are plain strings in the CRD. If a value isn't a Kubernetes quantity (`16GB`, `two`),
quotas silently leave it out, and the Metal agent refuses the model. The agent also refuses a budget of 0.

Source: LLMKube v0.9.19, internal/controller/gpu_sharding.go; pkg/agent/memory.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, amount, models, part, text

_FIELDS = (("hardware", "memoryBudget"), ("hardware", "gpu", "memory"))


@models.warning(topic="Models: GPUs and their memory", good="accepts-memory-in-gibibytes", bad="warns-of-memory-in-decimal-bytes")
def check(model: Model) -> Said:
    for *blocks, name in _FIELDS:
        written, path = text(part(model.spec, *blocks), name), ("spec", *blocks, name)
        found = amount(written)
        if written and found is None:
            hint = "units are Ki, Mi, Gi, Ti, not KB or GB"
            yield Violation(path, f'"{written}" is not a quantity', found=written, expected="such as 16Gi, 500m or 2", hint=hint)
        elif found is not None and found.sign() <= 0:
            yield Violation(path, f'"{written}" is not above 0', found=written, expected="more than 0, such as 16Gi")
