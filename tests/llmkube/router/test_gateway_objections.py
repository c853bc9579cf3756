"""The objections to a router for a gateway: each as a whole, in upstream's order, and similar values that pass."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.families.llmkube.upstream.router_gateway import gateway_objections
from weighbridge.policies.families.llmkube.upstream.router_spec import Objection, Topic
from weighbridge.policies.ground.objects import Path

JWT = {"provider": "p", "issuer": "i", "jwksURI": "u", "teamClaim": "t"}
BACKENDS = [{"name": "near"}, {"name": "edge", "tier": "edge"}, {"name": "local", "tier": "local"}, {"name": "far", "tier": "cloud"}]
AUTH: Path = ("spec", "policy", "auth")
LISTED: Path = (*AUTH, "allowlists")
RULES: Path = ("spec", "rules")
BUDGETS: Path = ("spec", "policy", "budgets")
ONLY = "which the gateway data plane cannot match; only model name and headers are supported in dataPlane: Gateway"
CLASSES = "dataClassification (detector/hybrid classifier not implemented; use header-only mode)"

DOLLARS = (
    "sets maxUSD; dollar budgets are not yet supported in dataPlane: Gateway (the gateway rate-limits on tokens, and there is no single "
    "honest token conversion across heterogeneous backend costs). Use maxTokens, or track maxUSD via the Proxy data plane"
)


def found(plane: str = "Gateway", **spec: Any) -> list[Objection]:
    return list(gateway_objections({"dataPlane": plane, "backends": BACKENDS, **spec}))


@pytest.mark.parametrize(
    ("match", "mode", "unsupported"),
    [
        ({}, "hybrid", ""),
        ({"models": ["llama-3", "a.b"], "headers": {"a": "b"}}, "hybrid", ""),
        ({"dataClassification": ["x"]}, "", ""),
        ({"dataClassification": ["x"]}, "header-only", ""),
        ({"dataClassification": []}, "hybrid", ""),
        ({"dataClassification": ["x"]}, "hybrid", CLASSES),
        ({"dataClassification": ["x"]}, "detector", CLASSES),
        ({"models": ["a", "b*"]}, "", "glob model pattern"),
        ({"models": ["b?"]}, "", "glob model pattern"),
        ({"models": ["[ab]"]}, "", "glob model pattern"),
        ({"taskComplexity": "", "requiredCapabilities": [], "latencySLOMs": None}, "", ""),
        ({"latencySLOMs": 0}, "", "latencySLOMs"),
        (
            {"taskComplexity": "high", "requiredCapabilities": ["vision"], "latencySLOMs": 5, "models": ["*"], "dataClassification": ["x"]},
            "hybrid",
            f"{CLASSES}, glob model pattern, latencySLOMs, requiredCapabilities, taskComplexity",
        ),
    ],
)
def test_rules_match_by_model_and_header(match: dict[str, Any], mode: str, unsupported: str) -> None:
    rules = [{"name": "first"}, {"name": "r", "match": match}]
    expected = [Objection(Topic.GATEWAY_MATCH, (*RULES, 1, "match"), f'rule "r" uses {unsupported}, {ONLY}', RULES)] if unsupported else []
    assert found(rules=rules, policy={"classification": {"mode": mode}}) == expected
    assert found("Proxy", rules=rules, policy={"classification": {"mode": mode}}) == []


@pytest.mark.parametrize(("strategy", "fits"), [("", True), ("primary-fallback", True), ("weighted", True), ("round-robin", False)])
def test_strategies_have_an_equivalent(strategy: str, fits: bool) -> None:
    words = f'rule "r" uses strategy "{strategy}", which has no gateway equivalent; use primary-fallback or weighted in dataPlane: Gateway'
    expected = [] if fits else [Objection(Topic.GATEWAY_MATCH, (*RULES, 0, "route", "strategy"), words, RULES)]
    assert found(rules=[{"name": "r", "route": {"strategy": strategy}}]) == expected


@pytest.mark.parametrize(
    ("budget", "path", "words"),
    [
        ({"maxTokens": 1}, (), ""),
        ({"maxTokens": 0, "scope": "team"}, (), ""),
        (
            {"maxTokens": 1, "maxUSD": "5", "scope": "rule"},
            ("maxUSD",),
            DOLLARS,
        ),
        (
            {"scope": "rule"},
            ("scope",),
            'uses scope "rule", which is not yet supported in dataPlane: Gateway; use scope router (total cap) or team (per-tenant cap)',
        ),
        ({"maxUSD": ""}, (), "sets neither maxTokens nor maxUSD; at least one cap is required"),
    ],
)
def test_budgets_count_tokens(budget: dict[str, Any], path: Path, words: str) -> None:
    expected = [Objection(Topic.GATEWAY_BUDGET, (*BUDGETS, 1, *path), f'budget "b" {words}', BUDGETS)] if words else []
    assert found(policy={"budgets": [{"name": "a", "maxTokens": 1}, {"name": "b", **budget}]}) == expected


@pytest.mark.parametrize(
    ("jwt", "missing"),
    [
        (JWT, ""),
        ({}, "issuer, jwksURI, provider, teamClaim"),
        *(({**JWT, key: ""}, key) for key in JWT),
    ],
)
def test_tokens_are_checked_with_all_four_fields(jwt: dict[str, str], missing: str) -> None:
    words = f"policy.auth.jwt is set but missing required field(s): {missing}"
    expected = [Objection(Topic.GATEWAY_AUTH, (*AUTH, "jwt"), words, (*AUTH, "jwt"))] if missing else []
    assert found(policy={"auth": {"jwt": jwt}}) == expected


@pytest.mark.parametrize(
    ("teams", "problems"),
    [
        (["a", "b"], {}),
        (
            ["", "\t"],
            {
                index: f"[{index}] has an empty team; every allowlist entry must name the verified team it grants access to"
                for index in (0, 1)
            },
        ),
        (
            ["a", "a "],
            {1: ' team "a " has leading or trailing whitespace and would never match the exact JWT claim; trim the team value'},
        ),
        (
            ["a", "b", "a"],
            {2: ' has duplicate team "a"; declare each team at most once (list all its models in a single entry)'},
        ),
    ],
)
def test_allowlists_name_each_team_once(teams: list[str], problems: dict[int, str]) -> None:
    lists = [{"team": team} for team in teams]
    assert found(policy={"auth": {"jwt": JWT, "allowlists": lists}}) == [
        Objection(Topic.GATEWAY_ALLOWLIST, (*LISTED, index, "team"), f"policy.auth.allowlists{words}", LISTED)
        for index, words in problems.items()
    ]


def test_allowlists_come_with_tokens_and_audit_logs_with_the_proxy() -> None:
    alone = (
        "policy.auth.allowlists is set but policy.auth.jwt is not; authorization matches on a verified JWT claim and cannot be enforced "
        "without authentication. Configure policy.auth.jwt, or remove the allowlists"
    )
    assert found(policy={"auth": {"allowlists": [{"team": ""}]}}) == [Objection(Topic.GATEWAY_ALLOWLIST, LISTED, alone, LISTED)]
    assert found(policy={"auth": {"allowlists": []}, "auditLog": None}) == []
    audit: Path = ("spec", "policy", "auditLog")
    (told,) = found(policy={"auditLog": {}})
    assert (told.topic, told.path, told.field) == (Topic.GATEWAY_AUDIT, audit, audit)
    assert told.detail.startswith("policy.auditLog is a Proxy-mode field with no per-router equivalent in dataPlane: Gateway; ")
    assert told.detail.endswith(", or remove policy.auditLog")


@pytest.mark.parametrize(
    ("rule", "path", "words"),
    [
        ({"match": {"dataClassification": ["x"]}}, (), ""),
        ({"match": {"dataClassification": ["pii"]}, "failClosed": True, "route": {"backends": ["near", "local"]}}, (), ""),
        (
            {"match": {"dataClassification": ["x", "phi", "pii"]}, "route": {"backends": ["far"]}},
            ("failClosed",),
            '"phi" but is not failClosed',
        ),
        *(
            (
                {"match": {"dataClassification": ["pii"]}, "failClosed": True, "route": {"backends": ["near", name]}},
                ("route", "backends", 1),
                f'"pii" but routes to non-local backend "{name}"',
            )
            for name in ("far", "edge", "nowhere")
        ),
    ],
)
def test_sensitive_data_stays_in_the_cluster(rule: dict[str, Any], path: Path, words: str) -> None:
    told = f'rule "r" matches sensitive classification {words}'
    expected = [Objection(Topic.GATEWAY_SENSITIVE, (*RULES, 1, *path), told, RULES)] if words else []
    assert found(rules=[{"name": "before"}, {"name": "r", **rule}]) == expected


def test_objections_come_in_upstreams_order() -> None:
    rule = {"name": "r", "match": {"dataClassification": ["pii"], "models": ["*"]}, "route": {"strategy": "x"}}
    auth: dict[str, Any] = {"jwt": {}, "allowlists": [{}]}
    assert [each.topic for each in found(rules=[rule], policy={"budgets": [{}], "auth": auth, "auditLog": {}})] == [
        Topic.GATEWAY_MATCH,
        Topic.GATEWAY_MATCH,
        Topic.GATEWAY_BUDGET,
        Topic.GATEWAY_AUTH,
        Topic.GATEWAY_ALLOWLIST,
        Topic.GATEWAY_AUDIT,
        Topic.GATEWAY_SENSITIVE,
    ]
