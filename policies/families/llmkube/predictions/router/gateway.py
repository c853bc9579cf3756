"""The resources of Envoy AI Gateway to which the operator compiles a ModelRouter with the data plane Gateway, and their status.

Each backend becomes a Backend and an AIServiceBackend. The rules become one AIGatewayRoute, which leaves out a backend without a ready pod
if the rule has another one. A BackendTrafficPolicy has fallback and budgets, a SecurityPolicy has authentication.
Source: LLMKube v0.9.19, internal/controller/modelrouter_gateway_controller.go, gateway_resources_modelrouter.go and
gateway_health_ejection.go; measured with CRDs that take any spec.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.predictions.router.backends import gateway_host
from weighbridge.policies.families.llmkube.predictions.service.add_ons import ENVOY, ENVOY_AI, GATEWAY_API, MODEL_HEADER
from weighbridge.policies.families.llmkube.predictions.service.address import service_name, service_port
from weighbridge.policies.families.llmkube.subject.referenced_services import service_applied
from weighbridge.policies.families.prediction import condition
from weighbridge.policies.ground.durations import duration_text, nanoseconds
from weighbridge.policies.ground.fields import items, part, text, text_map, texts, whole
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.records import dataclass

_TEAM_HEADER: Final = "x-llmkube-team"
_CLASS_HEADER: Final = "x-llmkube-classification"
#: The units of a budget, the longest first, with their seconds.
_UNITS: Final = (("Day", 86400), ("Hour", 3600), ("Minute", 60), ("Second", 1))
_PORTS: Final = {"https": 443, "http": 80}
_TOKENS: Final = "llm_total_token"
_HEALTH: Final[JSONObject] = {
    "passive": {"baseEjectionTime": "30s", "consecutive5XxErrors": 3, "interval": "5s", "maxEjectionPercent": 100},
    "active": {
        "type": "HTTP",
        "interval": "2s",
        "timeout": "1s",
        "unhealthyThreshold": 2,
        "healthyThreshold": 1,
        "http": {"path": "/health", "method": "GET", "expectedStatuses": [200]},
    },
}
_COST: Final[JSONObject] = {
    "request": {"from": "Number", "number": 0},
    "response": {"from": "Metadata", "metadata": {"namespace": "io.envoy.ai_gateway", "key": _TOKENS}},
}


@dataclass(frozen=True, slots=True)
class GatewayBackend:
    """A backend to which the gateway can route; `is_ready` is `None` if that isn't known."""

    name: str
    host: str
    port: int
    is_ready: bool | None = True


@dataclass(frozen=True, slots=True)
class Compiled:
    """The resources, the status, and the services whose readiness isn't known."""

    objects: list[JSONObject]
    status: JSONObject
    unknown: list[str]


def compile_router(router: JSONObject, namespace: str, facts: Facts, config: Configuration) -> Compiled:
    """Compile a router whose backends can all be resolved."""
    spec = spec_of(router)
    backends = [_backend(each, namespace, facts, config) for each in items(spec, "backends")]
    rules, ejected = _without_unready(list(_rules(spec)), {each.name for each in backends if each.is_ready is False})
    name = service_name(name_of(router))
    made = [obj for each in backends for obj in _of_backend(each, namespace)]
    jwt = part(spec, "policy", "auth", "jwt")
    if jwt:
        made.append(_manifest(f"{ENVOY}/v1alpha1", "SecurityPolicy", name, namespace, _security(spec, jwt, name)))
    made.append(_manifest(f"{ENVOY_AI}/v1beta1", "AIGatewayRoute", name, namespace, _route(spec, rules)))
    made.append(_manifest(f"{ENVOY}/v1alpha1", "BackendTrafficPolicy", name, namespace, _traffic(spec, name)))
    return Compiled(made, _status(spec, jwt, ejected), [each.name for each in backends if each.is_ready is None])


def _backend(spec: JSONObject, namespace: str, facts: Facts, config: Configuration) -> GatewayBackend:
    name = text(spec, "name")
    if spec.get("external") is not None:
        url = text(part(spec, "external"), "url")
        split = urlsplit(url.strip())
        return GatewayBackend(name, gateway_host(url), split.port or _PORTS.get(split.scheme, 0))
    asked = text(part(spec, "inferenceServiceRef"), "name")
    service = service_applied(facts, config, namespace, asked)
    is_ready = None if service is None else whole(part(service, "status"), "readyReplicas") > 0
    return GatewayBackend(name, f"{service_name(asked)}.{namespace}.svc.cluster.local", service_port(spec_of(service)), is_ready)


