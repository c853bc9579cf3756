"""What a service gets from Pyrra and from Envoy AI Gateway: an objective for `spec.slo`, a route for `spec.endpoint.gateway`.

Two other controllers of the operator create them, whether the service has pods or not, and only if the add-on's CRDs are installed. The one
for Pyrra is off unless a flag of the operator enables it. If it isn't known whether an add-on is installed, nothing is predicted for it.
Source: LLMKube, internal/controller/{inferenceservice_slo,inferenceservice_gateway}_controller.go and gateway_resources.go; measured with
CRDs that take any spec.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.installed import NOT_KNOWN, is_installed
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.gateway_objects import (
    BACKEND,
    OBJECTIVE,
    ROUTE,
    objective_name,
    owner_of,
    wanted_by_service,
)
from weighbridge.policies.families.llmkube.predictions.service.address import service_name, service_port
from weighbridge.policies.families.prediction import Deferred, PredictedValue, Prediction, condition
from weighbridge.policies.ground.field_errors import invalid_message, value_errors
from weighbridge.policies.ground.fields import flag, items, part, text
from weighbridge.policies.ground.findings import Unchecked
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, field, replace
from weighbridge.policies.pods.validation.template import label_errors
from weighbridge.policies.schema.names import dns1123_subdomain

PYRRA: Final = "pyrra.dev"
ENVOY_AI: Final = "aigateway.envoyproxy.io"
ENVOY: Final = "gateway.envoyproxy.io"
GATEWAY_API: Final = "gateway.networking.k8s.io"
#: The header by which Envoy AI Gateway distinguishes models.
MODEL_HEADER: Final = "x-ai-eg-model"
#: Engines that measure the duration of requests, with the metric's name.
_LATENCY: Final = {"vllm": "vllm:e2e_request_latency_seconds"}
_SLO_OFF: Final = (
    "spec.slo is set but the Pyrra integration is disabled; enable it with pyrra.enabled=true (operator flag --enable-pyrra-slo)"
)
_NO_PYRRA: Final = "Pyrra ServiceLevelObjective CRD is not installed; see https://github.com/pyrra-dev/pyrra"
_NO_GATEWAY: Final = "Envoy AI Gateway CRDs are not installed; gateway exposure is disabled"
_SCRAPED: Final = condition("SLODataSourceAvailable", "True", "InClusterRuntime", "serving pods are scraped by cluster Prometheus")
_NOT_SCRAPED: Final = condition(
    "SLODataSourceAvailable",
    "False",
    "OffClusterRuntime",
    "Metal-backed services run off-cluster; cluster Prometheus has no scrape target, so this SLO will show no data",
)


@dataclass(slots=True)
class _Made:
    """What the two controllers create and write: objects with provenance, conditions, and `status.gateway`, which is `None` without a
    gateway.

    `unchecked` says which part isn't known.
    """

    objects: list[JSONObject] = field(default_factory=list)
    values: list[PredictedValue] = field(default_factory=list)
    conditions: list[JSONObject] = field(default_factory=list)
    gateway: JSONObject | None = None
    unchecked: list[Unchecked] = field(default_factory=list)


def with_add_ons(
    prediction: Prediction, service: JSONObject, model: JSONObject | None, operator: KnownOperator, facts: Facts
) -> Prediction:
    """The prediction for a service with the results of the two controllers; a Model that isn't known counts as served by pods."""
    spec, made = spec_of(service), _Made()
    gateway = part(spec, "endpoint", "gateway")
    if flag(gateway, "enabled"):
        _expose(service, gateway, facts, made)
    if isinstance(spec.get("slo"), dict) and operator.since(0, 9, 8):
        _observe(service, model, operator, facts, made)
    if not made.conditions and not made.unchecked:
        return prediction
    status = {**prediction.status, "conditions": [*made.conditions, *items(prediction.status, "conditions")]}
    return replace(
        prediction,
        unchecked=(*prediction.unchecked, *made.unchecked),
        status=status if made.gateway is None else {**status, "gateway": made.gateway},
        objects=(*prediction.objects, *made.objects),
        values=Deferred(lambda: (*prediction.values, *made.values)),
    )


def _expose(service: JSONObject, asked: JSONObject, facts: Facts, made: _Made) -> None:
    """Add a backend for the service's Service, and a route from the gateway to it by the model's name."""
    installed = is_installed(ENVOY_AI, facts)
    if installed is None:
        made.unchecked.append(Unchecked("GatewayReady", NOT_KNOWN))
        return
    if not installed:
        made.conditions.append(condition("GatewayReady", "False", "GatewayCRDsNotInstalled", _NO_GATEWAY))
        made.gateway = {}
        return
    spec, name = spec_of(service), service_name(name_of(service))
    reference = part(asked, "gatewayRef")
    host = f"{name}.{namespace_of(service)}.svc.cluster.local"
    source, model = _model_name(service, asked)
    parent = {"name": text(reference, "name"), "kind": "Gateway", "group": GATEWAY_API}
    if text(reference, "namespace"):
        parent["namespace"] = text(reference, "namespace")
    header = {"type": "Exact", "name": MODEL_HEADER, "value": model}
    made.objects += (
        _manifest(f"{ENVOY}/v1alpha1", "Backend", name, service, {"endpoints": [{"fqdn": {"hostname": host, "port": service_port(spec)}}]}),
        _manifest(
            f"{ENVOY_AI}/v1beta1",
            "AIServiceBackend",
            name,
            service,
            {"schema": {"name": "OpenAI"}, "backendRef": {"name": name, "kind": "Backend", "group": ENVOY}},
        ),
        _manifest(
            f"{ENVOY_AI}/v1beta1",
            "AIGatewayRoute",
            name,
            service,
            {"parentRefs": [parent], "rules": [{"matches": [{"headers": [header]}], "backendRefs": [{"name": name}]}]},
        ),
    )
    if taken := _taken(service, facts, BACKEND, ROUTE):
        made.objects = made.objects[: 0 if taken.startswith(BACKEND) else 2]
        made.conditions.append(condition("GatewayReady", "False", "ReconcileFailed", taken))
        made.gateway = {}
        return
    where = "spec.rules[0].matches[0].headers[0].value"
    made.values.append(PredictedValue(f"AIGatewayRoute/{name}", where, model, source, "the model that clients of the gateway request"))
    said = f"model {quote(model)} exposed via gateway {text(reference, 'name')}"
    made.conditions.append(condition("GatewayReady", "True", "Exposed", said))
    made.gateway = {"routeReady": True, "modelName": model}


