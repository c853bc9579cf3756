"""A ModelRouter as its rules look at it: its data plane, and its backends that are external providers."""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.rule import Given, given_object
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.request import Request


def is_gateway(spec: JSONObject) -> bool:
    """Whether the router's data plane is a gateway rather than LLMKube's own proxy."""
    return text(spec, "dataPlane") == "Gateway"


def proxy_router(request: Request, facts: Facts, config: Configuration) -> Given | None:
    """The router of a request, if LLMKube's own proxy serves it."""
    router = given_object(request, facts, config)
    return router if router is not None and not is_gateway(router.spec) else None


def gateway_router(request: Request, facts: Facts, config: Configuration) -> Given | None:
    """The router of a request, if a gateway serves it."""
    router = given_object(request, facts, config)
    return router if router is not None and is_gateway(router.spec) else None


def external_backends(spec: JSONObject) -> Iterator[tuple[Path, JSONObject]]:
    """The backends of a router that are external providers, each with its path."""
    for index, backend in enumerate(items(spec, "backends")):
        if part(backend, "external"):
            yield ("spec", "backends", index), backend