def _of_backend(backend: GatewayBackend, namespace: str) -> Iterator[JSONObject]:
    name = service_name(backend.name)
    endpoint = {"fqdn": {"hostname": backend.host, "port": backend.port}}
    if _is_address(backend.host):
        endpoint = {"ip": {"address": backend.host, "port": backend.port}}
    yield _manifest(f"{ENVOY}/v1alpha1", "Backend", name, namespace, {"endpoints": [endpoint]})
    reference = {"name": name, "kind": "Backend", "group": ENVOY}
    yield _manifest(f"{ENVOY_AI}/v1beta1", "AIServiceBackend", name, namespace, {"schema": {"name": "OpenAI"}, "backendRef": reference})


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class _Rule:
    """One rule of the route; `references` are backends with their priority or weight."""

    references: list[JSONObject]
    match: JSONObject
    timeout: int = 0


def _rules(spec: JSONObject) -> Iterator[_Rule]:
    """The author's rules, then one rule for the name of each backend if the strategy demands it, then the default."""
    weights = {text(each, "name"): whole(each, "weight", 1) for each in items(spec, "backends")}
    for rule in items(spec, "rules"):
        route = part(rule, "route")
        is_weighted = text(route, "strategy") == "weighted"
        references: list[JSONObject] = [
            {"name": name, "weight": weights.get(name, 0)} if is_weighted else {"name": name, "priority": place}
            for place, name in enumerate(texts(route, "backends"))
        ]
        yield _Rule(references, part(rule, "match"), nanoseconds(rule.get("timeout")) or 0)
    if text(spec, "defaultRouteStrategy") == "BackendNameMatch":
        for backend in items(spec, "backends"):
            name = text(backend, "name")
            yield _Rule([{"name": name}], {"models": [text(backend, "displayName") or name]})
    if text(spec, "defaultRoute"):
        yield _Rule([{"name": text(spec, "defaultRoute")}], {})


def _without_unready(rules: list[_Rule], unready: Collection[str]) -> tuple[list[_Rule], list[str]]:
    """The rules without the backends that have no ready pod, and the backends that were left out. A rule with no other backends keeps
    them.
    """
    out, ejected = [], set()
    for rule in rules:
        kept = [each for each in rule.references if each["name"] not in unready]
        if kept:
            ejected |= {each["name"] for each in rule.references if each["name"] in unready}
        out.append(_Rule(kept or rule.references, rule.match, rule.timeout))
    return out, sorted(ejected)


def _route(spec: JSONObject, rules: list[_Rule]) -> JSONObject:
    reference = part(spec, "gatewayRef")
    parent = {"name": text(reference, "name"), "kind": "Gateway", "group": GATEWAY_API}
    if text(reference, "namespace"):
        parent["namespace"] = text(reference, "namespace")
    header = text(part(spec, "policy", "classification"), "headerKey") or _CLASS_HEADER
    made: JSONObject = {"parentRefs": [parent], "rules": [_route_rule(rule, header) for rule in rules]}
    return {**made, "llmRequestCosts": [{"metadataKey": _TOKENS, "type": "TotalToken"}]} if _budgets(spec) else made


def _route_rule(rule: _Rule, class_header: str) -> JSONObject:
    made: JSONObject = {
        "matches": list(_matches(rule.match, class_header)),
        "backendRefs": [{**each, "name": service_name(each["name"])} for each in rule.references],
    }
    return {**made, "timeouts": {"request": duration_text(rule.timeout)}} if rule.timeout > 0 else made


def _matches(match: JSONObject, class_header: str) -> Iterator[JSONObject]:
    """One match for each pair of model and classification, all with the rule's headers."""
    headers = [_exact(name, value) for name, value in sorted(text_map(match, "headers").items())]
    models = [[_exact(MODEL_HEADER, model)] for model in texts(match, "models")] or [[]]
    classes = [[_exact(class_header, found)] for found in texts(match, "dataClassification")] or [[]]
    for model in models:
        for found in classes:
            wanted = [*model, *found, *headers]
            yield {"headers": wanted} if wanted else {}


def _exact(name: str, value: str) -> JSONObject:
    return {"type": "Exact", "name": name, "value": value}


