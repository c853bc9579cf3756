"""LLMKube's checks of a ModelRouter with the data plane Gateway: it may use only what Envoy AI Gateway can express.

Upstream reports the first rule or budget that it objects to. Here all of them are reported, and the predicted message of the webhook has
the first.
Source: LLMKube v0.9.19, internal/controller/modelrouter_gateway_controller.go; measured against its webhook. Which field the webhook names
for authentication, allowlists and sensitive rules is not measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.families.llmkube.subject.routers import is_gateway
from weighbridge.policies.families.llmkube.upstream.router_spec import Objection, Topic, sensitive_classes
from weighbridge.policies.ground.fields import flag, items, part, text, texts
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import JSONObject, Path

_RULES: Final[Path] = ("spec", "rules")
_BUDGETS: Final[Path] = ("spec", "policy", "budgets")
_AUTH: Final[Path] = ("spec", "policy", "auth")
_AUDIT_LOG: Final[Path] = ("spec", "policy", "auditLog")
_STRATEGIES: Final = frozenset({"", "primary-fallback", "weighted"})
_AUDIT_TEXT: Final = (
    "policy.auditLog is a Proxy-mode field with no per-router equivalent in dataPlane: Gateway; Envoy Gateway access logging is "
    "configured on the gateway-scoped EnvoyProxy (telemetry.accessLog), not per route. Enable the chart's gateway.auditLog values to ship "
    "the audit EnvoyProxy and reference it from your GatewayClass/Gateway parametersRef, or remove policy.auditLog"
)


def gateway_objections(spec: JSONObject) -> Iterator[Objection]:
    """Upstream's objections to a router with this data plane, in its order; none with the other."""
    if not is_gateway(spec):
        return
    yield from _matches(spec)
    yield from _budgets(spec)
    yield from _jwt(spec)
    yield from _allowlists(spec)
    if part(spec, "policy").get("auditLog") is not None:
        yield Objection(Topic.GATEWAY_AUDIT, _AUDIT_LOG, _AUDIT_TEXT, _AUDIT_LOG)
    yield from _sensitive(spec)


def _matches(spec: JSONObject) -> Iterator[Objection]:
    mode = text(part(spec, "policy", "classification"), "mode") or "header-only"
    for index, rule in enumerate(items(spec, "rules")):
        name = quote(text(rule, "name"))
        unsupported = _unsupported(part(rule, "match"), mode)
        if unsupported:
            detail = (
                f"rule {name} uses {', '.join(unsupported)}, which the gateway data plane cannot match; only model name and headers are "
                "supported in dataPlane: Gateway"
            )
            yield Objection(Topic.GATEWAY_MATCH, (*_RULES, index, "match"), detail, _RULES)
        strategy = text(part(rule, "route"), "strategy")
        if strategy not in _STRATEGIES:
            detail = (
                f"rule {name} uses strategy {quote(strategy)}, which has no gateway equivalent; use primary-fallback or weighted in "
                "dataPlane: Gateway"
            )
            yield Objection(Topic.GATEWAY_MATCH, (*_RULES, index, "route", "strategy"), detail, _RULES)


def _unsupported(match: JSONObject, mode: str) -> list[str]:
    found = []
    if texts(match, "dataClassification") and mode != "header-only":
        found.append("dataClassification (detector/hybrid classifier not implemented; use header-only mode)")
    if text(match, "taskComplexity"):
        found.append("taskComplexity")
    if texts(match, "requiredCapabilities"):
        found.append("requiredCapabilities")
    if match.get("latencySLOMs") is not None:
        found.append("latencySLOMs")
    if any(set(model) & set("*?[") for model in texts(match, "models")):
        found.append("glob model pattern")
    return sorted(found)


