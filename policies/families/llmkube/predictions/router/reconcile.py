"""What the operator writes and creates for a ModelRouter: its status, and the proxy.

With the data plane Proxy the operator compiles the routes itself. One backend without an address fails all of them, and budgets have no
effect. With the data plane Gateway another controller compiles the routes for Envoy AI Gateway, and one backend that can't be resolved
fails all of them.
Source: LLMKube v0.9.19, internal/controller/modelrouter_controller.go and modelrouter_gateway_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.installed import NOT_KNOWN, is_installed
from weighbridge.policies.families.llmkube.operator import KnownOperator, operator_of
from weighbridge.policies.families.llmkube.predictions.gateway_objects import owner_of, wanted_by_router
from weighbridge.policies.families.llmkube.predictions.router import proxy as router_proxy
from weighbridge.policies.families.llmkube.predictions.router.backends import Backend, backend, gateway_problem
from weighbridge.policies.families.llmkube.predictions.router.config import compiled
from weighbridge.policies.families.llmkube.predictions.router.gateway import compile_router
from weighbridge.policies.families.llmkube.predictions.service.add_ons import ENVOY_AI
from weighbridge.policies.families.llmkube.predictions.service.address import endpoint
from weighbridge.policies.families.llmkube.subject.pool_members import with_unreadable_budget
from weighbridge.policies.families.llmkube.subject.routers import is_gateway
from weighbridge.policies.families.llmkube.upstream.router_gateway import gateway_objections
from weighbridge.policies.families.llmkube.upstream.router_spec import Objection, Topic, static_objections
from weighbridge.policies.families.llmkube.upstream.router_webhook import refusal
from weighbridge.policies.families.prediction import Event, Prediction, condition
from weighbridge.policies.ground.field_errors import FieldError, invalid_message
from weighbridge.policies.ground.fields import items
from weighbridge.policies.ground.findings import Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, field, name_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.request import Request

_REASONS: Final = {
    Topic.GATEWAY_MATCH: "UnsupportedMatchInGatewayMode",
    Topic.GATEWAY_AUTH: "InvalidAuth",
    Topic.GATEWAY_AUDIT: "UnsupportedAuditLogInGatewayMode",
    Topic.GATEWAY_SENSITIVE: "UnsafeSensitiveRoute",
}
_VALIDATED: Final = condition("Validated", "True", "SpecValid", "spec passed static validation")
_NO_GATEWAY: Final = "dataPlane is Gateway but spec.gatewayRef is unset; cannot attach a route"
_NO_CRDS: Final = "Envoy AI Gateway CRDs are not installed; gateway exposure is disabled"

#: How the operator ends an event about a router that it can't compile.
_OLD_ROUTES: Final = (
    "; the gateway continues serving the last successfully compiled routes, so this router's traffic does NOT reflect the current spec"
)


def router(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction for a ModelRouter. If upstream's webhook refuses the router, there is no status, and `failure` is the refusal."""
    if not isinstance(request.object, dict):
        return None
    operator = operator_of(facts, config)
    refused = refusal(request.object, request.old_object if isinstance(request.old_object, dict) else None)
    if refused is not None:
        return Prediction({}, settings=operator.settings(), failure=refused.message)
    spec = spec_of(request.object)
    wrong = [f"{field(objection.field)}: {objection.detail}" for objection in static_objections(spec)]
    if wrong:
        return _invalid("; ".join(wrong), operator)
    if is_gateway(spec):
        return _gateway(request.object, request.namespace, facts, config)
    found = [backend(each, request.namespace, facts, operator, config) for each in items(spec, "backends")]
    unknown = [Unchecked(f"backend {each.name}", each.unknown) for each in found if each.unknown]
    prediction = _proxy(request, found, operator, unknown)
    if not all(each.address for each in found):
        return prediction
    left_out = list(_unpredicted(request, facts, operator))
    config_text, has_pools = None if left_out else compiled(spec, found), any(each.pool for each in found)
    made = router_proxy.objects(request.object, request.namespace, config_text, operator, has_pools=has_pools)
    values, (kind, errors) = router_proxy.values(request.object, operator), router_proxy.refusal_of(made)
    if errors and not unknown:
        return replace(_refused(prediction, made, kind, errors), values=values, unchecked=(*unknown, *left_out))
    return replace(prediction, objects=made, values=values, unchecked=(*unknown, *left_out))


def _refused(prediction: Prediction, made: list[JSONObject], kind: str, errors: list[FieldError]) -> Prediction:
    """The prediction if the API server refuses an object of the proxy: the objects before it are created."""
    at = next(index for index, obj in enumerate(made) if obj["kind"] == kind)
    group = made[at]["apiVersion"].rpartition("/")[0]
    failure = f"{kind}: {invalid_message(kind, group, name_of(made[at]), errors)}"
    ended = [_VALIDATED, condition("Available", "False", "ReconcileFailed", failure)]
    status = {"phase": "Failed", "backends": prediction.status["backends"], "conditions": ended}
    return replace(prediction, status=status, objects=made[:at], failure=failure, weight=Severity.ERROR)


def _invalid(message: str, operator: KnownOperator) -> Prediction:
    """The controller's message on a router that the webhook would refuse, and that was stored without it."""
    status = {"phase": "Failed", "conditions": [condition("Validated", "False", "SpecInvalid", message)]}
    return Prediction(status, settings=operator.settings(), failure=message)


