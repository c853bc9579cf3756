"""The operator ignores the split of the layers and spreads them evenly.

The operator uses `sharding.layerSplit` only if it has one entry per GPU and each entry has the form ``start-end`` with
start not above end. Otherwise it spreads the layers evenly and reports nothing. The field also has no effect with one
GPU or with the strategy none.

Source: LLMKube v0.9.19, internal/controller/gpu_sharding.go.
"""

from typing import Final

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, models, part
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.spelling import amount

_PATH: Final = ("spec", "hardware", "gpu", "sharding", "layerSplit")
_RANGE: Final = expression(r"([0-9]{1,9})-([0-9]{1,9})")


@models.warning(topic="Models: GPUs and their memory", good="accepts-sharding-by-rows", bad="warns-of-an-ignored-layer-split")
def check(model: Model) -> Said:
    sharding, count = part(model.gpu_block, "sharding"), model.gpu.count
    split = sharding.get("layerSplit")
    if not isinstance(split, list) or not split:
        return
    if count <= 1 or sharding.get("strategy") == "none":
        yield Violation(_PATH, "has no effect with one GPU or with strategy none", hint="remove it")
        return
    if len(split) != count:
        said = f"has {amount(len(split), 'entry', 'entries')} for {count} GPUs, so it is ignored"
        yield Violation(_PATH, said, found=str(len(split)), expected=f"{count} entries")
        return
    for index, entry in enumerate(split):
        if not _is_range(entry):
            said = f'"{entry}" is not a range, so the whole split is ignored'
            yield Violation((*_PATH, index), said, found=str(entry), expected="start-end")


def _is_range(entry: object) -> bool:
    match = _RANGE.fullmatch(entry) if isinstance(entry, str) else None
    return match is not None and int(match[1]) <= int(match[2])