def _traffic(spec: JSONObject, name: str) -> JSONObject:
    asked = [nanoseconds(each.get("timeout")) or 0 for key in ("rules", "backends") for each in items(spec, key)]
    made: JSONObject = {
        "targetRefs": [_target(name)],
        "retry": {
            "numAttemptsPerPriority": 1,
            "numRetries": 5,
            "perRetry": {
                "backOff": {"baseInterval": "100ms", "maxInterval": "10s"},
                "timeout": duration_text(max(asked)) if any(asked) else "60s",
            },
            "retryOn": {"httpStatusCodes": [500, 503], "triggers": ["connect-failure", "retriable-status-codes"]},
        },
        "healthCheck": _HEALTH,
    }
    budgets = [_budget(each) for each in _budgets(spec)]
    return {**made, "rateLimit": {"type": "Global", "global": {"rules": budgets}}} if budgets else made


def _target(name: str) -> JSONObject:
    return {"group": GATEWAY_API, "kind": "HTTPRoute", "name": name}


def _budgets(spec: JSONObject) -> list[JSONObject]:
    return items(spec, "policy", "budgets")


def _budget(budget: JSONObject) -> JSONObject:
    """A budget as a limit per unit of time, with the same average rate."""
    window = whole(budget, "windowSeconds", 3600)
    unit, seconds = next((unit for unit in _UNITS if window >= unit[1]), _UNITS[-1])
    requests = max(whole(budget, "maxTokens") * seconds // max(window, 1), 1)
    made: JSONObject = {"limit": {"requests": requests, "unit": unit}, "cost": _COST}
    if text(budget, "scope") != "team":
        return made
    key = {"name": text(budget, "headerKey") or _TEAM_HEADER, "type": "Distinct"}
    return {**made, "clientSelectors": [{"headers": [key]}]}


def _security(spec: JSONObject, jwt: JSONObject, name: str) -> JSONObject:
    provider = {
        "name": text(jwt, "provider"),
        "issuer": text(jwt, "issuer"),
        "remoteJWKS": {"uri": text(jwt, "jwksURI")},
        "claimToHeaders": [{"claim": text(jwt, "teamClaim"), "header": text(jwt, "headerKey") or _TEAM_HEADER}],
    }
    made: JSONObject = {"targetRefs": [_target(name)], "jwt": {"providers": [provider]}}
    allowed = items(spec, "policy", "auth", "allowlists")
    if not allowed:
        return made
    rules = [_allow(jwt, entry, place) for place, entry in enumerate(allowed)]
    return {**made, "authorization": {"defaultAction": "Deny", "rules": rules}}


def _allow(jwt: JSONObject, entry: JSONObject, place: int) -> JSONObject:
    team, models = text(entry, "team"), list(texts(entry, "models"))
    claim = {"name": text(jwt, "teamClaim"), "values": [team]}
    principal: JSONObject = {"jwt": {"provider": text(jwt, "provider"), "claims": [claim]}}
    if models:
        principal["headers"] = [{"name": MODEL_HEADER, "values": models}]
    fragment = re.sub(r"[^a-z0-9-]+", "-", team.lower()).strip("-") or "team"
    return {"name": f"allow-{fragment}-{place}", "action": "Allow", "principal": principal}


def _status(spec: JSONObject, jwt: JSONObject, ejected: list[str]) -> JSONObject:
    reference = part(spec, "gatewayRef")
    name, namespace = text(reference, "name"), text(reference, "namespace")
    endpoint = f"gateway {namespace}/{name}" if namespace else f"gateway {quote(name)}"
    gateway: JSONObject = {"routeReady": True, "endpoint": endpoint, **({"authEnabled": True} if jwt else {})}
    said = f"compiled {len(items(spec, 'rules'))} rule(s) onto {endpoint}{_said_of_budgets(spec)}"
    if jwt:
        teams = len(items(spec, "policy", "auth", "allowlists"))
        said += "; JWT authentication enforced" + (f"; {teams} team model allowlist(s) enforced" if teams else "")
    if ejected:
        said += f"; ejected {len(ejected)} unhealthy backend(s): {', '.join(ejected)}"
    return {"conditions": [condition("GatewayReady", "True", "Exposed", said)], "gateway": gateway}


def _said_of_budgets(spec: JSONObject) -> str:
    budgets = _budgets(spec)
    if not budgets:
        return ""
    said = f"; enforced {len(budgets)} token budget(s)"
    if any(text(each, "scope") == "team" for each in budgets):
        said += (
            " (team-scoped budgets key on a request header and are tamper-proof only once gateway auth derives that header from a "
            "verified identity)"
        )
    return said


def _manifest(version: str, kind: str, name: str, namespace: str, spec: JSONObject) -> JSONObject:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": namespace}, "spec": spec}
