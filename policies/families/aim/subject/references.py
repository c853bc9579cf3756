"""The objects of AIM that others refer to by name, in a namespace or in the cluster."""

from __future__ import annotations

from typing import Final, NamedTuple

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.references import Referent
from weighbridge.policies.ground.objects import JSONObject


class Pair(NamedTuple):
    """A kind of both scopes: that of the namespace, and that of the cluster."""

    own: Referent
    of_cluster: Referent

    def nearest(self, facts: Facts, namespace: str | None, name: str) -> str:
        """The object whose name comes closest, of the namespace first; `None` for the namespace looks in the cluster alone."""
        return (self.own.nearest(facts, namespace, name) if namespace is not None else "") or self.of_cluster.nearest(facts, "", name)


def configs(group: str) -> Pair:
    """Runtime configs."""
    return Pair(Referent(group, "AIMRuntimeConfig"), Referent(group, "AIMClusterRuntimeConfig"))


def models(group: str) -> Pair:
    """Models."""
    return Pair(Referent(group, "AIMModel"), Referent(group, "AIMClusterModel"))


def templates(group: str) -> Pair:
    """Service templates."""
    return Pair(Referent(group, "AIMServiceTemplate"), Referent(group, "AIMClusterServiceTemplate"))


#: Kinds of other projects: what a route goes through, and the class of a volume.
GATEWAYS: Final = Referent("gateway.networking.k8s.io", "Gateway")
STORAGE_CLASSES: Final = Referent("storage.k8s.io", "StorageClass", "StorageClasses")


def find(kind: Referent, facts: Facts, config: Configuration, namespace: str, name: str) -> JSONObject | None:
    """An object as it is or will be in the cluster, with what is filled in; `None` where it isn't known."""
    return kind.applied(facts, config, namespace, name)
