"""The objects of AIM that others refer to by name, in a namespace or in the cluster."""

from __future__ import annotations

from typing import Final, NamedTuple

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.references import Referent
from weighbridge.policies.ground.objects import JSONObject


class Pair(NamedTuple):
    """The two kinds of the same thing: one in a namespace, and one of the cluster."""

    own: Referent
    of_cluster: Referent

    def nearest(self, facts: Facts, namespace: str | None, name: str) -> str:
        """The object with the most similar name, in the namespace first; with `None` as the namespace only in the cluster."""
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


#: Kinds of other projects: the gateway of a route, and the class of a volume.
GATEWAYS: Final = Referent("gateway.networking.k8s.io", "Gateway")
STORAGE_CLASSES: Final = Referent("storage.k8s.io", "StorageClass", "StorageClasses")


def find(kind: Referent, facts: Facts, config: Configuration, namespace: str, name: str) -> JSONObject | None:
    """An object as it is or will be in the cluster, with what is filled in; `None` if it isn't known."""
    return kind.applied(facts, config, namespace, name)
