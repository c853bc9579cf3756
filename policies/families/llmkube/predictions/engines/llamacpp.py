"""llama.cpp's server with one model.

It always gets a path, which is empty if the pod gets no weights. The flag for metrics comes after the service's arguments.
Source: LLMKube v0.9.19, internal/controller/runtime_llamacpp.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.predictions.engines import llamacpp_memory as memory
from weighbridge.policies.families.llmkube.predictions.engines.engine import Engine
from weighbridge.policies.families.llmkube.predictions.engines.listen_address import listen
from weighbridge.policies.families.llmkube.predictions.engines.llamacpp_mode import mode_flags
from weighbridge.policies.families.llmkube.predictions.engines.llamacpp_speculative import speculative
from weighbridge.policies.families.llmkube.predictions.engines.llamacpp_split import sharding
from weighbridge.policies.families.llmkube.predictions.engines.options import Option, number, switch
from weighbridge.policies.families.llmkube.predictions.engines.plan import ContainerPlan
from weighbridge.policies.families.llmkube.predictions.engines.probes import Health
from weighbridge.policies.ground.fields import text

METRIC: Final = "llamacpp:requests_processing"
_TEMPLATES: Final = (Option("--jinja", "jinja", switch),)
_REASONING: Final = (Option("--reasoning-budget", "reasoningBudget", number),)


def _arguments(plan: ContainerPlan) -> None:
    spec = plan.setup.spec
    _model(plan)
    listen(plan)
    sharding(plan)
    plan.options(spec, "", memory.CONTEXT)
    memory.rope(plan)
    memory.parallel(plan)
    memory.flash_attention(plan)
    plan.options(spec, "", _TEMPLATES)
    memory.cache_types(plan)
    plan.options(spec, "", memory.OFFLOAD)
    memory.repeated(plan, "--override-tensor", "tensorOverrides")
    plan.options(spec, "", memory.BATCHES)
    speculative(plan)
    _reasoning(plan)
    _projector(plan)
    memory.repeated(plan, "--override-kv", "metadataOverrides")
    mode_flags(plan)
    plan.extra_args()
    metrics(plan)


def _model(plan: ContainerPlan) -> None:
    path = plan.setup.weights.model_path
    if path:
        plan.flag("--model", path, source=plan.setup.of_model("source"), reason="where the pod finds the weights")
    else:
        plan.flag("--model", "", source=plan.setup.of_service("skipModelInit"), reason="no weights are put into the pod")


def _reasoning(plan: ContainerPlan) -> None:
    """Add the budget for reasoning and, only with a budget, its message, which may be any text."""
    before = len(plan.args)
    plan.options(plan.setup.spec, "", _REASONING)
    message = text(plan.setup.spec, "reasoningBudgetMessage")
    if message and len(plan.args) > before:
        plan.flag("--reasoning-budget-message", message, source=plan.setup.of_service("reasoningBudgetMessage"))


def _projector(plan: ContainerPlan) -> None:
    path = plan.setup.weights.mmproj_path
    if path and not plan.setup.overrides("--mmproj"):
        plan.flag("--mmproj", path, source=plan.setup.of_model("mmproj"), reason="where the pod finds the projector")


def metrics(plan: ContainerPlan) -> None:
    """Add the flag for metrics; since v0.9.14 only if the service's own arguments don't have it."""
    if not (plan.setup.operator.since(0, 9, 14) and plan.setup.overrides("--metrics")):
        plan.fixed("--metrics", reason="given to every container of this engine")


ENGINE: Final = Engine(
    container="llama-server",
    port=8080,
    arguments=_arguments,
    health=Health(live="/health", ready="/health"),
    metric=METRIC,
)
