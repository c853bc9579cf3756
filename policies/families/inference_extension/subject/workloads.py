"""The workloads whose pods a pool may choose, by the labels and the ports of their templates.

Pods come and go, so the templates of what makes them are looked at. Source: Kubernetes v1.36, apps/v1; LeaderWorkerSet v0.6.2,
leaderworkerset.x-k8s.io/v1, whose leaders have the workers' template unless they have their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from policies.facts import Facts
from policies.facts.trimming import only_read
from policies.fields import items, part, text_map, whole
from policies.objects import JSONObject, name_of

#: Group, version and kind.
KINDS: Final = (
    ("apps", "v1", "Deployment"),
    ("apps", "v1", "StatefulSet"),
    ("leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet"),
)
#: The same as rules name what they read.
READ: Final = tuple(f"{kind}.{group}" for group, _, kind in KINDS)
_TEMPLATES: Final = (
    ("spec", "template"),
    ("spec", "leaderWorkerTemplate", "leaderTemplate"),
    ("spec", "leaderWorkerTemplate", "workerTemplate"),
)
#: What is kept of a workload.
keep: Final = only_read(
    *(
        f"{'.'.join(template)}.{field}"
        for template in _TEMPLATES
        for field in ("metadata.labels", "spec.containers.name", "spec.containers.ports.containerPort")
    )
)


@dataclass(frozen=True, slots=True)
class Pods:
    """The pods of one template: what makes them, their labels, and the ports that their containers declare."""

    kind: str
    name: str
    labels: dict[str, str]
    ports: frozenset[int]

    def __str__(self) -> str:
        return f'{self.kind} "{self.name}"'


def pods_of(facts: Facts, namespace: str) -> Iterator[Pods]:
    """The pods that the known workloads of a namespace make."""
    for group, _, kind in KINDS:
        for workload in facts.objects.list(group, kind, namespace):
            for path in _TEMPLATES:
                template = part(workload, *path)
                if template:
                    yield Pods(kind, name_of(workload), text_map(template, "metadata", "labels"), _ports(template))


def chosen(facts: Facts, namespace: str, selector: Mapping[str, str]) -> list[Pods]:
    """Those among them that have all labels of a selector."""
    return [pods for pods in pods_of(facts, namespace) if selector.items() <= pods.labels.items()]


def all_known(facts: Facts) -> bool:
    """Whether all workloads of the cluster are known."""
    return all(facts.objects.knows_all(group, kind) for group, _, kind in KINDS)


def _ports(template: JSONObject) -> frozenset[int]:
    declared = (port for container in items(template, "spec", "containers") for port in items(container, "ports"))
    return frozenset(whole(port, "containerPort") for port in declared) - {0}
