"""The cost of knowing the running pods: 50,000 pods on 5,000 nodes, as the webhook's watch delivers them.

The memory is measured in a separate process: ``python -m tests.programs.benchmarks.pods_table pods``, or ``nodes`` for the same without
pods. A decision is measured with a pod changed before each, so that nothing is remembered that depends on pods.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from tests.programs.benchmarks.cluster_table import NODES, a_node
from tests.programs.benchmarks.fresh_requests import judged
from tests.programs.benchmarks.processes import usage
from tests.programs.benchmarks.service_table import MODEL, SERVICE
from tests.programs.benchmarks.timing import compare
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, Node, from_objects
from weighbridge.policies.facts import kinds as read_kinds
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase
from weighbridge.webhook.cluster.live_facts import Cluster
from weighbridge.webhook.inputs.facts import bundled_definitions

PODS: Final = 50_000
_CHANGES: Final = 200
_GPU: Final = "amd.com/gpu"
#: GPUs of each pod of a node: all are taken, or one node of a hundred has two left.
_FULL: Final = (4, 2, 1, 1, 0, 0, 0, 0, 0, 0)


def a_pod(index: int, priority: int = 0, *, leaves_room: bool = False) -> JSONObject:
    """A pod as the API server has it, with what controllers, kubelet and mutating webhooks wrote."""
    at, slot = index % NODES, index // NODES
    gpus = _FULL[slot] if at % 20 < 10 and not (leaves_room and at == NODES - 20 + 8 and slot == 1) else 0
    name = f"app-{index % 700}-{index * 2654435761 % 2**32:08x}-{index % 99999:05d}"
    requests = {"cpu": f"{250 * (1 + index % 8)}m", "memory": f"{1 + index % 16}Gi", **({_GPU: str(gpus)} if gpus else {})}
    container = {
        "name": "main",
        "image": f"registry.example.com/team-{index % 40}/app:{index % 700}",
        "resources": {"requests": requests, "limits": {_GPU: str(gpus)} if gpus else {}},
        "env": [{"name": f"SETTING_{number}", "value": f"value-{index}-{number}"} for number in range(10)],
        "volumeMounts": [{"name": "kube-api-access", "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount", "readOnly": True}],
    }
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": name.rpartition("-")[0], "uid": f"{index:036d}", "controller": True}
    metadata = {"name": name, "namespace": f"team-{index % 40}", "uid": f"{index:036d}", "ownerReferences": [owner]}
    status = {
        "phase": "Running",
        "startTime": f"2026-01-{1 + index % 28:02d}T10:{index % 60:02d}:00Z",
        "containerStatuses": [{"name": "main", "allocatedResources": requests, "resources": {"requests": requests}, "ready": True}],
        "conditions": [{"type": kind, "status": "True"} for kind in ("Ready", "PodScheduled", "Initialized", "ContainersReady")],
    }
    spec = {"nodeName": f"node-{at:04}", "priority": priority, "containers": [container], "tolerations": [{"operator": "Exists"}] * 2}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status}


class _Server:
    """An API server that no client calls."""

    async def get(self, path: str) -> JSONObject:
        raise NotImplementedError(path)

    def pages(self, path: str, **query: str) -> Iterator[JSONObject]:
        raise NotImplementedError(path, query)

    def events(self, path: str, **query: str | int) -> Iterator[JSONObject]:
        raise NotImplementedError(path, query)


def _followed(pods: int, *, leaves_room: bool = False) -> Cluster:
    """The cluster, and a number of pods as its watch delivers them."""
    cluster = Cluster(_Server(), bundled_definitions(), with_pods=pods > 0)  # type: ignore[arg-type]
    cluster.replace(read_kinds.NODES, [Node.from_object(a_node(index)) for index in range(NODES)])
    if pods:
        brought = (cluster._transformed(a_pod(index, leaves_room=leaves_room)) for index in range(pods))
        cluster.replace(read_kinds.PODS, [pod for pod in brought if pod is not None])
    return cluster


def _deciding(cluster: Cluster | None, facts: Facts, request: Request, *, expected: str) -> Callable[[], None]:
    """Decides on a request; before each decision a pod has come or gone."""
    turn = 0

    def decide() -> None:
        nonlocal turn
        turn += 1
        known = facts
        if cluster is not None:
            cluster.put(read_kinds.PODS, cluster._transformed(a_pod(turn % PODS, turn // PODS + 1)))
            known = replace(facts, occupancy=cluster.facts().occupancy)
        found = judged(request, known, DEFAULT, Phase.VALIDATE)
        assert expected in "; ".join(str(finding) for finding in found.findings if finding.rule == "PLACE-006")

    return decide


def main() -> None:
    """Print the table."""
    print(f"What runs: {PODS:,} pods on {NODES:,} nodes, CPU time and memory of one process")
    held = {kind: _measured(kind) for kind in ("nodes", "pods")}
    for name, key in (("held", "held"), ("at most", "peak")):
        more = held["pods"][key] - held["nodes"][key]
        print(f"  {name:36}{held['pods'][key]:10.0f} MiB, {more:.0f} more than without pods")
    for name, key in (("the first list", "list"), ("a pod that changed taken in", "change")):
        print(f"  {name:36}{held['pods'][key] * 1e3:10.2f} ms")
    gvk = GroupVersionKind.from_object(SERVICE)
    assert gvk is not None
    request = Request("bench", Operation.CREATE, gvk, SERVICE, namespace="serving", name="chat")
    high = {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "high"},
        "value": 1000,
        "globalDefault": True,
    }
    nodes = [a_node(index) for index in range(NODES)]
    usual, urgent = (from_objects([*nodes, MODEL, *more], bundled_definitions()) for more in ((), (high,)))
    service = replace(request, object={**SERVICE, "spec": {**SERVICE["spec"], "priorityClassName": "high"}})
    full, roomy = _followed(PODS), _followed(PODS, leaves_room=True)
    without = compare({"without": _deciding(None, usual, request, expected="")})["without"].seconds
    print(f"  {'a decision without pods':36}{without * 1e3:10.2f} ms")
    cases = {
        "the last node that fits has room": _deciding(roomy, usual, request, expected=""),
        "no node has room": _deciding(full, usual, request, expected="no node has 2 free amd.com/gpu"),
        "preemption on one of many": _deciding(full, urgent, service, expected="would preempt pods of lower priority on one of"),
    }
    for name, deciding in cases.items():
        seconds = compare({name: deciding})[name].seconds
        print(f"  {name:36}{seconds * 1e3:10.2f} ms, {(seconds - without) * 1e3:.2f} more")


def _measured(kind: str) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.programs.benchmarks.pods_table", kind]
    found: dict[str, float] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return found


def _hold(kind: str) -> None:
    """Follow the cluster and report the memory of the process in MiB, and the cost of changes in seconds."""
    began = time.process_time()
    generated = sum(len(a_pod(index)) for index in range(PODS if kind == "pods" else 0))
    generating = time.process_time() - began
    began = time.process_time()
    cluster = _followed(PODS if kind == "pods" else 0)
    assert (cluster.facts().occupancy is not None) is bool(generated)
    took = time.process_time() - began - generating
    held, change = usage(), 0.0
    if kind == "pods":
        changed = [a_pod(index * 37, 1) for index in range(_CHANGES)]
        began = time.process_time()
        for pod in changed:
            cluster.put(read_kinds.PODS, cluster._transformed(pod))
            cluster.facts()
        change = (time.process_time() - began) / _CHANGES
    json.dump({"held": held.resident, "peak": held.peak, "list": took, "change": change}, sys.stdout)


if __name__ == "__main__":
    _hold(sys.argv[1])