def _budgets(spec: JSONObject) -> Iterator[Objection]:
    for index, budget in enumerate(items(spec, "policy", "budgets")):
        name, path = quote(text(budget, "name")), (*_BUDGETS, index)
        if text(budget, "maxUSD"):
            detail = (
                f"budget {name} sets maxUSD; dollar budgets are not yet supported in dataPlane: Gateway (the gateway rate-limits on "
                "tokens, and there is no single honest token conversion across heterogeneous backend costs). Use maxTokens, or track "
                "maxUSD via the Proxy data plane"
            )
            yield Objection(Topic.GATEWAY_BUDGET, (*path, "maxUSD"), detail, _BUDGETS)
        elif text(budget, "scope") == "rule":
            detail = (
                f'budget {name} uses scope "rule", which is not yet supported in dataPlane: Gateway; use scope router (total cap) or team '
                "(per-tenant cap)"
            )
            yield Objection(Topic.GATEWAY_BUDGET, (*path, "scope"), detail, _BUDGETS)
        elif budget.get("maxTokens") is None:
            detail = f"budget {name} sets neither maxTokens nor maxUSD; at least one cap is required"
            yield Objection(Topic.GATEWAY_BUDGET, path, detail, _BUDGETS)


def _jwt(spec: JSONObject) -> Iterator[Objection]:
    auth = part(spec, "policy", "auth")
    if auth.get("jwt") is None:
        return
    missing = sorted(key for key in ("provider", "issuer", "jwksURI", "teamClaim") if not text(part(auth, "jwt"), key))
    if missing:
        path = (*_AUTH, "jwt")
        yield Objection(Topic.GATEWAY_AUTH, path, f"policy.auth.jwt is set but missing required field(s): {', '.join(missing)}", path)


def _allowlists(spec: JSONObject) -> Iterator[Objection]:
    auth = part(spec, "policy", "auth")
    field = (*_AUTH, "allowlists")
    entries = items(auth, "allowlists")
    if entries and auth.get("jwt") is None:
        detail = (
            "policy.auth.allowlists is set but policy.auth.jwt is not; authorization matches on a verified JWT claim and cannot be "
            "enforced without authentication. Configure policy.auth.jwt, or remove the allowlists"
        )
        yield Objection(Topic.GATEWAY_ALLOWLIST, field, detail, field)
        return
    seen: set[str] = set()
    for index, entry in enumerate(entries):
        team = text(entry, "team")
        detail = _team_problem(index, team, seen)
        if detail:
            yield Objection(Topic.GATEWAY_ALLOWLIST, (*field, index, "team"), detail, field)
        seen.add(team)


def _team_problem(index: int, team: str, seen: set[str]) -> str:
    if not team.strip():
        return f"policy.auth.allowlists[{index}] has an empty team; every allowlist entry must name the verified team it grants access to"
    if team != team.strip():
        return (
            f"policy.auth.allowlists team {quote(team)} has leading or trailing whitespace and would never match the exact JWT claim; trim "
            "the team value"
        )
    if team in seen:
        words = f"policy.auth.allowlists has duplicate team {quote(team)}"
        return f"{words}; declare each team at most once (list all its models in a single entry)"
    return ""


def _sensitive(spec: JSONObject) -> Iterator[Objection]:
    classes = sensitive_classes(spec)
    tiers = {text(backend, "name"): text(backend, "tier") or "local" for backend in items(spec, "backends")}
    for index, rule in enumerate(items(spec, "rules")):
        hit = next((found for found in texts(part(rule, "match"), "dataClassification") if found in classes), "")
        if not hit:
            continue
        words = f"rule {quote(text(rule, 'name'))} matches sensitive classification {quote(hit)} but"
        if not flag(rule, "failClosed"):
            yield Objection(Topic.GATEWAY_SENSITIVE, (*_RULES, index, "failClosed"), f"{words} is not failClosed", _RULES)
            continue
        for at, name in enumerate(texts(part(rule, "route"), "backends")):
            if tiers.get(name) != "local":
                path = (*_RULES, index, "route", "backends", at)
                yield Objection(Topic.GATEWAY_SENSITIVE, path, f"{words} routes to non-local backend {quote(name)}", _RULES)
