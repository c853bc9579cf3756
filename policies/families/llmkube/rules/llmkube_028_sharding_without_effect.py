"""The sharding strategy doesn't do what it says.

`pipeline` is served as `layer`; `none` with several GPUs requests them all and computes on one; and with a single GPU
there is nothing to shard. Only llama.cpp reads the block at all.

Source: LLMKube v0.9.19, internal/controller/gpu_sharding.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.gpu import gpu_request
from weighbridge.policies.ground.fields import part, text


@objects.warning(kinds=("Model",), good="accepts-sharding-by-rows", bad="warns-of-a-pipeline-that-is-none")
def check(given: Given) -> Said:
    gpu = gpu_request(given.object)
    strategy = text(part(given.spec, "hardware", "gpu", "sharding"), "strategy")
    if gpu is None or not gpu.wanted or not strategy:
        return
    path = ("spec", "hardware", "gpu", "sharding", "strategy")
    if gpu.count > 1 and strategy == "none":
        yield Violation(
            path,
            f"strategy none computes on one GPU and leaves {gpu.count - 1} of {gpu.count} idle",
            found=strategy,
            hint="set gpu.count to 1, or choose another strategy",
        )
    elif gpu.count > 1 and strategy == "pipeline":
        yield Violation(path, "pipeline has the effect of layer", found=strategy, expected="layer, row or tensor")
    elif gpu.count == 1 and strategy in {"tensor", "row", "pipeline"}:
        yield Violation(path, f"{strategy} has no effect with one GPU", found=strategy)