def _gateway(router: JSONObject, namespace: str, facts: Facts, config: Configuration) -> Prediction:
    spec, operator = spec_of(router), operator_of(facts, config)
    if spec.get("gatewayRef") is None:
        return _not_ready("GatewayRefMissing", _NO_GATEWAY, operator)
    installed = is_installed(ENVOY_AI, facts)
    if installed is False:
        return _not_ready("GatewayCRDsNotInstalled", _NO_CRDS, operator)
    objection = next(gateway_objections(spec), None)
    if objection is not None:
        return _not_ready(_reason(objection), objection.detail, operator)
    problem = next(filter(None, (gateway_problem(each, namespace, facts, operator) for each in items(spec, "backends"))), "")
    if problem:
        return _not_ready("ReconcileFailed", problem, operator)
    if installed is None:
        return Prediction({}, settings=operator.settings(), unchecked=(Unchecked("GatewayReady", NOT_KNOWN),))
    found = compile_router(router, namespace, facts, config)
    taken = next(_taken(router, namespace, found.objects, facts), None)
    if taken is not None:
        place, problem = taken
        return replace(_not_ready("ReconcileFailed", problem, operator), objects=found.objects[:place])
    unknown = tuple(
        Unchecked(f"backend {name}", "its InferenceService isn't known here, nor whether it is ready") for name in found.unknown
    )
    return Prediction(found.status, objects=found.objects, settings=operator.settings(), unchecked=unknown)


def _taken(router: JSONObject, namespace: str, made: Sequence[JSONObject], facts: Facts) -> Iterator[tuple[int, str]]:
    """The objects that belong to another router or service: their places, and the operator's message."""
    for wanted in wanted_by_router(router):
        owner = owner_of(wanted, "ModelRouter", router, namespace, facts, is_stored=True)
        if owner is not None:
            place = next(at for at, obj in enumerate(made) if (obj["kind"], name_of(obj)) == (wanted.kind, wanted.name))
            yield place, f"{wanted.kind}/{wanted.name}: {owner.refuses(namespace, wanted)}"


def _reason(objection: Objection) -> str:
    """The reason that the controller writes for a router that was stored without the webhook."""
    if objection.topic is Topic.GATEWAY_BUDGET:
        return {"maxUSD": "UnsupportedBudgetField", "scope": "UnsupportedBudgetScope"}.get(str(objection.path[-1]), "InvalidBudget")
    if objection.topic is Topic.GATEWAY_ALLOWLIST:
        return "AuthorizationRequiresJWT" if objection.path[-1] == "allowlists" else "InvalidAuthorization"
    return _REASONS[objection.topic]


def _not_ready(reason: str, message: str, operator: KnownOperator) -> Prediction:
    status = {"conditions": [condition("GatewayReady", "False", reason, message)], "gateway": {}}
    events = (Event(reason, f"{message}{_OLD_ROUTES}"),) if operator.since(0, 9, 14) else ()
    return Prediction(status, settings=operator.settings(), events=events, failure=message)


def _proxy(request: Request, found: Sequence[Backend], operator: KnownOperator, unchecked: Sequence[Unchecked]) -> Prediction:
    for index, each in enumerate(found):
        if not each.address:
            message = f"compiled router config failed validation: backends[{index}] {each.name}: address is required"
            conditions = [_VALIDATED, condition("Available", "False", "CompileFailed", message)]
            failed = {"conditions": conditions, "phase": "Failed"}
            failure = "" if each.unknown else f"{message} ({each.message})"
            return Prediction(failed, settings=operator.settings(), failure=failure, unchecked=unchecked)
    spec = spec_of(request.object)
    resolved = all(each.is_healthy for each in found)
    backends_ready = (
        condition("BackendsReady", "True", "BackendsResolved", "all backends resolved")
        if resolved
        else condition("BackendsReady", "False", "BackendsUnresolved", "some backends unresolved (see status.backends for details)")
    )
    status: JSONObject = {
        "phase": "Provisioning",
        "endpoint": endpoint(spec, router_proxy.proxy_name(name_of(request.object)), request.namespace),
        "backends": [_status(each) for each in found],
        "conditions": [
            _VALIDATED,
            backends_ready,
            condition("Available", "False", "DeploymentNotReady", "Waiting for proxy pods to become Ready"),
        ],
    }
    if items(spec, "rules"):
        status["activeRules"] = len(items(spec, "rules"))
    return Prediction(status, settings=operator.settings(), unchecked=unchecked)


def _status(found: Backend) -> JSONObject:
    status: JSONObject = {"name": found.name, "tier": found.tier, "address": found.address}
    if found.is_healthy:
        status["healthy"] = True
    if found.message:
        status["message"] = found.message
    return status


def _unpredicted(request: Request, facts: Facts, operator: KnownOperator) -> Iterator[Unchecked]:
    """The parts of the proxy and its configuration whose form isn't known here."""
    spec = spec_of(request.object)
    if not operator.since(0, 9, 6):
        yield Unchecked("Deployment", f"the proxy of {operator.name} wasn't measured; this is that of a newer operator")
    if any(isinstance(each.get("inferenceServiceRef"), dict) for each in items(spec, "backends")) and any(with_unreadable_budget(facts)):
        yield Unchecked("ConfigMap", "a ModelPool has a swapBudget that the operator can't read, so it lists no pool")
