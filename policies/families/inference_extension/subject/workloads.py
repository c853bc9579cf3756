"""The workloads whose pods a pool may choose, by the labels and the ports of their templates.

Pods come and go, so the templates of what makes them are looked at. Source: Kubernetes v1.36, apps/v1; LeaderWorkerSet v0.6.2,
leaderworkerset.x-k8s.io/v1, whose leaders have the workers' template unless they have their own.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from policies.facts import Facts
from policies.fields import items, part, text, text_map, whole
from policies.objects import JSONObject, name_of, namespace_of

#: Group, version and kind.
KINDS: Final = (
    ("apps", "v1", "Deployment"),
    ("apps", "v1", "StatefulSet"),
    ("leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet"),
)
#: The same as rules name what they read.
READ: Final = tuple(sorted(f"{kind}.{group}" for group, _, kind in KINDS))
_TEMPLATES: Final = (
    ("spec", "template"),
    ("spec", "leaderWorkerTemplate", "leaderTemplate"),
    ("spec", "leaderWorkerTemplate", "workerTemplate"),
)


@dataclass(frozen=True, slots=True)
class Pods:
    """The pods of one template: what makes them, their labels, and the ports that their containers declare."""

    kind: str
    namespace: str
    name: str
    labels: dict[str, str]
    ports: frozenset[int]

    def __str__(self) -> str:
        return f'{self.kind} "{self.name}"'


def keep(workload: JSONObject) -> JSONObject | None:
    """What is kept of a workload of the cluster: the labels of its pods and the ports of their containers; `None` without labels."""
    spec: JSONObject = {}
    for _, *steps in _TEMPLATES:
        template = part(workload, "spec", *steps)
        labels = text_map(template, "metadata", "labels")
        if labels:
            *above, last = steps
            holder = spec
            for step in above:
                holder = holder.setdefault(step, {})
            holder[last] = {"metadata": {"labels": labels}, **_kept_ports(template)}
    if not spec:
        return None
    metadata = {"name": name_of(workload), "namespace": namespace_of(workload)}
    return {"apiVersion": workload.get("apiVersion"), "kind": workload.get("kind"), "metadata": metadata, "spec": spec}


def _kept_ports(template: JSONObject) -> JSONObject:
    containers = [
        {"name": text(container, "name"), "ports": [{"containerPort": number} for number in numbers]}
        for container in items(template, "spec", "containers")
        if (numbers := [whole(port, "containerPort") for port in items(container, "ports")])
    ]
    return {"spec": {"containers": containers}} if containers else {}


def pods_of(facts: Facts, namespace: str) -> Iterator[Pods]:
    """The pods that the known workloads of a namespace make."""
    yield from _filed(facts, namespace)


def _filed(facts: Facts, key: Hashable) -> Iterator[Pods]:
    for group, _, kind in KINDS:
        # A workload is read once: a cluster has thousands of them.
        for made in facts.objects.read_where(group, kind, _read, _keys, key):
            yield from made


def _keys(made: tuple[Pods, ...]) -> Iterator[Hashable]:
    """What a workload's pods are found by: their namespace, and each of their labels in it."""
    for pods in made:
        yield pods.namespace
        yield from ((pods.namespace, label) for label in pods.labels.items())


def _read(workload: JSONObject) -> tuple[Pods, ...]:
    kind, name, namespace = text(workload, "kind"), name_of(workload), namespace_of(workload)
    templates = (template for path in _TEMPLATES if (template := part(workload, *path)))
    return tuple(Pods(kind, namespace, name, text_map(found, "metadata", "labels"), _ports(found)) for found in templates)


def chosen(facts: Facts, namespace: str, selector: Mapping[str, str]) -> list[Pods]:
    """Those among them that have all labels of a selector."""
    labels = (list(_filed(facts, (namespace, label))) for label in selector.items())
    # Those of the label that fewest have; without labels it is all.
    found = min(labels, key=len) if selector else pods_of(facts, namespace)
    return [pods for pods in found if selector.items() <= pods.labels.items()]


def all_known(facts: Facts) -> bool:
    """Whether all workloads of the cluster are known."""
    return all(facts.objects.knows_all(group, kind) for group, _, kind in KINDS)


def _ports(template: JSONObject) -> frozenset[int]:
    declared = (port for container in items(template, "spec", "containers") for port in items(container, "ports"))
    return frozenset(whole(port, "containerPort") for port in declared) - {0}
