"""The pods that a workload makes: what its controller puts beside the template, as far as can be told beforehand.

Known are the built-in workloads and LeaderWorkerSet; of any other object, the template under `spec.template`. Sources: Kubernetes v1.36
(pkg/controller: statefulset, daemon, job), LeaderWorkerSet v0.7 (pkg/controllers).
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from policies.fields import items, part, text, text_map
from policies.objects import JSONObject, JSONValue, lookup, metadata_of, name_of, namespace_of

_TEMPLATE = ("spec", "template")
_CRON_TEMPLATE = ("spec", "jobTemplate", "spec", "template")
_LWS_TEMPLATE = ("spec", "leaderWorkerTemplate")
_NODE = "node.kubernetes.io/"
_DAEMON_TOLERATIONS = (
    (f"{_NODE}not-ready", "NoExecute"),
    (f"{_NODE}unreachable", "NoExecute"),
    *((f"{_NODE}{pressure}", "NoSchedule") for pressure in ("disk-pressure", "memory-pressure", "pid-pressure", "unschedulable")),
)
_LWS = "leaderworkerset.sigs.k8s.io/"


def pods_of(workload: JSONObject) -> dict[str, JSONObject]:
    """The kinds of pods that a workload makes, by what they are called in it: one nameless kind, or leader and worker."""
    match workload.get("kind"):
        case "Pod":
            return {"": workload} if "spec" in workload else {}
        case "PodTemplate":
            return _one(workload, workload.get("template"))
        case "CronJob":
            return _one(workload, lookup(workload, _CRON_TEMPLATE))
        case "StatefulSet":
            return _one(workload, _of_stateful_set(workload), f"{name_of(workload)}-0")
        case "DaemonSet":
            return _one(workload, _of_daemon_set(lookup(workload, _TEMPLATE)))
        case "LeaderWorkerSet":
            return _of_leader_worker_set(workload)
    return _one(workload, lookup(workload, _TEMPLATE))


def without_claims(pod: JSONObject, claims: AbstractSet[str]) -> JSONObject:
    """The pod without the volumes of these claims, which are only made beside it: where those can be isn't known before."""
    if not claims:
        return pod
    spec = part(pod, "spec")
    volumes = [volume for volume in items(spec, "volumes") if text(part(volume, "persistentVolumeClaim"), "claimName") not in claims]
    return {**pod, "spec": {**spec, "volumes": volumes}}


def _one(workload: JSONObject, template: JSONValue, name: str = "") -> dict[str, JSONObject]:
    pod = _pod(workload, template, name)
    return {} if pod is None else {"": pod}


def _pod(workload: JSONObject, template: JSONValue, name: str, labels: dict[str, str] | None = None) -> JSONObject | None:
    """The pod of a template; `None` where the template has no containers and so is none."""
    if not items(template, "spec", "containers"):
        return None
    metadata: JSONObject = {"name": name} if name else {"generateName": f"{name_of(workload)}-"}
    if namespace_of(workload):
        metadata["namespace"] = namespace_of(workload)
    metadata["labels"] = {**text_map(template, "metadata", "labels"), **(labels or {})}
    metadata["annotations"] = text_map(template, "metadata", "annotations")
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]}


def _of_stateful_set(workload: JSONObject) -> JSONValue:
    """The template without the volumes whose claims are made with the pod: where those can be is not known before."""
    template = lookup(workload, _TEMPLATE)
    made = {text(metadata_of(claim), "name") for claim in items(workload, "spec", "volumeClaimTemplates")}
    spec = part(template, "spec")
    if not made or "volumes" not in spec:
        return template
    return {**template, "spec": {**spec, "volumes": [volume for volume in items(spec, "volumes") if text(volume, "name") not in made]}}


def _of_daemon_set(template: JSONValue) -> JSONValue:
    """The template with the tolerations that daemons get."""
    spec = part(template, "spec")
    if not spec:
        return template
    wanted = [*_DAEMON_TOLERATIONS, *([(f"{_NODE}network-unavailable", "NoSchedule")] if spec.get("hostNetwork") is True else [])]
    added = [{"key": key, "operator": "Exists", "effect": effect} for key, effect in wanted]
    return {**template, "spec": {**spec, "tolerations": [*items(spec, "tolerations"), *added]}}


def _of_leader_worker_set(workload: JSONObject) -> dict[str, JSONObject]:
    """Leader and workers; without a template of its own the leader is made from the workers'."""
    templates = part(workload, *_LWS_TEMPLATE)
    worker = templates.get("workerTemplate")
    name = name_of(workload)
    labels = {f"{_LWS}name": name, f"{_LWS}group-index": "0"}
    pods = {
        "leader": _pod(workload, templates.get("leaderTemplate") or worker, f"{name}-0", {**labels, f"{_LWS}worker-index": "0"}),
        "worker": _pod(workload, worker, f"{name}-0-1", {**labels, f"{_LWS}worker-index": "1"}),
    }
    if templates.get("size", 1) == 1:
        del pods["worker"]
    return {role: pod for role, pod in pods.items() if pod is not None}
