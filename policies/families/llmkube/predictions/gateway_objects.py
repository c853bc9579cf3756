"""Which routers and services want the same object of Envoy AI Gateway or of Pyrra, and which of them gets it.

The objects of a router's backends have the names of the backends, and its route and policies have the router's name. The objects of a
service have the service's name, and its objective has a name of its own. The operator never takes an object over from its first owner.
Source: LLMKube v0.9.19, internal/controller/{modelrouter_gateway,inferenceservice_gateway,inferenceservice_slo}_controller.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.store import itself
from weighbridge.policies.families.creation import created, is_earlier
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.predictions.service.address import service_name
from weighbridge.policies.families.llmkube.subject.references import GROUP
from weighbridge.policies.families.llmkube.subject.routers import is_gateway
from weighbridge.policies.ground.fields import flag, items, part, text
from weighbridge.policies.ground.objects import JSONObject, Path, name_of, namespace_of

BACKEND: Final = "Backend"
ROUTE: Final = "AIGatewayRoute"
OBJECTIVE: Final = "ServiceLevelObjective"
_ROUTER: Final = "ModelRouter"
_SERVICE: Final = "InferenceService"


class Wanted(NamedTuple):
    """An object that a router or a service gets, and the field that its name comes from."""

    kind: str
    name: str
    field: Path


class Owner(NamedTuple):
    """The router or service that has an object already."""

    kind: str
    name: str

    def refuses(self, namespace: str, wanted: Wanted) -> str:
        """The operator's message."""
        return f"Object {namespace}/{wanted.name} is already owned by another {self.kind} controller {self.name}"


def wanted_by_router(router: JSONObject) -> Iterator[Wanted]:
    """The objects of a router whose names another one may have too. An AIServiceBackend has the name of its Backend, and the policies have
    that of the route.
    """
    if not is_gateway(spec_of(router)) or spec_of(router).get("gatewayRef") is None:
        return
    for index, backend in enumerate(items(spec_of(router), "backends")):
        yield Wanted(BACKEND, service_name(text(backend, "name")), ("spec", "backends", index, "name"))
    yield Wanted(ROUTE, service_name(name_of(router)), ("metadata", "name"))


def wanted_by_service(service: JSONObject) -> Iterator[Wanted]:
    """The objects of a service."""
    spec = spec_of(service)
    if flag(part(spec, "endpoint", "gateway"), "enabled"):
        for kind in (BACKEND, ROUTE):
            yield Wanted(kind, service_name(name_of(service)), ("spec", "endpoint", "gateway"))
    if isinstance(spec.get("slo"), dict):
        yield Wanted(OBJECTIVE, objective_name(service), ("spec", "slo", "name"))


def objective_name(service: JSONObject) -> str:
    """The name of a service's objective."""
    asked = part(spec_of(service), "slo")
    return text(asked, "name") or f"{name_of(service)}-{text(asked, 'indicator') or 'availability'}"


def owner_of(wanted: Wanted, kind: str, obj: JSONObject, namespace: str, facts: Facts, *, is_stored: bool = False) -> Owner | None:
    """The older router or service that has the object; `None` if there is none. Manifests have no age, and count as older unless
    `is_stored`.
    """
    key = (namespace, wanted.kind, wanted.name)
    found = [
        (created(other), Owner(other_kind, name_of(other)))
        for other_kind, keys in _KEYS.items()
        for other in facts.objects.read_where(GROUP, other_kind, itself, keys, key)
        if (other_kind, name_of(other)) != (kind, name_of(obj)) and is_earlier(other, obj) and (created(other) or not is_stored)
    ]
    return min(found)[1] if found else None


def _keys(wanted: Callable[[JSONObject], Iterator[Wanted]]) -> Callable[[JSONObject], Iterator[tuple[str, str, str]]]:
    def keys(obj: JSONObject) -> Iterator[tuple[str, str, str]]:
        return ((namespace_of(obj), one.kind, one.name) for one in wanted(obj))

    return keys


_KEYS: Final = {_ROUTER: _keys(wanted_by_router), _SERVICE: _keys(wanted_by_service)}
