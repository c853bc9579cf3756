"""vLLM's OpenAI server: the model as its first word, settings of `vllmConfig`, all GPUs of the pod unless a setting says otherwise.

The flags about GPU memory are left out if the pod counts no GPUs, even if it claims some.
Source: LLMKube v0.9.19, internal/controller/runtime_vllm.go and runtime_vllm_args.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.engines.engine import Doubt, Engine, hub_token
from weighbridge.policies.families.llmkube.predictions.engines.listen_address import listen
from weighbridge.policies.families.llmkube.predictions.engines.options import Option, decimal, number, positive, switch, word
from weighbridge.policies.families.llmkube.predictions.engines.plan import ContainerPlan, Setup
from weighbridge.policies.families.llmkube.predictions.engines.probes import Health
from weighbridge.policies.families.llmkube.predictions.engines.served_source import model_argument
from weighbridge.policies.families.prediction import Event
from weighbridge.policies.ground.fields import flag, part, text, whole
from weighbridge.policies.ground.objects import JSONObject, JSONValue

_BLOCK: Final = "vllmConfig"
_SPECULATIVE: Final = f"{_BLOCK}.speculative"
_PARALLEL: Final = "--tensor-parallel-size"


def _several(value: JSONValue) -> tuple[str, ...] | None:
    """A number above one: less is nothing to divide."""
    return number(value) if isinstance(value, int) and value > 1 else None


def _cache_type(value: JSONValue) -> tuple[str, ...] | None:
    """A type of the cache other than ``auto``, which is the engine's own choice."""
    return None if value == "auto" else word(value)


_MODEL: Final = (
    Option(_PARALLEL, "tensorParallelSize", _several),
    Option("--max-model-len", "maxModelLen", number),
    Option("--quantization", "quantization", word),
    Option("--dtype", "dtype", word),
)
_SCHEDULING: Final = (
    Option("--enable-prefix-caching", "enablePrefixCaching", switch),
    Option("--enable-chunked-prefill", "enableChunkedPrefill", switch),
    Option("--max-num-batched-tokens", "maxNumBatchedTokens", number),
    Option("--attention-backend", "attentionBackend", word),
)
_GUESSES: Final = (Option("--speculative-model", "model", word), Option("--num-speculative-tokens", "numSpeculativeTokens", number))
_EXPERTS: Final = (Option("--enable-expert-parallel", "enableExpertParallel", switch),)
_GPU_MEMORY: Final = (
    Option("--cpu-offload-gb", "cpuOffloadGB", number),
    Option("--gpu-memory-utilization", "gpuMemoryUtilization", decimal),
)
_SEQUENCES: Final = (Option("--max-num-seqs", "parallelSlots", positive),)


def _arguments(plan: ContainerPlan) -> None:
    setup, block = plan.setup, part(plan.setup.spec, _BLOCK)
    plan.word(*model_argument(setup))
    listen(plan)
    plan.options(block, f"{_BLOCK}.", _MODEL)
    cache(plan, block, _BLOCK)
    plan.options(block, f"{_BLOCK}.", _SCHEDULING)
    guesses = part(block, "speculative")
    if flag(guesses, "enabled") and text(guesses, "model"):
        plan.options(guesses, f"{_SPECULATIVE}.", _GUESSES)
    plan.options(block, f"{_BLOCK}.", _EXPERTS)
    if setup.gpus.count > 0:
        plan.options(block, f"{_BLOCK}.", _GPU_MEMORY)
    divide(plan, block, _PARALLEL)
    if not setup.overrides("--max-num-seqs"):
        plan.options(setup.spec, "", _SEQUENCES)
    plan.extra_args()


def cache(plan: ContainerPlan, block: JSONObject, name: str) -> None:
    """Add the type of the cache; a custom one wins over one that the API knows."""
    field = "kvCacheCustomDtype" if text(block, "kvCacheCustomDtype") else "kvCacheDtype"
    plan.options(block, f"{name}.", [Option("--kv-cache-dtype", field, _cache_type)])


def divide(plan: ContainerPlan, block: JSONObject, name: str) -> None:
    """Divide the model among all GPUs of the pod if the block sets no number."""
    count = plan.setup.gpus.count
    if count > 1 and block.get("tensorParallelSize") is None:
        plan.flag(name, str(count), source=plan.setup.of_count, reason="all GPUs of the pod: no tensorParallelSize is given")


def _command(operator: KnownOperator) -> tuple[str, ...]:
    return ("vllm", "serve") if operator.since(0, 9, 8) else ()


def _environment(plan: ContainerPlan) -> None:
    hub_token(plan, _BLOCK, "HF_TOKEN")


_OFFLOAD_UNVERIFIED: Final = (
    "spec.vllmConfig.cpuOffloadGB is set. vLLM's --cpu-offload-gb is reported silently ineffective in some configurations on current "
    "releases (vllm-project/vllm#48468, open): the flag is accepted but no weights offload, so VRAM-tight models OOM instead of spilling "
    "to host RAM. It is verified working in others (see the cpu-offload sample). Confirm it took effect in the server logs, via 'Offloader "
    "set to' / 'offloaded parameters' lines or a Model-loading size below the full footprint, before relying on it"
)
_OFFLOAD_REASON: Final = "CPUOffloadUnverified"


def _offloads(setup: Setup) -> bool:
    return setup.operator.since(0, 9, 13) and whole(part(setup.spec, _BLOCK), "cpuOffloadGB") > 0


def _doubt(setup: Setup) -> Doubt | None:
    guesses = part(setup.spec, _BLOCK, "speculative")
    if flag(guesses, "enabled") and not text(guesses, "model"):
        return Doubt(
            "SpeculativeMissingModel",
            "spec.vllmConfig.speculative.enabled is true but spec.vllmConfig.speculative.model is empty; "
            "speculative decoding flags will be skipped",
        )
    return Doubt(_OFFLOAD_REASON, _OFFLOAD_UNVERIFIED) if _offloads(setup) else None


def _events(setup: Setup) -> tuple[Event, ...]:
    return (Event(_OFFLOAD_REASON, _OFFLOAD_UNVERIFIED),) if _offloads(setup) else ()


ENGINE: Final = Engine(
    container="vllm",
    port=8000,
    arguments=_arguments,
    health=Health(live="/health", ready="/health"),
    environment=_environment,
    command=_command,
    metric="vllm:num_requests_running",
    condition="VLLMSpecValid",
    doubt=_doubt,
    events=_events,
)
