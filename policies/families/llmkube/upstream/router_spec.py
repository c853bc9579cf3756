"""LLMKube's checks of every ModelRouter beyond its schema, with both data planes.

The webhook refuses a router for each of these, and without the webhook the controller marks it Failed. Each `Objection` is one of
upstream's errors; a rule asks for those of its topic. Source: LLMKube v0.9.19, internal/controller/modelrouter_validation.go; measured
against its webhook.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from weighbridge.policies.ground.durations import MILLISECOND, MINUTE, duration_text, nanoseconds
from weighbridge.policies.ground.fields import flag, items, part, text, texts
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.records import dataclass

SHORTEST: Final = 100 * MILLISECOND
LONGEST: Final = 30 * MINUTE
#: The classes of data that are sensitive if a router doesn't list its own.
SENSITIVE: Final = ("pii", "phi")


class Topic(StrEnum):
    """What an objection is about."""

    TARGET = "target"
    TIER = "tier"
    NAME = "name"
    TIMEOUT = "timeout"
    ROUTE = "route"
    SENSITIVE = "sensitive"
    BUDGET = "budget"
    GATEWAY_MATCH = "gateway-match"
    GATEWAY_BUDGET = "gateway-budget"
    GATEWAY_AUTH = "gateway-auth"
    GATEWAY_ALLOWLIST = "gateway-allowlist"
    GATEWAY_AUDIT = "gateway-audit"
    GATEWAY_SENSITIVE = "gateway-sensitive"


@dataclass(frozen=True, slots=True)
class Objection:
    """One thing that upstream refuses: `path` leads to the value, `field` is the path that upstream's error names."""

    topic: Topic
    path: Path
    detail: str
    field: Path


def _objection(topic: Topic, path: Path, detail: str) -> Objection:
    return Objection(topic, path, detail, path)


def static_objections(spec: JSONObject) -> Iterator[Objection]:
    """Upstream's objections to a router's spec, in its order."""
    backends = _by_name(spec)
    yield from _backends(spec)
    default = text(spec, "defaultRoute")
    if default and default not in backends:
        yield _objection(Topic.ROUTE, ("spec", "defaultRoute"), f"references undefined backend {quote(default)}")
    yield from _rules(spec, backends)
    yield from _budgets(spec)


def _by_name(spec: JSONObject) -> dict[str, JSONObject]:
    return {text(backend, "name"): backend for backend in items(spec, "backends")}


def _backends(spec: JSONObject) -> Iterator[Objection]:
    seen: set[str] = set()
    for index, backend in enumerate(items(spec, "backends")):
        path: Path = ("spec", "backends", index)
        local, external = backend.get("inferenceServiceRef") is not None, backend.get("external") is not None
        if local == external:
            words = "exactly one of inferenceServiceRef or external must be set"
            yield _objection(Topic.TARGET, path, f"{words}, not both" if local else words)
        if local and text(backend, "tier") == "cloud":
            detail = "tier=cloud is invalid for a backend with inferenceServiceRef (use tier=local)"
            yield _objection(Topic.TIER, (*path, "tier"), detail)
        name = text(backend, "name")
        if not name:
            yield _objection(Topic.NAME, (*path, "name"), "name is required")
        elif name in seen:
            yield _objection(Topic.NAME, (*path, "name"), f"duplicate backend name {quote(name)}")
        seen.add(name)
        yield from _timeout(backend, path)


def _timeout(holder: JSONObject, path: Path) -> Iterator[Objection]:
    length = nanoseconds(holder.get("timeout"))
    if length is None:
        return
    found = duration_text(length)
    if length < SHORTEST:
        yield _objection(Topic.TIMEOUT, (*path, "timeout"), f"must be >= {duration_text(SHORTEST)}; got {found}")
    elif length > LONGEST:
        yield _objection(Topic.TIMEOUT, (*path, "timeout"), f"must be <= {duration_text(LONGEST)}; got {found} (probable unit typo)")


def _rules(spec: JSONObject, backends: dict[str, JSONObject]) -> Iterator[Objection]:
    sensitive = sensitive_classes(spec)
    for index, rule in enumerate(items(spec, "rules")):
        path: Path = ("spec", "rules", index)
        routed = texts(part(rule, "route"), "backends")
        if not routed:
            yield _objection(Topic.ROUTE, (*path, "route", "backends"), "must reference at least one backend")
        for at, name in enumerate(routed):
            if name not in backends:
                yield _objection(Topic.ROUTE, (*path, "route", "backends", at), f"references undefined backend {quote(name)}")
        yield from _sensitive(rule, path, sensitive, backends)
        yield from _timeout(rule, path)


def sensitive_classes(spec: JSONObject) -> tuple[str, ...]:
    """The classes of data that must not leave the cluster; a list of the router's own replaces upstream's."""
    return texts(part(spec, "policy", "classification"), "sensitiveClassifications") or SENSITIVE


def _sensitive(rule: JSONObject, path: Path, classes: tuple[str, ...], backends: dict[str, JSONObject]) -> Iterator[Objection]:
    matched = [found for found in texts(part(rule, "match"), "dataClassification") if found in classes]
    if not matched:
        return
    listed = f"[{' '.join(matched)}]"
    if not flag(rule, "failClosed"):
        detail = f"rule matches sensitive classifications {listed} and must set failClosed=true"
        yield _objection(Topic.SENSITIVE, (*path, "failClosed"), detail)
    for at, name in enumerate(texts(part(rule, "route"), "backends")):
        if text(backends.get(name), "tier") == "cloud":
            yield Objection(
                Topic.SENSITIVE,
                (*path, "route", "backends", at),
                f"sensitive-data rule cannot route to cloud-tier backend {quote(name)} (matched classifications: {listed})",
                (*path, "route", "backends"),
            )


def _budgets(spec: JSONObject) -> Iterator[Objection]:
    rules = {text(rule, "name") for rule in items(spec, "rules")}
    for index, budget in enumerate(items(spec, "policy", "budgets")):
        path: Path = ("spec", "policy", "budgets", index)
        name = text(budget, "ruleName")
        if text(budget, "scope") == "rule" and not name:
            yield _objection(Topic.BUDGET, (*path, "ruleName"), "ruleName is required when scope=rule")
        elif text(budget, "scope") == "rule" and name not in rules:
            yield _objection(Topic.BUDGET, (*path, "ruleName"), f"references undefined rule {quote(name)}")
        if budget.get("maxTokens") is None and not text(budget, "maxUSD").strip():
            yield _objection(Topic.BUDGET, path, "must set at least one of maxTokens or maxUSD")
