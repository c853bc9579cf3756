"""The objects of AIM that others refer to by name, in a namespace or in the cluster.

A kind of both scopes is a pair: the namespaced kind, then the cluster's.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.references import Referent
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.request import Request


def configs(group: str) -> tuple[Referent, Referent]:
    """Runtime configs."""
    return Referent(group, "AIMRuntimeConfig"), Referent(group, "AIMClusterRuntimeConfig")


def models(group: str) -> tuple[Referent, Referent]:
    """Models."""
    return Referent(group, "AIMModel"), Referent(group, "AIMClusterModel")


def templates(group: str) -> tuple[Referent, Referent]:
    """Service templates."""
    return Referent(group, "AIMServiceTemplate"), Referent(group, "AIMClusterServiceTemplate")


#: Of others: what a route goes through, and what volumes are made of.
GATEWAYS: Final = Referent("gateway.networking.k8s.io", "Gateway")
STORAGE_CLASSES: Final = Referent("storage.k8s.io", "StorageClass", "StorageClasses")


def fill_template(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """What is filled into a service template."""
    # Imported when the first template is looked up: the defaults read GPUs, which whoever lints a config doesn't need.
    from weighbridge.policies.families.aim.fill.gpu_resource import fill

    fill(mutation, request, facts, config)


def find(kind: Referent, facts: Facts, config: Configuration, namespace: str, name: str) -> JSONObject | None:
    """An object as it stands or will stand, with what is filled in; `None` where it isn't known."""
    fill = fill_template if kind.kind.endswith("ServiceTemplate") else fills_nothing
    return kind.applied(facts, config, namespace, name, fill)


def fills_nothing(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """Nothing is filled into models and configs."""
