"""The sharding strategy doesn't do what it says.

`pipeline` is served as `layer`; `none` with several GPUs requests them all and computes on one; and with a single GPU
there is nothing to shard. Only llama.cpp reads the block at all.

Source: LLMKube v0.9.19, internal/controller/gpu_sharding.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.subject.gpu import gpu_request
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    gpu = gpu_request(request.object)
    strategy = text(part(spec_of(request.object), "hardware", "gpu", "sharding"), "strategy")
    if gpu is None or not gpu.wanted or not strategy:
        return
    path = ("spec", "hardware", "gpu", "sharding", "strategy")
    if gpu.count > 1 and strategy == "none":
        yield RULE.finding(
            path,
            f"strategy none computes on one GPU and leaves {gpu.count - 1} of {gpu.count} idle",
            found=strategy,
            hint="set gpu.count to 1, or choose another strategy",
        )
    elif gpu.count > 1 and strategy == "pipeline":
        yield RULE.finding(path, "pipeline has the effect of layer", found=strategy, expected="layer, row or tensor")
    elif gpu.count == 1 and strategy in {"tensor", "row", "pipeline"}:
        yield RULE.finding(path, f"{strategy} has no effect with one GPU", found=strategy)


RULE = Rule(
    id="LLMKUBE-028",
    name="sharding-without-effect",
    severity=Severity.WARNING,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/gpu_sharding.go",
    check=_check,
    good="source: hf://org/model\nhardware: {gpu: {count: 2, sharding: {strategy: row}}}",
    bad="source: hf://org/model\nhardware: {gpu: {count: 2, sharding: {strategy: none}}}",
)
