"""Routes whose backends may be pools, and the grants that let them refer to another namespace.

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
#: The group and kind of a Service.
ROUTES: Final = ((_GATEWAY, "GRPCRoute"), (_GATEWAY, "HTTPRoute"))
GRANTS: Final = (_GATEWAY, "ReferenceGrant")


@dataclass(frozen=True, slots=True)
class Backend:
    """The object that a backend refers to; by the defaults of the Gateway API it is a Service of the route's namespace."""

    group: str
    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        return f'{self.kind} "{self.name}" of {self.group or "the core group"}'

    def means(self, pool: Pool) -> bool:
        """Whether it probably should refer to this pool, but doesn't: it has the pool's name, and another group or kind."""
        is_same = (self.group, self.kind) == (pool.group, "InferencePool")
        is_pool = self.kind == "InferencePool" and self.group in ("", *GROUPS)
        could_be = is_pool or (self.group, self.kind) == ("", "Service")
        return (self.namespace, self.name) == (pool.namespace, pool.name) and could_be and not is_same

    def is_to(self, pool: Pool) -> bool:
        """Whether it refers to this pool."""
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
    """The part of a route that is read."""
    refs = (ref for rule in items(route, "spec", "rules") for ref in items(rule, "backendRefs"))
    group = text(route, "apiVersion").rpartition("/")[0]
    namespace = namespace_of(route)
    return Route(group, text(route, "kind"), namespace, name_of(route), tuple(_backend(ref, namespace) for ref in refs))


def named_backends(route: Route) -> Iterator[tuple[str, str]]:
    """The namespaces and names that a route refers to."""
    return ((ref.namespace, ref.name) for ref in route.backends)


def is_granted(route: Route, pool: Pool, facts: Facts) -> bool:
    """Whether a route may refer to the pool: it is in the pool's namespace, or a known grant allows it."""
    return route.namespace == pool.namespace or any(_grants(grant, route, pool) for grant in facts.objects.list(*GRANTS, pool.namespace))


def _grants(grant: JSONObject, route: Route, pool: Pool) -> bool:
    asked = (route.group, route.kind, route.namespace)
    is_from = any((text(one, "group"), text(one, "kind"), text(one, "namespace")) == asked for one in items(grant, "spec", "from"))
    meant = (pool.group, "InferencePool")
    to = (one for one in items(grant, "spec", "to") if (text(one, "group"), text(one, "kind")) == meant)
    return is_from and any(text(one, "name") in ("", pool.name) for one in to)


def _backend(ref: JSONObject, namespace: str) -> Backend:
    return Backend(text(ref, "group"), text(ref, "kind", "Service"), text(ref, "namespace") or namespace, text(ref, "name"))
