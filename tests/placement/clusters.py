"""Small clusters and pods for the tests of placement."""

from __future__ import annotations

from typing import Any

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.outcome import Placement
from weighbridge.policies.placement.placement import place

PLENTY = {"cpu": "64", "memory": "256Gi", "ephemeral-storage": "100Gi", "pods": "110"}
NO_EFFECT = "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."


def node(name: str = "n", allocatable: dict[str, str] | None = None, **spec: Any) -> JSONObject:
    """A node with plenty of each resource, except as `allocatable` says, and with labels, features and a spec."""
    labels, features = spec.pop("labels", {}), spec.pop("features", [])
    status = {"allocatable": {**PLENTY, **(allocatable or {})}, "declaredFeatures": features}
    metadata = {"name": name, "labels": {"kubernetes.io/hostname": name, **labels}}
    return {"apiVersion": "v1", "kind": "Node", "metadata": metadata, "spec": spec, "status": status}


def pod(*requests: dict[str, str], labels: dict[str, str] | None = None, **spec: Any) -> JSONObject:
    """A pod with a container for each map of requests; extended resources are given as limits."""
    containers = [container(wanted, f"c{index}") for index, wanted in enumerate(requests or [{}])]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "labels": labels or {}},
        "spec": {"containers": containers, **spec},
    }


def container(wanted: dict[str, str], name: str = "c", **more: Any) -> JSONObject:
    """A container; resources that can't be overcommitted are given as limits."""
    limits = {key: amount for key, amount in wanted.items() if "/" in key or key.startswith("hugepages-")}
    requests = {key: amount for key, amount in wanted.items() if key not in limits}
    return {"name": name, "image": "x", "resources": {"requests": requests, "limits": limits}, **more}


def facts(*objects: JSONObject) -> Facts:
    """A cluster of these objects."""
    return from_objects(objects, Definitions())


def placed(asked: JSONObject, *objects: JSONObject) -> Placement:
    """The placement of a pod in a cluster of these objects."""
    return place(asked, facts(*objects))


def reasons(asked: JSONObject, *objects: JSONObject) -> list[str]:
    """The reasons why the cluster's only node refuses the pod; none if the pod fits."""
    return placed(asked, *objects).rejected.get("n", [])


def labelled(key: str, operator: str, *values: str) -> JSONObject:
    """A pod with required node affinity of one expression."""
    return affine({"matchExpressions": [{"key": key, "operator": operator, **({"values": list(values)} if values else {})}]})


def affine(*terms: JSONObject, **spec: Any) -> JSONObject:
    """A pod with these terms of required node affinity."""
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": list(terms)}}
    return pod(affinity={"nodeAffinity": required}, **spec)


def named(*names: str, operator: str = "In") -> JSONObject:
    """A term that confines the pod to nodes by name; a node would have to have all of several names."""
    return {"matchFields": [{"key": "metadata.name", "operator": operator, "values": [name]} for name in names]}
