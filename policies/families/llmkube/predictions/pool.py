"""What the operator does with a ModelPool: which member gets the GPU slot, and the status that follows.

The operator alone sets the members' replicas: 1 for the owner of the slot, 0 for the others. The API server refuses each status of a pool
that lists a member twice. The operator's client can't decode a pool whose `swapBudget` is no duration, and while there is one, none of the
cluster's pools is reconciled.
Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator, operator_of
from weighbridge.policies.families.llmkube.predictions.service.reconcile import predict
from weighbridge.policies.families.llmkube.subject.pool_members import (
    budget_problem,
    is_metal,
    member_names,
    replicas_of,
    slot_owner,
    with_unreadable_budget,
)
from weighbridge.policies.families.llmkube.subject.referenced_services import service_applied
from weighbridge.policies.families.llmkube.subject.references import GROUP
from weighbridge.policies.families.prediction import PredictedValue, Prediction, condition
from weighbridge.policies.ground.field_errors import ErrorType, FieldError, invalid_message
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.findings import Unchecked
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request

_SERVICE = GroupVersionKind(GROUP, "v1alpha1", "InferenceService")


def pool(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction for a ModelPool."""
    if not isinstance(request.object, dict):
        return None
    operator = operator_of(facts, config)
    if not operator.since(0, 9, 16):
        return Prediction({}, settings=operator.settings(), failure=f"{operator.name} has no ModelPool")
    blocked = next(_blocked(request, facts), "")
    if blocked:
        return Prediction({}, settings=operator.settings(), failure=blocked)
    named = [name for name in member_names(request.object) if name]
    members = {name: found for name in named if (found := service_applied(facts, config, request.namespace, name)) is not None}
    missing = sorted(name for name in named if name not in members)
    if missing and not facts.objects.knows_all(GROUP, "InferenceService"):
        unknown = Unchecked("status", f"InferenceService {missing[0]} isn't known here")
        return Prediction({}, settings=operator.settings(), unchecked=(unknown,))
    phases = _Phases(request.namespace, facts, config)
    if missing:
        message = f"Member InferenceServices not found: [{' '.join(missing)}]"
        return _degraded(request.object, members, phases, condition("MembersValid", "False", "MissingMembers", message), operator)
    metal = sorted(name for name in named if is_metal(members[name], request.namespace, facts, config))
    if metal:
        message = f"Metal-backed members are not supported in v1 (k8s GPU gating only): [{' '.join(metal)}]"
        return _degraded(
            request.object, members, phases, condition("MetalSupported", "False", "MetalMembersUnsupported", message), operator
        )
    return _managed(request.object, members, phases, operator)


def _blocked(request: Request, facts: Facts) -> Iterator[str]:
    """Why the operator can't list any pool."""
    own = (request.namespace, name_of(request.object))
    others = (each for each in with_unreadable_budget(facts) if (namespace_of(each), name_of(each)) != own)
    for each in (request.object, *others):
        problem = budget_problem(each)
        if problem:
            where = "" if each is request.object else f" of ModelPool {namespace_of(each)}/{name_of(each)}"
            yield f"the operator can't read the swapBudget{where}, and so lists no ModelPool at all: {problem}"


class _Phases:
    """The phases of members: the one in the service's status if there is one, else the predicted phase."""

    __slots__ = ("_config", "_facts", "_namespace")

    def __init__(self, namespace: str, facts: Facts, config: Configuration) -> None:
        self._namespace, self._facts, self._config = namespace, facts, config

    def of(self, service: JSONObject, replicas: int | None = None) -> str:
        """The phase of a service, with this number of replicas instead of its own."""
        known = text(part(service, "status"), "phase")
        if known:
            return known
        asked = service if replicas is None else {**service, "spec": {**spec_of(service), "replicas": replicas}}
        request = Request("", Operation.CREATE, _SERVICE, asked, namespace=self._namespace, name=name_of(service))
        prediction = predict(request, self._facts, self._config).prediction
        return text(prediction.status, "phase") if prediction is not None else ""


def _degraded(pool: JSONObject, members: Mapping[str, JSONObject], phases: _Phases, why: JSONObject, operator: KnownOperator) -> Prediction:
    listed = [_member(name, phases.of(members[name]) if name in members else "") for name in member_names(pool)]
    status: JSONObject = {"phase": "Degraded", "members": listed, "conditions": [why]}
    refused = _refusal(pool)
    return Prediction({} if refused else status, settings=operator.settings(), failure=refused or text(why, "message"))


def _member(name: str, phase: str) -> JSONObject:
    return {"name": name, "phase": phase} if phase else {"name": name}


def _managed(pool: JSONObject, members: Mapping[str, JSONObject], phases: _Phases, operator: KnownOperator) -> Prediction:
    owner = slot_owner(pool, members)
    states = {name: phases.of(service, 1 if name == owner else 0) for name, service in members.items()}
    is_resident = states.get(owner) == "Ready"
    listed = [
        {**_member(name, states.get(name, "")), **({"resident": True} if is_resident and name == owner else {})}
        for name in member_names(pool)
    ]
    status: JSONObject = {"members": listed, "conditions": _conditions(owner, is_resident)}
    if is_resident:
        status |= {"phase": "Ready", "residentMember": owner}
    elif owner:
        status |= {"phase": "Swapping", "pendingMember": owner}
    else:
        status["phase"] = "Pending"
    source = f"ModelPool {name_of(pool)}"
    values = [
        PredictedValue(f"InferenceService/{name}", "spec.replicas", int(name == owner), source, f"asks for {replicas_of(service)}")
        for name, service in members.items()
        if replicas_of(service) != int(name == owner)
    ]
    refused = _refusal(pool)
    return Prediction({} if refused else status, values=values, settings=operator.settings(), failure=refused)


def _refusal(pool: JSONObject) -> str:
    """The API server's refusal of each status of a pool that lists a member twice; empty if there is none."""
    repeated, seen = [], set[str]()
    for index, name in enumerate(member_names(pool)):
        if name in seen:
            repeated.append(FieldError(ErrorType.DUPLICATE, f"status.members[{index}]", {"name": name}))
        seen.add(name)
    return invalid_message("ModelPool", GROUP, name_of(pool), repeated) if repeated else ""


def _conditions(owner: str, is_resident: bool) -> list[JSONObject]:
    slot = (
        condition("SlotAllocated", "True", "Resident", f'Member "{owner}" owns the shared GPU slot')
        if is_resident
        else condition("SlotAllocated", "False", "Swapping", "No member resident yet")
    )
    return [
        slot,
        condition("MembersValid", "True", "AllResolved", "All member references resolve"),
        condition("SwapDeferred", "False", "NotDeferred", "No swap is being deferred"),
        condition("MetalSupported", "True", "KubernetesGPU", "All members are k8s GPU-gated"),
    ]