def _model_name(service: JSONObject, asked: JSONObject) -> tuple[str, str]:
    """The name of the model for clients of the gateway, and the field that gives it: the gateway's block, else the Model's name, else the
    service's.
    """
    name = name_of(service)
    for path, found in (("endpoint.gateway.modelName", text(asked, "modelName")), ("modelRef", text(spec_of(service), "modelRef"))):
        if found:
            return f"InferenceService {name} spec.{path}", found
    return f"InferenceService {name} metadata.name", name


def _observe(service: JSONObject, model: JSONObject | None, operator: KnownOperator, facts: Facts, made: _Made) -> None:
    """Add Pyrra's objective, or the condition that says why there is none."""
    asked, runtime = part(spec_of(service), "slo"), text(spec_of(service), "runtime")
    indicator, installed = text(asked, "indicator"), is_installed(PYRRA, facts)
    if operator.enable_pyrra_slo and installed is None:
        made.unchecked.append(Unchecked("SLOReady", NOT_KNOWN))
        return
    if not operator.enable_pyrra_slo:
        reason, problem = "IntegrationDisabled", _SLO_OFF
    elif not installed:
        reason, problem = "PyrraNotInstalled", _NO_PYRRA
    elif indicator != "availability" and (indicator != "latency" or runtime not in _LATENCY):
        reason = "IndicatorUnsupportedForRuntime"
        problem = f"indicator {quote(indicator)} has no metric source on runtime {quote(runtime)} (see docs/observability/slo.md)"
    elif refused := objective_refusal(service, facts, is_stored=True):
        reason, problem = "ReconcileFailed", refused
    else:
        made.objects.append(_objective(service, asked, runtime))
        name = name_of(made.objects[-1])
        source = f"InferenceService {name_of(service)} spec.slo"
        reason = f"the share of requests or of time that must be good within {text(asked, 'window')}"
        made.values.append(PredictedValue(f"ServiceLevelObjective/{name}", "spec.target", text(asked, "objective"), source, reason))
        is_metal = text(part(spec_of(model), "hardware"), "accelerator") == "metal"
        made.conditions.append(condition("SLOReady", "True", "SLOCreated", f"Pyrra ServiceLevelObjective {quote(name)} reconciled"))
        made.conditions.append(_NOT_SCRAPED if is_metal else _SCRAPED)
        return
    made.conditions.append(condition("SLOReady", "False", reason, problem))


def objective_refusal(service: JSONObject, facts: Facts, *, is_stored: bool = False) -> str:
    """Why the operator can't create the objective: the API server refuses its name, or it is another service's; empty if it can."""
    name = objective_name(service)
    errors = [
        *value_errors("metadata.name", name, dns1123_subdomain(name)),
        *label_errors(_objective_labels(service), "metadata.labels"),
    ]
    return (
        invalid_message("ServiceLevelObjective", PYRRA, name, errors) if errors else _taken(service, facts, OBJECTIVE, is_stored=is_stored)
    )


def _taken(service: JSONObject, facts: Facts, *kinds: str, is_stored: bool = True) -> str:
    """The operator's message if one of these objects belongs to another router or service; empty if none does."""
    for wanted in wanted_by_service(service):
        if wanted.kind not in kinds:
            continue
        owner = owner_of(wanted, "InferenceService", service, namespace_of(service), facts, is_stored=is_stored)
        if owner is not None:
            said = owner.refuses(namespace_of(service), wanted)
            return said if wanted.kind == OBJECTIVE else f"{wanted.kind}: {said}"
    return ""


def _objective_labels(service: JSONObject) -> dict[str, str]:
    return {"app.kubernetes.io/managed-by": "llmkube", "inference.llmkube.dev/inferenceservice": name_of(service)}


def _objective(service: JSONObject, asked: JSONObject, runtime: str) -> JSONObject:
    """The objective for the indicator, if the engine measures it."""
    series = f"namespace={quote(namespace_of(service))},service={quote(name_of(service))}"
    indicator: JSONObject
    if text(asked, "indicator") == "latency":
        metric = _LATENCY[runtime]
        good = f"{metric}_bucket{{{series},le={quote(text(asked, 'latencyThreshold'))}}}"
        indicator = {"latency": {"success": {"metric": good}, "total": {"metric": f"{metric}_count{{{series}}}"}}}
    else:
        indicator = {"bool_gauge": {"metric": f"up{{{series}}}"}}
    made = _manifest(
        f"{PYRRA}/v1alpha1",
        "ServiceLevelObjective",
        objective_name(service),
        service,
        {"target": text(asked, "objective"), "window": text(asked, "window"), "indicator": indicator},
    )
    made["metadata"]["labels"] = _objective_labels(service)
    return made


def _manifest(version: str, kind: str, name: str, service: JSONObject, spec: JSONObject) -> JSONObject:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": namespace_of(service)}, "spec": spec}
