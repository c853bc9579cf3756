"""Clusters with running pods, and the pods to ask about."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tests.programs.scheduler.generated.case import JSON, Case, bare, namespace
from tests.programs.scheduler.generated.hardware import node, size

#: The namespace of the running pods; those that are asked about are in another one.
LAB = "lab"
_GPU = "nvidia.com/gpu"
_CLASSES = {"low": -5, "usual": 0, "middling": 1000, "high": 100_000}
_TAINT = {"key": _GPU, "effect": "NoSchedule"}


@dataclass(frozen=True, slots=True)
class BusyScenario:
    """A cluster with nodes and classes, the pods that run there, and the pods to ask about."""

    name: str
    cluster: Sequence[JSON]
    running: Sequence[JSON]
    cases: Sequence[Case]


def scenario(seed: int, count: int) -> BusyScenario:
    """A busy cluster, and a number of pods."""
    rng = random.Random(f"busy {seed}")
    nodes = [_node(rng, index) for index in range(rng.randint(1, 7))]
    running: list[JSON] = []
    for one in nodes:
        for _ in range(rng.choice([0, 1, 2, 3, 5, 8, 12])):
            running.append(_running(rng, len(running), one))
    cases = [_case(random.Random(f"busy {seed} {index}"), f"asked-{seed}-{index}", nodes) for index in range(count)]
    classes = [_class(name, value) for name, value in _CLASSES.items()]
    classes.append({**_class("meek", 5000), "preemptionPolicy": "Never"})
    return BusyScenario(f"busy-{seed}", [namespace("default"), namespace(LAB), *nodes, *classes], running, cases)


def _class(name: str, value: int) -> JSON:
    return {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}, "value": value}


def _node(rng: random.Random, index: int) -> JSON:
    gpus = rng.choice(["0", "1", "2", "4", "8", "8"])
    amounts = size(rng.choice(["4", "16", "64"]), rng.choice(["16Gi", "64Gi", "256Gi"]), rng.choice(["2", "5", "110", "110"]))
    if rng.random() < 0.8:
        amounts[_GPU] = gpus
    if rng.random() < 0.2:
        amounts["rdma/hca"] = "4"
    taints = [_TAINT] if rng.random() < 0.15 else []
    labels = {"pool": rng.choice("ab")}
    return node(f"node-{index}", amounts, labels=labels, taints=taints, cordoned=rng.random() < 0.08)


def _running(rng: random.Random, index: int, there: JSON) -> JSON:
    """A pod on a node; now and then it takes more than is left, as static pods do."""
    pod = bare(f"runs-{index}", "").pod
    pod["metadata"]["namespace"] = LAB
    _ask(rng, pod["spec"], gpus=[0, 0, 1, 1, 2, 4], memory=["128Mi", "2Gi", "15Gi", "63Gi"])
    pod["spec"] |= {
        "nodeName": there["metadata"]["name"],
        "priorityClassName": rng.choice(list(_CLASSES)),
        "terminationGracePeriodSeconds": 3600,
    }
    second = f"{index // 60:02d}:{index % 60:02d}"
    pod["status"] = {"phase": "Running", "startTime": f"2026-01-01T{rng.randint(10, 23)}:{second}Z"}
    if rng.random() < 0.05:
        pod["status"]["phase"] = rng.choice(["Succeeded", "Failed"])
    return pod


def _case(rng: random.Random, name: str, nodes: Sequence[JSON]) -> Case:
    case = bare(name, "busy")
    _ask(rng, case.spec, gpus=[0, 1, 1, 2, 2, 4, 8], memory=["128Mi", "2Gi", "6Gi", "63Gi"])
    if rng.random() < 0.7:
        case.spec["priorityClassName"] = rng.choice([*_CLASSES, "high", "middling", "meek"])
    if rng.random() < 0.3:
        case.spec["nodeSelector"] = {"pool": rng.choice("ab")}
    if rng.random() < 0.15:
        case.spec["tolerations"] = [{"operator": "Exists"}]
    if rng.random() < 0.1:
        names = [{"key": "metadata.name", "operator": "In", "values": [rng.choice(nodes)["metadata"]["name"]]}]
        required = {"nodeSelectorTerms": [{"matchFields": names}]}
        case.spec["affinity"] = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}
    return case


def _ask(rng: random.Random, spec: JSON, gpus: Sequence[int], memory: Sequence[str]) -> None:
    """Requests, now and then with a sidecar, an init container, pod-level resources, or host ports."""
    container = spec["containers"][0]
    wanted = {"cpu": rng.choice(["100m", "500m", "2", "8"]), "memory": rng.choice(memory)}
    if rng.random() < 0.15:
        del wanted[rng.choice(list(wanted))]
    count = rng.choice(gpus)
    if count:
        wanted[_GPU] = str(count)
    if rng.random() < 0.1:
        wanted["rdma/hca"] = rng.choice(["1", "2"])
    whole = {name: amount for name, amount in wanted.items() if "/" in name}
    container["resources"] = {"requests": wanted, "limits": whole}
    if rng.random() < 0.15:
        more = {"name": "side", "image": "example.invalid/none", "resources": {"requests": {"cpu": "1"}}}
        spec["initContainers"] = [{**more, **({"restartPolicy": "Always"} if rng.random() < 0.6 else {})}]
    if rng.random() < 0.25:
        port: JSON = {"containerPort": rng.choice([8080, 8081])}
        port["hostPort"] = port["containerPort"]
        if rng.random() < 0.3:
            port["hostIP"] = rng.choice(["127.0.0.1", "10.0.0.1"])
        if rng.random() < 0.2:
            port["protocol"] = "UDP"
        spec.get("initContainers", [container])[0]["ports"] = [port]
    if rng.random() < 0.08:
        spec["resources"] = {"requests": {"cpu": "12"}, "limits": {"cpu": "12"}}
