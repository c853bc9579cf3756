"""Hugging Face's Text Generation Inference, which always fetches its model itself.

Source: LLMKube v0.9.19, internal/controller/runtime_tgi.go; its changelog for v0.9.11 to v0.9.13.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.predictions.engines.engine import Engine, hub_token
from weighbridge.policies.families.llmkube.predictions.engines.listen_address import listen
from weighbridge.policies.families.llmkube.predictions.engines.options import Option, number, word
from weighbridge.policies.families.llmkube.predictions.engines.plan import ContainerPlan
from weighbridge.policies.families.llmkube.predictions.engines.probes import Health
from weighbridge.policies.families.llmkube.predictions.engines.served_source import model_argument
from weighbridge.policies.ground.fields import part

_BLOCK: Final = "tgiConfig"
_OPTIONS: Final = (
    Option("--quantize", "quantize", word),
    Option("--max-input-length", "maxInputLength", number),
    Option("--max-total-tokens", "maxTotalTokens", number),
    Option("--dtype", "dtype", word),
)


def _arguments(plan: ContainerPlan) -> None:
    setup = plan.setup
    model, source, reason = model_argument(setup)
    plan.flag("--model-id", model, source=source, reason=reason)
    listen(plan, host="--hostname")
    plan.options(part(setup.spec, _BLOCK), f"{_BLOCK}.", _OPTIONS)
    if setup.gpus.count > 1:
        plan.flag("--num-shard", str(setup.gpus.count), source=setup.of_count, reason="all GPUs of the pod")
    if setup.operator.since(0, 9, 11):
        # v0.9.11 and v0.9.12 add them four times.
        for _ in range(1 if setup.operator.since(0, 9, 13) else 4):
            plan.extra_args()


def _environment(plan: ContainerPlan) -> None:
    hub_token(plan, _BLOCK, "HUGGING_FACE_HUB_TOKEN")


ENGINE: Final = Engine(
    container="tgi",
    port=80,
    arguments=_arguments,
    health=Health(live="/health", ready="/health"),
    environment=_environment,
    metric="tgi:queue_size",
)
