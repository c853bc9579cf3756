"""Pods without claims and volumes for a cluster of nodes: a topic each, and mixtures of topics."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from tests.programs.scheduler.generated import affinity_features, hardware, oddities, other_features, resource_features
from tests.programs.scheduler.generated.case import JSON, Case, Feature, Scenario, World, bare, namespace

Cluster = Callable[[random.Random], list[JSON]]

CLUSTERS: Mapping[str, Cluster] = {
    "homelab": hardware.homelab,
    "amd-small": hardware.amd_small,
    "mixed": hardware.mixed,
    "big-40": hardware.big_40,
    "taints": oddities.taints,
    "labels": oddities.labels,
    "cordoned": oddities.cordoned,
    "odd-quantities": oddities.odd_quantities,
    "none": hardware.none,
}

TOPICS: Mapping[str, Feature] = {
    "requests": resource_features.requests,
    "containers": resource_features.containers,
    "init containers": resource_features.init_containers,
    "pod-level": resource_features.pod_level,
    "overhead": resource_features.overhead,
    "extended": resource_features.extended,
    "nothing": resource_features.nothing,
    "selector": affinity_features.selector,
    "affinity": affinity_features.affinity,
    "match fields": affinity_features.match_fields,
    "spread": affinity_features.spread,
    "pod affinity": affinity_features.pod_affinity,
    "tolerations": other_features.tolerations,
    "priority": other_features.priority,
    "gates": other_features.gates,
    "other scheduler": other_features.other_scheduler,
    "node name": other_features.node_name,
    "restart rules": other_features.restart_all,
    "distractors": other_features.distractors,
    "refused": other_features.refused,
}
#: Topics that are rarely drawn, since they have few variants.
_SELDOM = ("nothing", "gates", "other scheduler", "node name", "distractors", "restart rules")
#: Topics that can be combined in a pod that the API server accepts.
_MIXED = (
    "requests",
    "extended",
    "selector",
    "affinity",
    "match fields",
    "spread",
    "pod affinity",
    "tolerations",
    "priority",
    "restart rules",
)


def scenario(name: str, count: int, seed: int) -> Scenario:
    """The cluster of that name and `count` pods."""
    cluster = CLUSTERS[name](random.Random(f"{seed} {name}"))
    cases = [_case(f"{name}-{index}", random.Random(f"{seed} {name} {index}"), cluster) for index in range(count)]
    return Scenario(name, [*cluster, *classes(cluster)], cases)


def _case(name: str, rng: random.Random, nodes: Sequence[JSON]) -> Case:
    world = World(rng, nodes)
    if rng.random() < 0.25:
        case = bare(name, "mixed")
        for topic in rng.sample(_MIXED, rng.randint(2, 4)):
            TOPICS[topic](world, case)
    else:
        topic = rng.choice([*TOPICS] * 4 + [topic for topic in TOPICS if topic not in _SELDOM] * 8)
        case = bare(name, topic)
        TOPICS[topic](world, case)
    if "tolerations" not in case.spec and rng.random() < 0.5:
        other_features.tolerate_everything(world, case)
    return case


def classes(nodes: Sequence[JSON]) -> list[JSON]:
    """The runtime and priority classes that pods name, and their namespaces."""
    labelled = [node["metadata"]["labels"] for node in nodes if node["metadata"].get("labels")]
    pinned = dict(sorted(labelled[-1].items())[:1]) if labelled else {"example.com/missing": "x"}
    return [
        namespace("default"),
        namespace("elsewhere", team="x"),
        _runtime_class("kata", overhead={"podFixed": {"cpu": "250m", "memory": "128Mi"}}),
        _runtime_class("gpu-overhead", overhead={"podFixed": {"example.com/dongle": "1", "cpu": "0.5m"}}),
        _runtime_class("pinned", scheduling={"nodeSelector": pinned, "tolerations": [{"operator": "Exists", "effect": "NoSchedule"}]}),
        _runtime_class("plain"),
        _priority_class("never", 10, preemptionPolicy="Never"),
        _priority_class("high", 100000),
        _priority_class("low", -5),
    ]


def _runtime_class(name: str, **fields: JSON) -> JSON:
    head = {"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": name}}
    return {**head, "handler": "runc", **fields}


def _priority_class(name: str, value: int, **fields: str) -> JSON:
    head = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}}
    return {**head, "value": value, **fields}
