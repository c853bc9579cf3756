"""What the operator knows of each engine: its container's name, its port, its health checks, its metric, and how to start it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.engines.plan import ContainerPlan, Setup
from weighbridge.policies.families.llmkube.predictions.engines.probes import Health
from weighbridge.policies.families.prediction import Event
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass

Writes: TypeAlias = Callable[[ContainerPlan], None]


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why the operator thinks that an engine's block of settings isn't valid; it starts the engine all the same."""

    reason: str
    message: str


def _writes_nothing(plan: ContainerPlan) -> None:
    """Leave the plan as it is."""


def _no_command(operator: KnownOperator) -> tuple[str, ...]:
    return ()


def _no_doubt(setup: Setup) -> Doubt | None:
    return None


def _no_events(setup: Setup) -> tuple[Event, ...]:
    return ()


#: The probes try to connect to the port.
_BY_PORT: Final = Health()


@dataclass(frozen=True, slots=True)
class Engine:
    """One engine. `condition` is the type of the status condition that reports its doubts; empty if it has none."""

    container: str
    port: int
    arguments: Writes
    health: Health = _BY_PORT
    environment: Writes = _writes_nothing
    command: Callable[[KnownOperator], tuple[str, ...]] = _no_command
    metric: str = ""
    condition: str = ""
    doubt: Callable[[Setup], Doubt | None] = _no_doubt
    events: Callable[[Setup], tuple[Event, ...]] = _no_events


def hub_token(plan: ContainerPlan, block: str, variable: str) -> None:
    """Add the token for Hugging Face that a block of settings refers to."""
    reference = part(plan.setup.spec, block).get("hfTokenSecretRef")
    if isinstance(reference, dict):
        entry: JSONObject = {"name": variable, "valueFrom": {"secretKeyRef": reference}}
        plan.variable(entry, plan.setup.of_service(f"{block}.hfTokenSecretRef"), "the token for Hugging Face")
