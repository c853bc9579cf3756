"""The part of followed workloads that the webhook keeps is enough to read the same pods from it."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.inference_extension.subject.workloads import Pods, keep, known_pods
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.inputs.facts import bundled_definitions


def template(labels: dict[str, str], *ports: int) -> JSONObject:
    """A pod template with more fields than are read."""
    containers: list[Any] = [{"name": "side", "image": "side:1"}]
    if ports:
        containers.append({"name": "server", "image": "vllm:1", "ports": [{"containerPort": port, "name": f"p{port}"} for port in ports]})
    return {"metadata": {"labels": labels, "annotations": {"a": "b"}}, "spec": {"containers": containers, "nodeName": "n"}}


def workload(api_version: str, kind: str, **spec: Any) -> JSONObject:
    return {
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": "w", "namespace": "ns", "labels": {"not": "read"}, "uid": "u"},
        "spec": {"replicas": 3, **spec},
        "status": {"replicas": 3},
    }


def group_labels(index: str) -> dict[str, str]:
    """The labels that the controller of LeaderWorkerSets adds."""
    prefix = "leaderworkerset.sigs.k8s.io"
    return {f"{prefix}/name": "w", f"{prefix}/group-index": "0", f"{prefix}/worker-index": index}


DEPLOYMENT = workload("apps/v1", "Deployment", template=template({"app": "vllm"}, 8000, 9000))
GROUP = workload(
    "leaderworkerset.x-k8s.io/v1",
    "LeaderWorkerSet",
    leaderWorkerTemplate={"size": 2, "leaderTemplate": template({"role": "leader"}, 8000), "workerTemplate": template({"role": "worker"})},
)


def pods(obj: JSONObject) -> list[Pods]:
    return list(known_pods(from_objects([obj], bundled_definitions()), "ns"))


def test_labels_and_ports_are_kept_and_nothing_else() -> None:
    assert keep(DEPLOYMENT) == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "w", "namespace": "ns"},
        "spec": {
            "template": {
                "metadata": {"labels": {"app": "vllm"}},
                "spec": {"containers": [{"name": "server", "ports": [{"containerPort": 8000}, {"containerPort": 9000}]}]},
            }
        },
    }
    group = keep(GROUP)
    assert group is not None
    worker = {"metadata": {"labels": {"role": "worker"}}, "spec": {"containers": [{"name": "side"}]}}
    assert group["spec"]["leaderWorkerTemplate"] | {"leaderTemplate": 0} == {"size": 2, "leaderTemplate": 0, "workerTemplate": worker}


@pytest.mark.parametrize(
    ("obj", "found"),
    [
        (DEPLOYMENT, [Pods("Deployment", "ns", "w", {"app": "vllm"}, frozenset({8000, 9000}))]),
        (
            GROUP,
            [
                Pods("LeaderWorkerSet", "ns", "w", {"role": "leader", **group_labels("0")}, frozenset({8000}), "leader"),
                Pods("LeaderWorkerSet", "ns", "w", {"role": "worker", **group_labels("1")}, frozenset(), "worker"),
            ],
        ),
    ],
)
def test_the_same_pods_are_read_from_what_is_kept(obj: JSONObject, found: list[Pods]) -> None:
    kept = keep(obj)
    assert kept is not None
    assert pods(kept) == pods(obj) == found


def test_a_workload_without_containers_is_not_kept() -> None:
    assert keep(workload("apps/v1", "Deployment", template={"metadata": {"labels": {"app": "vllm"}}})) is None
