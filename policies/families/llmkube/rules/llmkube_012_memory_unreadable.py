"""An amount of memory is not a quantity, or is not above 0.

`gpu.memory` and `memoryBudget` are plain strings in the CRD. What isn't a Kubernetes quantity (`16GB`, `two`) is
ignored silently where a quota is computed, and makes the Metal agent refuse the model, as does a budget
of 0.

Source: LLMKube v0.9.19, internal/controller/gpu_sharding.go and pkg/agent/memory.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import amount
from weighbridge.policies.ground.objects import lookup

_FIELDS = (("hardware", "memoryBudget"), ("hardware", "gpu", "memory"))


@objects.warning(
    kinds=("Model",),
    good="warns-of-a-runtime-without-amd",
    bad="warns-of-memory-in-decimal-bytes",
)
def check(given: Given) -> Said:
    spec = given.spec
    for path in _FIELDS:
        text = lookup(spec, path)
        if not isinstance(text, str) or not text:
            continue
        found = amount(text)
        if found is None:
            yield Violation(
                ("spec", *path),
                f'"{text}" is not a quantity',
                found=text,
                expected="such as 16Gi, 500m or 2",
                hint="units are Ki, Mi, Gi, Ti, not KB or GB",
            )
        elif found.sign() <= 0:
            yield Violation(("spec", *path), f'"{text}" is not above 0', found=text, expected="more than 0, such as 16Gi")
