"""The probes of an engine: an HTTP path or a connection, unless the service has its own.

A probe in `probeOverrides` replaces the whole probe of the engine. Fields that it leaves out get the API server's defaults, not the values
of the engine's probe. Source: LLMKube v0.9.19, internal/controller/runtime_*.go and deployment_builder.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.predictions.engines.plan import ContainerPlan
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass

_TIMEOUT: Final = 5
#: Half an hour with ten seconds each: time to fetch and load the weights.
_STARTUP_FAILURES: Final = 180
_FAILURES: Final = 3
#: Kubernetes' defaults for the fields that a probe leaves out.
_SERVER: Final = {"timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3}


@dataclass(frozen=True, slots=True)
class Health:
    """The paths of the liveness and the readiness probe; without them the probes try to connect to the port."""

    live: str = ""
    ready: str = ""


@dataclass(frozen=True, slots=True)
class Probes:
    """The three probes of a container."""

    startup: JSONObject
    liveness: JSONObject
    readiness: JSONObject


def probes(plan: ContainerPlan, health: Health) -> Probes:
    """The probes of an engine, each replaced by the service's own if it has one."""
    port = plan.setup.port
    return Probes(
        startup=_override(plan, "startup") or _probe(health.ready, port, 10, _STARTUP_FAILURES),
        liveness=_override(plan, "liveness") or _probe(health.live, port, 15, _FAILURES),
        readiness=_override(plan, "readiness") or _probe(health.ready, port, 10, _FAILURES),
    )


def _probe(path: str, port: int, period: int, failures: int) -> JSONObject:
    asks: JSONObject = {"httpGet": {"path": path, "port": port}} if path else {"tcpSocket": {"port": port}}
    return {**asks, "periodSeconds": period, "timeoutSeconds": _TIMEOUT, "failureThreshold": failures}


def _override(plan: ContainerPlan, name: str) -> JSONObject | None:
    given = part(plan.setup.spec, "probeOverrides").get(name)
    if not isinstance(given, dict):
        return None
    probe = {**_SERVER, **given}
    plan.note(f"{name}Probe", probe, plan.setup.of_service(f"probeOverrides.{name}"), "replaces the engine's own probe as a whole")
    return probe
