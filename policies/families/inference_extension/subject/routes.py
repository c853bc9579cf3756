"""The backends of HTTPRoutes that may mean a pool. Source: Gateway API v1, HTTPBackendRef."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from policies.families.inference_extension.subject.pool import GROUPS, Pool
from policies.fields import items, text
from policies.objects import JSONObject, name_of, namespace_of

#: Group and kind.
ROUTES: Final = ("gateway.networking.k8s.io", "HTTPRoute")


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


@dataclass(frozen=True, slots=True)
class Route:
    """A route, by its name, and the backends of all its rules."""

    name: str
    backends: tuple[Backend, ...]


def read_route(route: JSONObject) -> Route:
    """What is read of a route."""
    refs = (ref for rule in items(route, "spec", "rules") for ref in items(rule, "backendRefs"))
    return Route(name_of(route), tuple(_backend(ref, namespace_of(route)) for ref in refs))


def _backend(ref: JSONObject, namespace: str) -> Backend:
    return Backend(text(ref, "group"), text(ref, "kind", "Service"), text(ref, "namespace") or namespace, text(ref, "name"))
