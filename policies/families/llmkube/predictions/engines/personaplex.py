"""NVIDIA's PersonaPlex (Moshi), speech to speech over a web socket.

Its command line never has a port: another `containerPort` only sends its probes to the wrong port. Source: LLMKube v0.9.19,
internal/controller/runtime_personaplex.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.engines.engine import Engine, hub_token
from weighbridge.policies.families.llmkube.predictions.engines.options import Option, switch
from weighbridge.policies.families.llmkube.predictions.engines.plan import ContainerPlan
from weighbridge.policies.ground.fields import part

_BLOCK: Final = "personaPlexConfig"
_OPTIONS: Final = (Option("--quantize-4bit", "quantize4Bit", switch), Option("--cpu-offload", "cpuOffload", switch))


def _arguments(plan: ContainerPlan) -> None:
    plan.fixed("--ssl", "/app/ssl", reason="the certificates in its image")
    plan.options(part(plan.setup.spec, _BLOCK), f"{_BLOCK}.", _OPTIONS)


def _command(operator: KnownOperator) -> tuple[str, ...]:
    return ("/app/moshi/.venv/bin/python", "-m", "moshi.server")


def _environment(plan: ContainerPlan) -> None:
    hub_token(plan, _BLOCK, "HF_TOKEN")
    plan.variable({"name": "NO_TORCH_COMPILE", "value": "1"}, plan.setup.operator.name, "starts sooner")


ENGINE: Final = Engine(container="personaplex", port=8998, arguments=_arguments, environment=_environment, command=_command)
