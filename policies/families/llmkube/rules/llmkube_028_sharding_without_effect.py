"""The sharding strategy doesn't do what its name says.

The operator treats `pipeline` as `layer`. With `none` and several GPUs the pod requests all of them and computes on
one. With a single GPU there is nothing to shard. Only llama.cpp reads the block at all.

Source: LLMKube v0.9.19, internal/controller/gpu_sharding.go.
"""

from typing import Final

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, gpu_models, part, text

_PATH: Final = ("spec", "hardware", "gpu", "sharding", "strategy")


@gpu_models.warning(topic="Models: GPUs and their memory", good="accepts-sharding-by-rows", bad="warns-of-a-pipeline-that-acts-as-layer")
def check(model: Model) -> Said:
    count, strategy = model.gpu.count, text(part(model.gpu_block, "sharding"), "strategy")
    if count > 1 and strategy == "none":
        said = f"strategy none computes on one GPU and leaves {count - 1} of {count} idle"
        yield Violation(_PATH, said, found=strategy, hint="set gpu.count to 1, or choose another strategy")
    elif count > 1 and strategy == "pipeline":
        yield Violation(_PATH, "pipeline has the effect of layer", found=strategy, expected="layer, row or tensor")
    elif count == 1 and strategy in {"tensor", "row", "pipeline"}:
        yield Violation(_PATH, f"{strategy} has no effect with one GPU", found=strategy, hint="remove sharding")
