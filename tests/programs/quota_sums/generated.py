"""Namespaces with partly used quotas, and a few objects that are created together."""

from __future__ import annotations

import random
from typing import Any, TypeAlias

JSON: TypeAlias = dict[str, Any]

_COMPUTE = {"requests.cpu": ("1", "2500m", "4"), "requests.memory": ("1Gi", "3Gi", "5000M"), "limits.cpu": ("2", "6"), "pods": ("2", "4")}
_OTHERS = {
    "requests.example.com/gpu": ("2", "5"),
    "count/deployments.apps": ("1", "2"),
    "count/replicasets.apps": ("1", "3"),
    "count/statefulsets.apps": ("1",),
    "count/jobs.batch": ("1",),
    "count/pods": ("3", "6"),
    "services": ("1", "3"),
    "services.nodeports": ("1", "3"),
    "services.loadbalancers": ("0", "1"),
    "configmaps": ("1",),
    "count/configmaps": ("1", "2"),
    "persistentvolumeclaims": ("1", "3"),
    "requests.storage": ("5Gi", "20Gi"),
    "fast.storageclass.storage.k8s.io/requests.storage": ("2Gi", "9Gi"),
    "fast.storageclass.storage.k8s.io/persistentvolumeclaims": ("1",),
}
_SCOPES = ("BestEffort", "NotBestEffort", "Terminating", "NotTerminating")


def classes() -> list[JSON]:
    """A priority class, and two storage classes, one of which is the default."""
    default = {"storageclass.kubernetes.io/is-default-class": "true"}
    return [
        {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "high"}, "value": 100},
        *(
            {
                "apiVersion": "storage.k8s.io/v1",
                "kind": "StorageClass",
                "metadata": {"name": name, "annotations": annotations},
                "provisioner": "example.com/p",
            }
            for name, annotations in (("fast", {}), ("usual", default))
        ),
    ]


def quotas(rng: random.Random, namespace: str) -> list[JSON]:
    """One or two quotas with their usage."""
    return [_quota(rng, namespace, name) for name in ("a", "b")[: rng.choice((1, 1, 2))]]


def _quota(rng: random.Random, namespace: str, name: str) -> JSON:
    known = {**_COMPUTE, **_OTHERS}
    hard = {key: rng.choice(known[key]) for key in rng.sample([*known], rng.choice((1, 2, 4, 6)))}
    spec: JSON = {"hard": hard}
    if rng.random() < 0.3:
        scope = rng.choice((*_SCOPES, "PriorityClass"))
        allowed = {"pods": rng.choice(("1", "3"))} | ({"requests.cpu": "2"} if scope != "BestEffort" else {})
        spec = {"hard": allowed}
        if scope == "PriorityClass":
            spec["scopeSelector"] = {"matchExpressions": [{"scopeName": scope, "operator": "In", "values": ["high"]}]}
        else:
            spec["scopes"] = [scope]
    used = {key: _used(rng, key) if rng.random() < 0.4 else "0" for key in spec["hard"]}
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": name, "namespace": namespace},
        "spec": spec,
        "status": {"hard": spec["hard"], "used": used},
    }


def _used(rng: random.Random, key: str) -> str:
    if key.endswith("cpu"):
        return rng.choice(("300m", "1"))
    return rng.choice(("512Mi", "1G")) if "memory" in key or key.endswith("storage") else "1"


def objects(rng: random.Random, namespace: str) -> list[JSON]:
    """The objects of a change, each with a unique name."""
    return [_MAKERS[rng.randrange(len(_MAKERS))](rng, namespace, f"o{index}") for index in range(rng.choice((1, 1, 2, 3)))]


def _object(api_version: str, kind: str, namespace: str, name: str, **rest: Any) -> JSON:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": namespace}, **rest}


def _template(rng: random.Random, name: str, **more: Any) -> JSON:
    spec: JSON = {"containers": [_container(rng, letter) for letter in "ab"[: rng.choice((1, 1, 2))]], **more}
    if rng.random() < 0.3:
        spec["priorityClassName"] = "high"
    if rng.random() < 0.2:
        spec["activeDeadlineSeconds"] = 60
    return {"metadata": {"labels": {"app": name}}, "spec": spec}


def _container(rng: random.Random, name: str) -> JSON:
    amounts: JSON = {"cpu": rng.choice(("500m", "1", "333m")), "memory": rng.choice(("256Mi", "1Gi", "700M"))}
    drawn = rng.random()
    limits: JSON = {"example.com/gpu": "1"} if drawn < 0.3 else {}
    if rng.random() < 0.6:
        limits |= {"cpu": "1"}
    resources = {"requests": amounts if drawn < 0.9 else {}, "limits": limits}
    return {"name": name, "image": "example.invalid/none", "resources": resources}


def _deployment(rng: random.Random, namespace: str, name: str) -> JSON:
    template = _template(rng, name)
    template["spec"].pop("activeDeadlineSeconds", None)
    spec = {"replicas": rng.choice((1, 2, 3, 5)), "selector": {"matchLabels": {"app": name}}, "template": template}
    return _object("apps/v1", "Deployment", namespace, name, spec=spec)


def _stateful_set(rng: random.Random, namespace: str, name: str) -> JSON:
    made = _deployment(rng, namespace, name)
    claims = [{"metadata": {"name": each}, "spec": _claim_spec(rng)} for each in ("data", "logs")[: rng.choice((0, 1, 1, 2))]]
    spec = {**made["spec"], "serviceName": name, **({"volumeClaimTemplates": claims} if claims else {})}
    return {**made, "kind": "StatefulSet", "spec": spec}


def _job(rng: random.Random, namespace: str, name: str) -> JSON:
    template = _template(rng, name, restartPolicy="Never")
    spec = {"parallelism": rng.choice((1, 2, 4)), "completions": rng.choice((1, 3, 8)), "template": template}
    return _object("batch/v1", "Job", namespace, name, spec=spec)


def _claim_spec(rng: random.Random) -> JSON:
    storage_class: JSON = rng.choice(({}, {"storageClassName": "fast"}, {"storageClassName": "usual"}))
    size = rng.choice(("1Gi", "3Gi", "7500M", "1500m"))
    return {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}}, **storage_class}


def _claim(rng: random.Random, namespace: str, name: str) -> JSON:
    return _object("v1", "PersistentVolumeClaim", namespace, name, spec=_claim_spec(rng))


def _service(rng: random.Random, namespace: str, name: str) -> JSON:
    ports = [{"name": f"p{number}", "port": 80 + number} for number in range(2)]
    spec: JSON = {"type": rng.choice(("ClusterIP", "NodePort", "LoadBalancer")), "ports": ports}
    if spec["type"] == "LoadBalancer" and rng.random() < 0.5:
        spec["allocateLoadBalancerNodePorts"] = False
    return _object("v1", "Service", namespace, name, spec=spec)


def _config_map(_: random.Random, namespace: str, name: str) -> JSON:
    return _object("v1", "ConfigMap", namespace, name, data={})


def _pod(rng: random.Random, namespace: str, name: str) -> JSON:
    return _object("v1", "Pod", namespace, name, spec=_template(rng, name)["spec"])


_MAKERS = (_deployment, _deployment, _deployment, _stateful_set, _job, _claim, _service, _config_map, _pod)
