"""The flags that decide how much memory llama.cpp takes, and where: context, RoPE scaling, caches, offloading to the CPU, batches.

Source: LLMKube v0.9.19, internal/controller/runtime_llamacpp_args.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.predictions.engines.options import Option, positive, switch, word
from weighbridge.policies.families.llmkube.predictions.engines.plan import ContainerPlan, Setup
from weighbridge.policies.families.prediction import Event
from weighbridge.policies.ground.fields import flag, part, text, texts

CONTEXT: Final = (Option("--ctx-size", "contextSize", positive),)
OFFLOAD: Final = (
    Option("--cpu-moe", "moeCPUOffload", switch),
    Option("--n-cpu-moe", "moeCPULayers", positive),
    Option("--no-kv-offload", "noKvOffload", switch),
)
BATCHES: Final = (
    Option("--batch-size", "batchSize", positive),
    Option("--ubatch-size", "uBatchSize", positive),
    Option("--no-warmup", "noWarmup", switch),
)
_ROPE: Final = (Option("--rope-scale", "factor", word), Option("--yarn-orig-ctx", "originalContext", positive))
_PARALLEL: Final = (Option("--parallel", "parallelSlots", positive),)
_CACHES: Final = (("--cache-type-k", "cacheTypeCustomK", "cacheTypeK"), ("--cache-type-v", "cacheTypeCustomV", "cacheTypeV"))


def rope(plan: ContainerPlan) -> None:
    """Add the flags of RoPE scaling, which stretches the context; none if the service's own arguments have `--rope-scaling`."""
    block = part(plan.setup.spec, "ropeScaling")
    if not text(block, "type") or plan.setup.overrides("--rope-scaling"):
        return
    plan.options(block, "ropeScaling.", (Option("--rope-scaling", "type", word), *_ROPE))


def parallel(plan: ContainerPlan) -> None:
    """Add the number of requests that are served at once."""
    if not plan.setup.overrides("--parallel"):
        plan.options(plan.setup.spec, "", _PARALLEL)


def flash_attention(plan: ContainerPlan) -> None:
    """Add flash attention, which only pods with a GPU get."""
    if flag(plan.setup.spec, "flashAttention") and plan.setup.gpus.present:
        plan.flag("--flash-attn", "on", source=plan.setup.of_service("flashAttention"))


def cache_types(plan: ContainerPlan) -> None:
    """Add the types of the cache; a custom one wins over one that the API knows."""
    for name, custom, known in _CACHES:
        field = custom if text(plan.setup.spec, custom) else known
        plan.options(plan.setup.spec, "", [Option(name, field, word)])


def repeated(plan: ContainerPlan, name: str, field: str) -> None:
    """Add a flag once for each entry of a list, also for empty ones."""
    for entry in texts(plan.setup.spec, field):
        plan.flag(name, entry, source=plan.setup.of_service(field))


def offload_events(setup: Setup) -> tuple[Event, ...]:
    """The operator's warning if weights or caches go to memory that no request covers; it comes with every engine."""
    offloads = flag(setup.spec, "moeCPUOffload") or flag(setup.spec, "noKvOffload")
    resources = part(setup.spec, "resources")
    if not offloads or text(resources, "memory") or text(resources, "hostMemory"):
        return ()
    note = "CPU/KV offloading is enabled but resources.memory/hostMemory is not set; hybrid pods consume significant host RAM"
    return (Event("MissingMemoryRequest", note),)
