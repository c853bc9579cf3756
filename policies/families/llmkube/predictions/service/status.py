"""The status that the operator writes into an InferenceService, without what depends on running pods.

It is in the form that the API server stores: zeros, switches that are off and empty texts are left out. Timestamps aren't predicted.
Source: LLMKube v0.9.19, internal/controller/status_builder.go; suspension came with v0.9.11.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.engines.serving_mode import serving_mode
from weighbridge.policies.families.llmkube.predictions.service.scheduling import effective_priority
from weighbridge.policies.families.prediction import condition
from weighbridge.policies.ground.fields import flag, items, part, text, whole
from weighbridge.policies.ground.objects import JSONObject

FAILED: Final = "Failed"
PENDING: Final = "Pending"
CREATING: Final = "Creating"
STOPPED: Final = "Stopped"
SUSPENDED: Final = "Suspended"
#: The phases that leave the condition of an earlier failure as it is.
STILL_DEGRADED: Final = frozenset({PENDING, CREATING})

_TIMES: Final = frozenset({"lastUpdated", "observedGeneration"})
_WAITING_FOR_AGENT: Final = {
    "schedulingStatus": "WaitingForMetalAgent",
    "schedulingMessage": "Waiting for the host metal-agent to fetch the model and register Endpoints",
}


def knows_suspension(operator: KnownOperator) -> bool:
    """Whether this version of the operator can suspend services and reports it."""
    return operator.since(0, 9, 11)


def is_suspended(spec: JSONObject, operator: KnownOperator) -> bool:
    """Whether the service is suspended, with no replicas."""
    return flag(spec, "suspend") and knows_suspension(operator)


def desired_replicas(spec: JSONObject, operator: KnownOperator) -> int:
    """How many pods the operator requests: the number in `replicas`, and 0 while the service is suspended."""
    return 0 if is_suspended(spec, operator) else whole(spec, "replicas", 1)


def status(
    spec: JSONObject,
    operator: KnownOperator,
    phase: str,
    message: str = "",
    *,
    replicas: int = 0,
    model_ready: bool = True,
    endpoint: str = "",
    is_metal: bool = False,
    failed_before: str = "",
    conditions: tuple[JSONObject, ...] = (),
) -> JSONObject:
    """The status of a service that reaches `phase`; `conditions` come first. The condition of an earlier failure, `failed_before`, stays
    until the service is ready.
    """
    found: JSONObject = {
        "phase": phase,
        "mode": serving_mode(spec),
        "modelReady": model_ready,
        "desiredReplicas": replicas,
        "replicas": replicas,
        "endpoint": endpoint,
        "effectivePriority": effective_priority(spec),
    }
    if is_metal and phase == CREATING:
        found |= _WAITING_FOR_AGENT
    own = [*conditions, *_of_phase(phase, message, replicas, operator)]
    if failed_before and phase in STILL_DEGRADED:
        own.append(condition("Degraded", "True", FAILED, failed_before))
    if knows_suspension(operator):
        own.append(_suspension(spec))
    return {field: value for field, value in {**found, "conditions": own}.items() if value}


def has_objects(service: JSONObject) -> bool:
    """Whether the Deployment and the Service exist: the status has an endpoint once the operator has created both."""
    written = part(service, "status")
    return bool(text(written, "endpoint")) and text(written, "schedulingStatus") != _WAITING_FOR_AGENT["schedulingStatus"]


def written_status(service: JSONObject) -> JSONObject:
    """The stored status without times."""
    written = {field: value for field, value in part(service, "status").items() if field not in _TIMES}
    if "conditions" not in written:
        return written
    kept = [condition(*(text(held, field) for field in ("type", "status", "reason", "message"))) for held in items(written, "conditions")]
    return {**written, "conditions": kept}


def phase_of(spec: JSONObject, operator: KnownOperator, replicas: int) -> str:
    """The phase of a service whose objects exist and whose pods don't run yet."""
    if is_suspended(spec, operator):
        return SUSPENDED
    return CREATING if replicas > 0 else STOPPED


def _of_phase(phase: str, message: str, replicas: int, operator: KnownOperator) -> tuple[JSONObject, ...]:
    """The conditions that a phase brings."""
    match phase:
        case "Failed":
            return (condition("Degraded", "True", FAILED, message),)
        case "Pending":
            return (condition("Progressing", "True", PENDING, message),)
        case "Creating":
            return (condition("Progressing", "True", CREATING, f"Creating inference service (0/{replicas} replicas ready)"),)
        case "Stopped" if knows_suspension(operator):
            return (condition("Available", "False", "ManuallyScaledToZero", "spec.replicas=0; workload scaled to zero"),)
        case "Suspended":
            said = "spec.suspend=true; workload scaled to zero; spec.replicas preserved"
            return (condition("Available", "False", SUSPENDED, said),)
    return ()


def _suspension(spec: JSONObject) -> JSONObject:
    if flag(spec, "suspend"):
        said = "Service is suspended (spec.suspend=true); workload scaled to zero, spec.replicas preserved"
        return condition("Suspended", "True", SUSPENDED, said)
    return condition("Suspended", "False", "NotSuspended", "Service is not suspended")
