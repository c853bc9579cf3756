"""The pods of a workload: what its controller adds to the template, as far as that is known beforehand.

Known are the built-in workloads and LeaderWorkerSet; of any other object, the template under `spec.template`. Of labels those are added
that follow from the workload's name. Sources: Kubernetes v1.36 (pkg/controller: statefulset, daemon, job), LeaderWorkerSet v0.7
(pkg/controllers).
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from weighbridge.policies.ground.fields import items, part, text, text_map, whole
from weighbridge.policies.ground.objects import JSONObject, JSONValue, lookup, metadata_of, name_of, namespace_of

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
_STATEFUL = {"name": "statefulset.kubernetes.io/pod-name", "index": "apps.kubernetes.io/pod-index"}
_JOB = ("batch.kubernetes.io/job-name", "job-name")


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
            first = f"{name_of(workload)}-0"
            return _one(workload, _of_stateful_set(workload), first, {_STATEFUL["name"]: first, _STATEFUL["index"]: "0"})
        case "Job":
            return _one(workload, lookup(workload, _TEMPLATE), labels=dict.fromkeys(_JOB, name_of(workload)))
        case "DaemonSet":
            return _one(workload, _of_daemon_set(lookup(workload, _TEMPLATE)))
        case "LeaderWorkerSet":
            return _of_leader_worker_set(workload)
    return _one(workload, lookup(workload, _TEMPLATE))


def claims_of(workload: JSONObject, pods: Iterable[JSONObject] | None = None) -> list[JSONObject]:
    """The claims that are created with a workload's pods; for equal pods, those of the first.

    `pods` are what `pods_of` gives for the workload, for a caller that has them.
    """
    claims = []
    if workload.get("kind") == "StatefulSet":
        for template in items(workload, "spec", "volumeClaimTemplates"):
            name = _claim_name(workload, text(metadata_of(template), "name"))
            claims.append(_claim(name, template, namespace_of(workload)))
    for pod in pods_of(workload).values() if pods is None else pods:
        for volume in items(pod, "spec", "volumes"):
            if isinstance(volume.get("ephemeral"), dict):
                name = f"{name_of(pod) or text(metadata_of(pod), 'generateName')}-{text(volume, 'name')}"
                claims.append(_claim(name, part(volume, "ephemeral", "volumeClaimTemplate"), namespace_of(workload)))
    return claims


def _claim(name: str, template: JSONObject, namespace: str) -> JSONObject:
    metadata = {**metadata_of(template), "name": name} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": part(template, "spec")}


def replicas_of(workload: JSONObject) -> int:
    """How many equal pods a workload runs at a time; 1 if it doesn't say."""
    spec = part(workload, "spec")
    return whole(spec, "parallelism" if workload.get("kind") == "Job" else "replicas", 1)


def without_claims(pod: JSONObject, claims: AbstractSet[str]) -> JSONObject:
    """The pod without the volumes of these claims."""
    if not claims:
        return pod
    spec = part(pod, "spec")
    volumes = [volume for volume in items(spec, "volumes") if text(part(volume, "persistentVolumeClaim"), "claimName") not in claims]
    return {**pod, "spec": {**spec, "volumes": volumes}}


def _one(workload: JSONObject, template: JSONValue, name: str = "", labels: dict[str, str] | None = None) -> dict[str, JSONObject]:
    pod = _pod(workload, template, name, labels)
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
    """The template with the claims that are made with the pod, in place of its own volumes of their names."""
    template = lookup(workload, _TEMPLATE)
    made = {text(metadata_of(claim), "name") for claim in items(workload, "spec", "volumeClaimTemplates")}
    spec = part(template, "spec")
    if not made or not spec:
        return template
    claimed = [{"name": name, "persistentVolumeClaim": {"claimName": _claim_name(workload, name)}} for name in sorted(made)]
    others = [volume for volume in items(spec, "volumes") if text(volume, "name") not in made]
    return {**template, "spec": {**spec, "volumes": [*claimed, *others]}}


def _claim_name(stateful_set: JSONObject, template: str) -> str:
    """What the first pod's claim of a template is called."""
    return f"{template}-{name_of(stateful_set)}-0"


def _of_daemon_set(template: JSONValue) -> JSONValue:
    """The template with the tolerations that daemons get."""
    spec = part(template, "spec")
    if not spec:
        return template
    wanted = [*_DAEMON_TOLERATIONS, *([(f"{_NODE}network-unavailable", "NoSchedule")] if spec.get("hostNetwork") is True else [])]
    added = [{"key": key, "operator": "Exists", "effect": effect} for key, effect in wanted]
    return {**template, "spec": {**spec, "tolerations": [*items(spec, "tolerations"), *added]}}


def _of_leader_worker_set(workload: JSONObject) -> dict[str, JSONObject]:
    """Leader and workers. A leader without a template of its own has that of the workers."""
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
