"""Namespaces with a resource quota each, since the server counts the pods that it has accepted. Every container must have an amount for
some of the quotas.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.programs.scheduler.generated import other_features, plain, resource_features
from tests.programs.scheduler.generated.case import JSON, Case, Feature, Scenario, World, bare, namespace
from tests.programs.scheduler.generated.hardware import node, size

CLUSTER = "quotas"
_FEATURES: Sequence[Feature] = (
    resource_features.nothing,
    resource_features.requests,
    resource_features.requests,
    resource_features.containers,
    resource_features.init_containers,
    resource_features.pod_level,
    resource_features.extended,
    resource_features.overhead,
)
_HARD = {
    "cpu": ("500m", "2", "9"),
    "requests.cpu": ("500m", "2", "9"),
    "limits.cpu": ("1", "4", "20"),
    "memory": ("1Gi", "8Gi"),
    "requests.memory": ("512Mi", "1Gi", "8Gi"),
    "limits.memory": ("2Gi", "64Gi"),
    "requests.ephemeral-storage": ("1Gi", "100Gi"),
    "requests.amd.com/gpu": ("0", "1", "3"),
    "ephemeral-storage": ("1Gi", "100Gi"),
    "limits.ephemeral-storage": ("1Gi", "100Gi"),
    "requests.hugepages-2Mi": ("4Mi", "1Gi"),
    "hugepages-2Mi": ("4Mi", "1Gi"),
    "pods": ("0", "1", "10"),
    "count/pods": ("1", "10"),
    "count/deployments.apps": ("0",),
    "services": ("0",),
}
_SCOPES = ("Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity")
#: Quotas with this scope can only count pods; those with other scopes can also limit CPU and memory.
_OF_PODS = ("BestEffort",)
_SCOPED = ("cpu", "memory", "pods")


def scenario(name: str, count: int, seed: int) -> Scenario:
    """Two nodes, and `count` pods, each in a namespace of its own with one or two quotas.

    Nearly all pods fit: others would be asked about again and again, node by node, and each time count towards their quotas.
    """
    rng = random.Random(f"{seed} {name}")
    large = {"amd.com/gpu": "64", "example.com/dongle": "64", "hugepages-2Mi": "64Gi", "hugepages-1Gi": "64Gi"}
    nodes = [node(f"n{index}", size("500", "4Ti", **large)) for index in range(2)]
    cases = [_case(name, index, random.Random(f"{seed} {name} {index}"), nodes) for index in range(count)]
    spaces = [case.pod["metadata"]["namespace"] for case in cases]
    quotas = [_quota(space, letter, rng) for space in spaces for letter in ("ab" if rng.random() < 0.3 else "a")]
    return Scenario(name, [*nodes, *map(namespace, spaces), *quotas, *plain.classes(nodes)], cases)


def _quota(space: str, name: str, rng: random.Random) -> JSON:
    hard = {key: rng.choice(choices) for key, choices in _HARD.items() if rng.random() < 0.2} or {"pods": "5"}
    spec: JSON = {"hard": hard}
    if rng.random() < 0.4:
        scope = rng.choice(_SCOPES)
        if scope in _OF_PODS:
            spec["hard"] = hard = {"pods": rng.choice(_HARD["pods"])}
        else:
            spec["hard"] = hard = {key: value for key, value in hard.items() if key.rpartition(".")[2] in _SCOPED} or {"pods": "1"}
        if scope == "PriorityClass":
            operator = rng.choice(["In", "NotIn", "Exists", "DoesNotExist"])
            values = {"values": ["high", "other"]} if operator in ("In", "NotIn") else {}
            spec["scopeSelector"] = {"matchExpressions": [{"scopeName": scope, "operator": operator, **values}]}
        else:
            spec["scopes"] = [scope]
    status = {"hard": hard, "used": dict.fromkeys(hard, "0")}
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": name, "namespace": space}, "spec": spec, "status": status}


def _case(name: str, index: int, rng: random.Random, nodes: Sequence[JSON]) -> Case:
    world = World(rng, nodes)
    case = bare(f"{name}-{index}", "quotas")
    case.pod["metadata"]["namespace"] = f"quota-{index}"
    rng.choice(_FEATURES)(world, case)
    spec = case.pod["spec"]
    if rng.random() < 0.3:
        spec["activeDeadlineSeconds"] = 60
    if rng.random() < 0.3:
        spec["priorityClassName"] = rng.choice(["high", "low"])
    if rng.random() < 0.2:
        term = {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"a": "b"}}}
        other: JSON = rng.choice([{"namespaces": ["elsewhere"]}, {"namespaceSelector": {}}, {}])
        spec["affinity"] = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{**term, **other}]}}
    if rng.random() < 0.6:
        other_features.tolerate_everything(world, case)
    return case
