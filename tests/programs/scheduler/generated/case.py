"""The forms of what is generated: a scenario is a cluster and the pods to ask about."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

JSON: TypeAlias = dict[str, Any]


@dataclass(slots=True)
class Case:
    """A pod while it is generated: its topic, the pod, and the objects that it needs (claims, volumes)."""

    topic: str
    pod: JSON
    objects: list[JSON] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The pod's name, which no other pod of the scenario has."""
        return str(self.pod["metadata"]["name"])

    @property
    def spec(self) -> JSON:
        """The pod's spec."""
        spec: JSON = self.pod["spec"]
        return spec

    @property
    def container(self) -> JSON:
        """The pod's first container."""
        container: JSON = self.spec["containers"][0]
        return container

    def amounts(self, container: JSON, kind: str = "requests") -> JSON:
        """The container's (or pod's) requests or limits, to be added to."""
        amounts: JSON = container.setdefault("resources", {}).setdefault(kind, {})
        return amounts


@dataclass(frozen=True, slots=True)
class World:
    """Everything that a feature may use: random numbers, the cluster's nodes with their labels and taints, its other objects."""

    rng: random.Random
    nodes: Sequence[JSON]
    objects: Sequence[JSON] = ()

    def node_name(self) -> str:
        """The name of any of the nodes; now and then, or if there are no nodes, a name that no node has."""
        names = [str(node["metadata"]["name"]) for node in self.nodes]
        return self.rng.choice(names) if names and self.rng.random() < 0.8 else "no-such-node"

    def label(self) -> tuple[str, str]:
        """A label of some node; `spare: label` if no node has one."""
        labels = sorted({item for node in self.nodes for item in node["metadata"].get("labels", {}).items()})
        return self.rng.choice(labels) if labels else ("spare", "label")

    def taint(self) -> JSON:
        """A taint of some node, or one that no node has."""
        taints = [taint for node in self.nodes for taint in node.get("spec", {}).get("taints", ())]
        return self.rng.choice([*taints, {"key": "example.com/unseen", "value": "x", "effect": "NoSchedule"}])

    def amount(self, resource: str) -> str:
        """The amount of the resource on some node; 1 if no node has it."""
        found = [amounts[resource] for node in self.nodes if resource in (amounts := node["status"].get("allocatable", {}))]
        return str(self.rng.choice(found)) if found else "1"

    def extended(self) -> str:
        """An extended resource of some node, or one that no node has."""
        names = sorted({name for node in self.nodes for name in node["status"].get("allocatable", {}) if "/" in name})
        return str(self.rng.choice([*names, *names, "example.com/unknown"]))


#: Adds one thing to a pod, drawn by chance.
Feature: TypeAlias = Callable[[World, Case], None]


@dataclass(frozen=True, slots=True)
class Scenario:
    """A cluster and the pods to ask it about."""

    name: str
    cluster: Sequence[JSON]
    cases: Sequence[Case]

    @property
    def objects(self) -> list[JSON]:
        """The cluster's objects and those of all its cases."""
        return [*self.cluster, *(obj for case in self.cases for obj in case.objects)]

    @property
    def pods(self) -> list[JSON]:
        """The pods, in the cases' order."""
        return [case.pod for case in self.cases]


def bare(name: str, topic: str) -> Case:
    """A pod that asks for nothing."""
    spec = {"containers": [{"name": "main", "image": "example.invalid/none"}]}
    return Case(topic, {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec})


def requirement(key: str, operator: str, *values: str) -> JSON:
    """One expression of a node selector term or of a label selector."""
    return {"key": key, "operator": operator, **({"values": list(values)} if values else {})}


def namespace(name: str, **labels: str) -> JSON:
    """A Namespace with the label that the API server gives each of them."""
    metadata = {"name": name, "labels": {"kubernetes.io/metadata.name": name, **labels}}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}
