"""SGLang's server: the settings of `sglangConfig`, and all GPUs of the pod unless a setting says otherwise.

`dataParallelSize` isn't such a setting: with two data parallel copies on two GPUs, each copy is to use two GPUs.
Source: LLMKube v0.9.19, internal/controller/runtime_sglang.go and runtime_sglang_args.go.
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
from weighbridge.policies.families.llmkube.predictions.engines.serving_mode import EMBEDDING, serving_mode
from weighbridge.policies.families.llmkube.predictions.engines.sglang_adapters import adapters
from weighbridge.policies.families.llmkube.predictions.engines.vllm import cache, divide
from weighbridge.policies.ground.fields import flag, part, text

_BLOCK: Final = "sglangConfig"
_SPECULATIVE: Final = f"{_BLOCK}.speculative"

_SIZES: Final = (
    Option("--tp", "tensorParallelSize", positive),
    Option("--ep", "expertParallelSize", positive),
    Option("--dp", "dataParallelSize", positive),
    Option("--context-length", "contextLength", number),
)
_GPU_MEMORY: Final = (Option("--mem-fraction-static", "memFractionStatic", decimal),)
_BATCHES: Final = (
    Option("--chunked-prefill-size", "chunkedPrefillSize", number),
    Option("--max-running-requests", "maxRunningRequests", number),
    Option("--quantization", "quantization", word),
)
_PARSING: Final = (
    Option("--attention-backend", "attentionBackend", word),
    Option("--enable-prefix-caching", "enablePrefixCaching", switch),
    Option("--tool-call-parser", "toolCallParser", word),
    Option("--reasoning-parser", "reasoningParser", word),
    Option("--chat-template", "chatTemplate", word),
)
_GUESSES: Final = (
    Option("--speculative-algorithm", "algorithm", word),
    Option("--speculative-draft-model-path", "draftModelPath", word),
    Option("--speculative-num-steps", "numSteps", number),
    Option("--speculative-eagle-topk", "eagleTopK", number),
    Option("--speculative-num-draft-tokens", "numDraftTokens", number),
)
_THRESHOLDS: Final = (
    Option("--speculative-accept-threshold-single", "acceptThresholdSingle", decimal),
    Option("--speculative-accept-threshold-acc", "acceptThresholdAcc", decimal),
)
_SERVER: Final = (
    Option("--log-level", "logLevel", word),
    Option("--trust-remote-code", "trustRemoteCode", switch),
    Option("--skip-tokenizer-init", "skipTokenizerInit", switch),
)


def _arguments(plan: ContainerPlan) -> None:
    setup, block = plan.setup, part(plan.setup.spec, _BLOCK)
    model, source, reason = model_argument(setup)
    plan.flag("--model-path", model, source=source, reason=reason)
    listen(plan, "--enable-metrics")
    _served_name(plan)
    plan.options(block, f"{_BLOCK}.", _SIZES)
    if setup.gpus.count > 0:
        plan.options(block, f"{_BLOCK}.", _GPU_MEMORY)
    plan.options(block, f"{_BLOCK}.", _BATCHES)
    cache(plan, block, _BLOCK)
    plan.options(block, f"{_BLOCK}.", _PARSING)
    _guesses(plan)
    adapters(plan, _BLOCK)
    if setup.operator.since(0, 9, 6):
        plan.options(block, f"{_BLOCK}.", _SERVER)
    divide(plan, block, "--tp")
    if serving_mode(setup.spec) == EMBEDDING and not setup.overrides("--is-embedding"):
        inferred = "mode embedding" if text(setup.spec, "mode") else "mode embedding, by its path or its arguments"
        plan.flag("--is-embedding", source=setup.of_service("mode"), reason=inferred)
    plan.extra_args()


def _served_name(plan: ContainerPlan) -> None:
    """Add the name that clients ask for, unless the service's own arguments have one."""
    setup, name = plan.setup, text(plan.setup.spec, "modelRef") or plan.setup.model
    if name and not setup.overrides("--served-model-name"):
        plan.flag("--served-model-name", name, source=setup.of_service("modelRef"), reason="clients request the model by this name")


def _guesses(plan: ContainerPlan) -> None:
    block = part(plan.setup.spec, _BLOCK, "speculative")
    if not _guesses_usable(plan.setup):
        return
    plan.options(block, f"{_SPECULATIVE}.", _GUESSES)
    if plan.setup.operator.since(0, 9, 6):
        plan.options(block, f"{_SPECULATIVE}.", _THRESHOLDS)


def _guesses_usable(setup: Setup) -> bool:
    block = part(setup.spec, _BLOCK, "speculative")
    return flag(block, "enabled") and bool(text(block, "algorithm") and text(block, "draftModelPath"))


def _doubt(setup: Setup) -> Doubt | None:
    block = part(setup.spec, _BLOCK, "speculative")
    if flag(block, "enabled"):
        if _guesses_usable(setup):
            return None
        return Doubt(
            "SpeculativeMissingConfig",
            "spec.sglangConfig.speculative.enabled is true but algorithm/draftModelPath is empty; "
            "speculative decoding flags will be skipped",
        )
    if setup.operator.since(0, 9, 6) and any(block.get(option.field) is not None for option in _THRESHOLDS):
        return Doubt(
            "SpeculativeAcceptThresholdUnused",
            "spec.sglangConfig.speculative.acceptThreshold* requires speculative.enabled=true; thresholds will be ignored",
        )
    return None


def _command(operator: KnownOperator) -> tuple[str, ...]:
    return ("python3", "-m", "sglang.launch_server")


def _environment(plan: ContainerPlan) -> None:
    hub_token(plan, _BLOCK, "HF_TOKEN")


ENGINE: Final = Engine(
    container="sglang",
    port=30000,
    arguments=_arguments,
    health=Health(live="/health", ready="/health_generate"),
    environment=_environment,
    command=_command,
    metric="sglang:num_running_reqs",
    condition="SGLangSpecValid",
    doubt=_doubt,
)
