"""llama.cpp's server with a folder of models, which it loads when they are requested.

It gets no flags for GPUs, and the operator puts no models into its pod: the folder is the service's own volume.
Source: LLMKube v0.9.19, internal/controller/runtime_llamacpp_router.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.predictions.engines import llamacpp
from weighbridge.policies.families.llmkube.predictions.engines.engine import Engine
from weighbridge.policies.families.llmkube.predictions.engines.listen_address import listen
from weighbridge.policies.families.llmkube.predictions.engines.plan import ContainerPlan
from weighbridge.policies.families.llmkube.predictions.engines.probes import Health


def _arguments(plan: ContainerPlan) -> None:
    plan.fixed("--models-dir", "/models", reason="the folder that the service's own volumes have to bring")
    listen(plan)
    llamacpp.metrics(plan)
    plan.extra_args()


ENGINE: Final = Engine(
    container="llama-server",
    port=8080,
    arguments=_arguments,
    health=Health(live="/health", ready="/health"),
    metric=llamacpp.METRIC,
)
