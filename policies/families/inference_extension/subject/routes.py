"""Routes whose backends may mean a pool, and the grants that let them refer to another namespace.

Source: Gateway API v1, HTTPBackendRef and GRPCBackendRef; v1beta1, ReferenceGrant.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.inference_extension.subject.pool import GROUPS, Pool
from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass

_GATEWAY: Final = "gateway.networking.k8s.io"
#: Group and kind.
ROUTES: Final = ((_GATEWAY, "GRPCRoute"), (_GATEWAY, "HTTPRoute"))
GRANTS: Final = (_GATEWAY, "ReferenceGrant")


@dataclass(frozen=True, slots=True)
class Backend:
    """What a backend refers to, with the defaults of the Gateway API: a Service of the route's namespace."""

    group: str
    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        return f'{self.kind} "{self.name}" of {self.group or "the core group"}'

    def means(self, pool: Pool) -> bool:
        """Whether it has the pool's name and could be meant for it, and isn't."""
        is_same = (self.group, self.kind) == (pool.group, "InferencePool")
        is_pool = self.kind == "InferencePool" and self.group in ("", *GROUPS)
        could_be = is_pool or (self.group, self.kind) == ("", "Service")
        return (self.namespace, self.name) == (pool.namespace, pool.name) and could_be and not is_same

    def is_to(self, pool: Pool) -> bool:
        """Whether it is this pool."""
        return (self.group, self.kind, self.namespace, self.name) == (pool.group, "InferencePool", pool.namespace, pool.name)


@dataclass(frozen=True, slots=True)
class Route:
    """A route, and the backends of all its rules."""

    group: str
    kind: str
    namespace: str
    name: str
    backends: tuple[Backend, ...]

    def __str__(self) -> str:
        return f'{self.kind} "{self.name}"'


def read_route(route: JSONObject) -> Route:
    """What is read of a route."""
    refs = (ref for rule in items(route, "spec", "rules") for ref in items(rule, "backendRefs"))
    group = text(route, "apiVersion").rpartition("/")[0]
    namespace = namespace_of(route)
    return Route(group, text(route, "kind"), namespace, name_of(route), tuple(_backend(ref, namespace) for ref in refs))


def named_backends(route: Route) -> Iterator[tuple[str, str]]:
    """Namespace and name of what a route refers to."""
    return ((ref.namespace, ref.name) for ref in route.backends)


def is_granted(route: Route, pool: Pool, facts: Facts) -> bool:
    """Whether a route may refer to the pool: one of its own namespace may, another one where a known grant says so."""
    return route.namespace == pool.namespace or any(_grants(grant, route, pool) for grant in facts.objects.list(*GRANTS, pool.namespace))


def _grants(grant: JSONObject, route: Route, pool: Pool) -> bool:
    asked = (route.group, route.kind, route.namespace)
    is_from = any((text(one, "group"), text(one, "kind"), text(one, "namespace")) == asked for one in items(grant, "spec", "from"))
    meant = (pool.group, "InferencePool")
    to = (one for one in items(grant, "spec", "to") if (text(one, "group"), text(one, "kind")) == meant)
    return is_from and any(text(one, "name") in ("", pool.name) for one in to)


def _backend(ref: JSONObject, namespace: str) -> Backend:
    return Backend(text(ref, "group"), text(ref, "kind", "Service"), text(ref, "namespace") or namespace, text(ref, "name"))
