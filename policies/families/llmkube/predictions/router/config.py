"""The configuration that the operator compiles for a router's proxy.

It is the same byte for byte, since its hash is an annotation of the pods. The proxy reads one JSON document with the backends and their
addresses, the rules, the default route, and the parts of the policy that it supports.
Source: LLMKube v0.9.19, internal/controller/router_config_builder.go and internal/router/config.go; measured.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from weighbridge.policies.families.llmkube.predictions.router.backends import CREDENTIALS_KEY, Backend
from weighbridge.policies.ground.durations import nanoseconds
from weighbridge.policies.ground.fields import flag, items, part, text, text_map, texts, whole
from weighbridge.policies.ground.objects import JSONObject, JSONValue

#: Characters that encoding/json escapes though JSON doesn't require it.
_ESCAPES: Final = {"<": r"\u003c", ">": r"\u003e", "&": r"\u0026", "\u2028": r"\u2028", "\u2029": r"\u2029"}


def compiled(spec: JSONObject, resolved: Sequence[Backend]) -> str:
    """The document for a router's spec, whose backends have been resolved."""
    document: JSONObject = {
        "backends": [_backend(each, found) for each, found in zip(items(spec, "backends"), resolved, strict=True)],
        "rules": [_rule(rule) for rule in items(spec, "rules")],
        "defaultRoute": text(spec, "defaultRoute"),
        "defaultRouteStrategy": text(spec, "defaultRouteStrategy"),
    }
    printed = json.dumps({**_present(document), "policy": _policy(part(spec, "policy"))}, indent=2, ensure_ascii=False)
    return "".join(_ESCAPES.get(char, char) for char in printed)


def _present(fields: JSONObject) -> JSONObject:
    """The fields that aren't empty, as with Go's `omitempty`."""
    return {name: value for name, value in fields.items() if value}


def _backend(spec: JSONObject, found: Backend) -> JSONObject:
    external = part(spec, "external")
    return {
        "name": found.name,
        **_present({"displayName": text(spec, "displayName")}),
        "tier": found.tier,
        "address": found.address,
        **_present(
            {
                "provider": text(external, "provider"),
                "model": text(external, "model"),
                "capabilities": list(texts(spec, "capabilities")),
                "weight": whole(spec, "weight"),
                "credentialsEnv": _credentials(external),
                "timeout": _timeout(spec),
                "pool": found.pool,
            }
        ),
    }


def _credentials(external: JSONObject) -> str:
    named = external.get("credentialsSecretRef") is not None
    return CREDENTIALS_KEY.get(text(external, "provider"), "") if named else ""


def _timeout(spec: JSONObject) -> JSONValue:
    return nanoseconds(spec.get("timeout"))


def _rule(rule: JSONObject) -> JSONObject:
    match, route = part(rule, "match"), part(rule, "route")
    conditions = {
        "dataClassification": list(texts(match, "dataClassification")),
        "taskComplexity": text(match, "taskComplexity"),
        "requiredCapabilities": list(texts(match, "requiredCapabilities")),
        "headers": dict(sorted(text_map(match, "headers").items())),
        "models": list(texts(match, "models")),
    }
    return {
        "name": text(rule, "name"),
        "match": _present(conditions),
        "route": {"backends": list(texts(route, "backends")), **_present({"strategy": text(route, "strategy")})},
        **_present({"failClosed": flag(rule, "failClosed"), "timeout": _timeout(rule)}),
    }


def _policy(policy: JSONObject) -> JSONObject:
    classification, audit = part(policy, "classification"), part(policy, "auditLog")
    return {
        "classification": {
            "mode": text(classification, "mode") or "header-only",
            **_present(
                {
                    "headerKey": text(classification, "headerKey"),
                    "sensitiveClassifications": list(texts(classification, "sensitiveClassifications")),
                }
            ),
        },
        "auditLog": {
            "sink": text(audit, "sink") or "stdout",
            **_present({"filePath": text(audit, "filePath"), "includeRequestBody": flag(audit, "includeRequestBody")}),
        },
    }
