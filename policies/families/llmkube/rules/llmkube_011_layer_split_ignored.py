"""The split of the layers is ignored, and the operator spreads them evenly.

`sharding.layerSplit` counts only if it has one entry per GPU and each reads ``start-end`` with start not above end;
otherwise the operator spreads the layers evenly and says nothing. It is also without effect where there is one GPU or
the strategy is none.

Source: LLMKube v0.9.19, internal/controller/gpu_sharding.go.
"""

from __future__ import annotations

import re

from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.gpu import gpu_request
from weighbridge.policies.ground.objects import lookup
from weighbridge.policies.ground.spelling import amount

_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


def _is_range(entry: object) -> bool:
    match = _RANGE.fullmatch(entry) if isinstance(entry, str) else None
    return match is not None and int(match[1]) <= int(match[2])


@objects.warning(
    kinds=("Model",),
    good="refuses-a-count-beside-claims",
    bad="warns-of-an-ignored-layer-split",
)
def check(given: Given) -> Said:
    gpu = gpu_request(given.object)
    split = lookup(given.spec, ("hardware", "gpu", "sharding", "layerSplit"))
    if gpu is None or not isinstance(split, list) or not split:
        return
    path = ("spec", "hardware", "gpu", "sharding", "layerSplit")
    strategy = lookup(given.spec, ("hardware", "gpu", "sharding", "strategy"))
    if gpu.count <= 1 or strategy == "none":
        yield Violation(path, "has no effect with one GPU or with strategy none", hint="remove it")
        return
    if len(split) != gpu.count:
        yield Violation(
            path,
            f"has {amount(len(split), 'entry', 'entries')} for {gpu.count} GPUs, so it is ignored",
            found=str(len(split)),
            expected=f"{gpu.count} entries",
        )
        return
    for index, entry in enumerate(split):
        if not _is_range(entry):
            yield Violation(
                (*path, index), f'"{entry}" is not a range, so the whole split is ignored', found=str(entry), expected="start-end"
            )
