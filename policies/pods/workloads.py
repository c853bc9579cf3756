"""The pods of a workload: its template with what the controller adds, as far as that is known beforehand.

The built-in workloads, LeaderWorkerSet and RayCluster are known; for any other object the template under `spec.template` counts. Labels
that follow from the workload's name are added. KubeRay's own init containers request less than Ray does, and are left out. Sources:
Kubernetes v1.36 (pkg/controller: statefulset, daemon, job), LeaderWorkerSet v0.7 (pkg/controllers), KubeRay v1.7
(ray-operator/controllers/ray/common/pod.go, and utils/util.go: GetWorkerGroupDesiredReplicas; the label of the scheduler is v1.2's).
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
_RAY = "ray.io/"
_SCHEDULER = f"{_RAY}scheduler-name"
_STATEFUL = {"name": "statefulset.kubernetes.io/pod-name", "index": "apps.kubernetes.io/pod-index"}
_JOB = ("batch.kubernetes.io/job-name", "job-name")


def pods_of(workload: JSONObject) -> dict[str, JSONObject]:
    """The kinds of pods that a workload creates, by their names in it: the empty name, leader and worker, or the groups of Ray."""
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
        case "RayCluster":
            return _of_ray_cluster(workload)
    return _one(workload, lookup(workload, _TEMPLATE))


def claims_of(workload: JSONObject, pods: Iterable[JSONObject] | None = None) -> list[JSONObject]:
    """The claims that are created with a workload's pods; for equal pods, those of the first.

    `pods` is the result of `pods_of` for the workload, if the caller has it.
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


def numbers_of(workload: JSONObject) -> dict[str, int]:
    """How many pods of each kind belong to a group, by the names of the kinds; a kind without a number has one."""
    if workload.get("kind") == "LeaderWorkerSet":
        return {"worker": whole(part(workload, *_LWS_TEMPLATE), "size", 1) - 1}
    if workload.get("kind") == "RayCluster":
        return {text(group, "groupName"): _of_ray_group(group, workload) for group in items(workload, "spec", "workerGroupSpecs")}
    return {}


def _of_ray_group(group: JSONObject, workload: JSONObject) -> int:
    """The number of pods in a group of workers. Where Ray scales the group, it is the least number."""
    if group.get("suspend") is True:
        return 0
    least, most = whole(group, "minReplicas"), whole(group, "maxReplicas", 2**31 - 1)
    asked = least if part(workload, "spec").get("enableInTreeAutoscaling") is True else whole(group, "replicas")
    return max(least, min(asked, most)) * whole(group, "numOfHosts", 1)


def without_claims(pod: JSONObject, claims: AbstractSet[str]) -> JSONObject:
    """The pod without the volumes of these claims."""
    if not claims:
        return pod
    spec = part(pod, "spec")
    volumes = [volume for volume in items(spec, "volumes") if text(part(volume, "persistentVolumeClaim"), "claimName") not in claims]
    return {**pod, "spec": {**spec, "volumes": volumes}}


def _one(workload: JSONObject, template: JSONValue, name: str = "", labels: dict[str, str] | None = None) -> dict[str, JSONObject]:
    pod = _pod(workload, template, name, labels) if template is not None else None
    return {} if pod is None else {"": pod}


def _pod(workload: JSONObject, template: JSONValue, name: str, labels: dict[str, str] | None = None) -> JSONObject | None:
    """The pod of a template; `None` if it has no containers, and so isn't a pod template."""
    if not items(template, "spec", "containers"):
        return None
    of_workload, of_template = metadata_of(workload), metadata_of(template)
    metadata: JSONObject = {"name": name} if name else {"generateName": f"{text(of_workload, 'name')}-"}
    if namespace := text(of_workload, "namespace"):
        metadata["namespace"] = namespace
    metadata["labels"] = text_map(of_template, "labels") | labels if labels else text_map(of_template, "labels")
    metadata["annotations"] = text_map(of_template, "annotations")
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]}


def _of_ray_cluster(workload: JSONObject) -> dict[str, JSONObject]:
    """The head, and a pod of each group of workers. If a label names a batch scheduler, it schedules all of them."""
    name, scheduler = name_of(workload), text_map(workload, "metadata", "labels").get(_SCHEDULER, "")
    head = (("head", "head", part(workload, "spec", "headGroupSpec")),)
    groups = ((text(group, "groupName"), "worker", group) for group in items(workload, "spec", "workerGroupSpecs"))
    found = {}
    for called, role, group in (*head, *groups):
        own = {f"{_RAY}cluster": name, f"{_RAY}node-type": role, f"{_RAY}group": "headgroup" if role == "head" else called}
        pod = _pod(workload, group.get("template"), "", own)
        if pod is not None and (role == "head" or _of_ray_group(group, workload) > 0):
            spec = {**pod["spec"], "schedulerName": scheduler} if scheduler else pod["spec"]
            found[called] = {**pod, "metadata": {**pod["metadata"], "generateName": f"{name}-{role}-"}, "spec": spec}
    return found


def _of_stateful_set(workload: JSONObject) -> JSONValue:
    """The template with the claims that are created with the pod; they replace its own volumes with the same names."""
    template = lookup(workload, _TEMPLATE)
    made = {text(metadata_of(claim), "name") for claim in items(workload, "spec", "volumeClaimTemplates")}
    spec = part(template, "spec")
    if not made or not spec:
        return template
    claimed = [{"name": name, "persistentVolumeClaim": {"claimName": _claim_name(workload, name)}} for name in sorted(made)]
    others = [volume for volume in items(spec, "volumes") if text(volume, "name") not in made]
    return {**template, "spec": {**spec, "volumes": [*claimed, *others]}}


def _claim_name(stateful_set: JSONObject, template: str) -> str:
    """The name of the first pod's claim from a claim template."""
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
    """Leader and workers. A leader without its own template has that of the workers."""
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
