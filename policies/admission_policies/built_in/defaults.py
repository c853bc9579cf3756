"""The defaults that the server fills in after it has read an object of a built-in kind: by type, from the outside in.

Source: Kubernetes v1.34 to v1.37, pkg/apis/*/v*/defaults.go and zz_generated.defaults.go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from weighbridge.policies.admission_policies.built_in import pod_defaults
from weighbridge.policies.apiserver.built_in_types import BuiltInTypes, built_in_types
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, metadata_of
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.pods import defaults as scalers
from weighbridge.policies.schema.go_values import deep_copy

_RBAC: Final = "rbac.authorization.k8s.io"
_NAMESPACE_LABEL: Final = "kubernetes.io/metadata.name"


def _inner(obj: JSONObject, key: str) -> JSONObject:
    """A struct within another, created if it is missing."""
    found: JSONObject = obj.setdefault(key, {})
    return found


def _deployment(obj: JSONObject) -> None:
    spec = _inner(obj, "spec")
    strategy = _inner(spec, "strategy")
    if strategy.setdefault("type", "RollingUpdate") == "RollingUpdate":
        rolling = _inner(strategy, "rollingUpdate")
        rolling.setdefault("maxUnavailable", "25%")
        rolling.setdefault("maxSurge", "25%")
    for key, value in (("replicas", 1), ("revisionHistoryLimit", 10), ("progressDeadlineSeconds", 600)):
        spec.setdefault(key, value)


def _daemon_set(obj: JSONObject) -> None:
    spec = _inner(obj, "spec")
    strategy = _inner(spec, "updateStrategy")
    if strategy.setdefault("type", "RollingUpdate") == "RollingUpdate":
        rolling = _inner(strategy, "rollingUpdate")
        rolling.setdefault("maxUnavailable", 1)
        rolling.setdefault("maxSurge", 0)
    spec.setdefault("revisionHistoryLimit", 10)


def _stateful_set(obj: JSONObject) -> None:
    spec = _inner(obj, "spec")
    spec.setdefault("podManagementPolicy", "OrderedReady")
    strategy = _inner(spec, "updateStrategy")
    if "type" not in strategy:
        strategy["type"] = "RollingUpdate"
        _inner(strategy, "rollingUpdate")
    if strategy["type"] == "RollingUpdate" and "rollingUpdate" in strategy:
        strategy["rollingUpdate"].setdefault("partition", 0)
        if release().bounds_stateful_updates:
            strategy["rollingUpdate"].setdefault("maxUnavailable", 1)
    retention = _inner(spec, "persistentVolumeClaimRetentionPolicy")
    for when in ("whenDeleted", "whenScaled"):
        retention.setdefault(when, "Retain")
    spec.setdefault("replicas", 1)
    spec.setdefault("revisionHistoryLimit", 10)
    for claim in items(spec, "volumeClaimTemplates"):
        claim |= {"apiVersion": "v1", "kind": "PersistentVolumeClaim"}


def _replica_set(obj: JSONObject) -> None:
    _inner(obj, "spec").setdefault("replicas", 1)


def _replication_controller(obj: JSONObject) -> None:
    labels = part(obj, "spec", "template", "metadata").get("labels")
    if labels is not None:
        if not obj["spec"].get("selector"):
            obj["spec"]["selector"] = dict(labels)
        _take_labels(obj, labels)


def _take_labels(obj: JSONObject, labels: JSONObject) -> None:
    if not metadata_of(obj).get("labels"):
        _inner(obj, "metadata")["labels"] = dict(labels)


def _job(obj: JSONObject) -> None:
    spec = _inner(obj, "spec")
    if "completions" not in spec and "parallelism" not in spec:
        spec["completions"] = 1
    spec.setdefault("parallelism", 1)
    spec.setdefault("backoffLimit", 2**31 - 1 if "backoffLimitPerIndex" in spec else 6)
    labels = part(spec, "template", "metadata").get("labels")
    if labels is not None:
        _take_labels(obj, labels)
    spec.setdefault("completionMode", "NonIndexed")
    spec.setdefault("suspend", False)
    spec.setdefault("podReplacementPolicy", "Failed" if "podFailurePolicy" in spec else "TerminatingOrFailed")
    spec.setdefault("manualSelector", False)


def _cron_job(obj: JSONObject) -> None:
    spec = _inner(obj, "spec")
    defaults = {"concurrencyPolicy": "Allow", "suspend": False, "successfulJobsHistoryLimit": 3, "failedJobsHistoryLimit": 1}
    for key, value in defaults.items():
        spec.setdefault(key, value)


def _service(obj: JSONObject) -> None:
    spec = _inner(obj, "spec")
    if spec.setdefault("sessionAffinity", "None") == "None":
        spec.pop("sessionAffinityConfig", None)
    elif spec["sessionAffinity"] == "ClientIP" and part(spec, "sessionAffinityConfig", "clientIP").get("timeoutSeconds") is None:
        spec["sessionAffinityConfig"] = {"clientIP": {"timeoutSeconds": 10800}}
    kind = spec.setdefault("type", "ClusterIP")
    for port in items(spec, "ports"):
        port.setdefault("protocol", "TCP")
        if not port.get("targetPort"):
            port["targetPort"] = port.get("port", 0)
    if kind in ("LoadBalancer", "NodePort") or (kind == "ClusterIP" and spec.get("externalIPs")):
        spec.setdefault("externalTrafficPolicy", "Cluster")
    if kind in ("NodePort", "LoadBalancer", "ClusterIP"):
        spec.setdefault("internalTrafficPolicy", "Cluster")
    if kind == "LoadBalancer":
        spec.setdefault("allocateLoadBalancerNodePorts", True)
        for ingress in items(obj, "status", "loadBalancer", "ingress"):
            if ingress.get("ip"):
                ingress.setdefault("ipMode", "VIP")


def _autoscaler(obj: JSONObject) -> None:
    spec = _inner(obj, "spec")
    spec.setdefault("minReplicas", 1)
    obj["spec"] = deep_copy(scalers.scaler_spec(spec))


def _network_policy(obj: JSONObject) -> None:
    spec = _inner(obj, "spec")
    if not spec.get("policyTypes"):
        spec["policyTypes"] = ["Ingress", *(["Egress"] if spec.get("egress") else [])]


def _ingress_class(obj: JSONObject) -> None:
    parameters = part(obj, "spec").get("parameters")
    if parameters is not None:
        parameters.setdefault("scope", "Cluster")


def _role_binding(obj: JSONObject) -> None:
    _inner(obj, "roleRef").setdefault("apiGroup", _RBAC)


def _subject(obj: JSONObject) -> None:
    if obj.get("kind") in ("User", "Group"):
        obj.setdefault("apiGroup", _RBAC)


def _storage_class(obj: JSONObject) -> None:
    obj.setdefault("reclaimPolicy", "Delete")
    obj.setdefault("volumeBindingMode", "Immediate")


def _csi_driver(obj: JSONObject) -> None:
    spec = _inner(obj, "spec")
    defaults = {"attachRequired": True, "podInfoOnMount": False, "storageCapacity": False, "fsGroupPolicy": "ReadWriteOnceWithFSType"}
    for key, value in defaults.items():
        spec.setdefault(key, value)
    if not spec.get("volumeLifecycleModes"):
        spec["volumeLifecycleModes"] = ["Persistent"]
    spec.setdefault("requiresRepublish", False)
    spec.setdefault("seLinuxMount", False)
    if release().bounds_stateful_updates:
        spec.setdefault("preventPodSchedulingIfMissing", False)


def _persistent_volume(obj: JSONObject) -> None:
    _inner(obj, "status").setdefault("phase", "Pending")
    spec = _inner(obj, "spec")
    spec.setdefault("persistentVolumeReclaimPolicy", "Retain")
    spec.setdefault("volumeMode", "Filesystem")


def _limit_range_item(obj: JSONObject) -> None:
    if text(obj, "type") != "Container":
        return
    limits, requests = _inner(obj, "default"), _inner(obj, "defaultRequest")
    for given, taken in ((part(obj, "max"), limits), (limits, requests), (part(obj, "min"), requests)):
        for key, value in given.items():
            taken.setdefault(key, value)


def _namespace(obj: JSONObject) -> None:
    name = text(metadata_of(obj), "name")
    if name:
        _inner(obj["metadata"], "labels")[_NAMESPACE_LABEL] = name


def _node_status(obj: JSONObject) -> None:
    if "capacity" in obj:
        obj.setdefault("allocatable", dict(obj["capacity"]))


def _device_request(obj: JSONObject) -> None:
    if obj.setdefault("allocationMode", "ExactCount") == "ExactCount":
        obj.setdefault("count", 1)


def _filling(**defaults: str | int) -> Callable[[JSONObject], None]:
    """A rule that fills in only missing values."""

    def fill(obj: JSONObject) -> None:
        for key, value in defaults.items():
            obj.setdefault(key, value)

    return fill


_RULES: Final[Mapping[str, Callable[[JSONObject], None]]] = {
    "CSIDriver": _csi_driver,
    "ClusterRoleBinding": _role_binding,
    "CronJob": _cron_job,
    "DaemonSet": _daemon_set,
    "Deployment": _deployment,
    "DeviceSubRequest": _device_request,
    "DiscoveryEndpointPort": _filling(name="", protocol="TCP"),
    "EndpointPort": _filling(protocol="TCP"),
    "ExactDeviceRequest": _device_request,
    "HorizontalPodAutoscaler": _autoscaler,
    "IngressClass": _ingress_class,
    "Job": _job,
    "LimitRangeItem": _limit_range_item,
    "Namespace": _namespace,
    "NamespaceStatus": _filling(phase="Active"),
    "NetworkPolicy": _network_policy,
    "NetworkPolicyPort": _filling(protocol="TCP"),
    "NodeStatus": _node_status,
    "PersistentVolume": _persistent_volume,
    "PersistentVolumeClaim": lambda obj: _filling(phase="Pending")(_inner(obj, "status")),
    "PersistentVolumeClaimSpec": _filling(volumeMode="Filesystem"),
    "PodFailurePolicyOnPodConditionsPattern": _filling(status="True"),
    "PriorityClass": _filling(preemptionPolicy="PreemptLowerPriority"),
    "ReplicaSet": _replica_set,
    "ReplicationController": _replication_controller,
    "RoleBinding": _role_binding,
    "Secret": _filling(type="Opaque"),
    "Service": _service,
    "StatefulSet": _stateful_set,
    "StorageClass": _storage_class,
    "Subject": _subject,
    **pod_defaults.RULES,
}


def fill_in(value: JSONObject, name: str) -> None:
    """Fill in the defaults of a decoded object of a type, in place."""
    _fill(value, name, built_in_types())


def _fill(value: JSONObject, name: str, types: BuiltInTypes) -> None:
    rule = _RULES.get(name)
    if rule is not None:
        rule(value)
    for key, kind, default in _filled_fields(release().name, name):
        if default is not None:
            value.setdefault(key, default)
            continue
        held = value.get(key)
        inner = kind.rpartition("]")[2].rpartition("}")[2].lstrip("*~+")
        if kind[0] == "[":
            for item in held or ():
                _fill(item, inner, types)
        elif kind[0] == "{":
            for item in (held or {}).values():
                _fill(item, inner, types)
        elif held is not None:
            _fill(held, inner, types)
        elif kind[0] != "*":
            made: JSONObject = {}
            _fill(made, inner, types)
            if made:
                value[key] = made


@cache
def _filled_fields(version: str, name: str) -> tuple[tuple[str, str, str | int | bool | None], ...]:
    """The fields of a type in which something may be filled in; pointers have a star."""
    found = []
    for key, field in built_in_types().fields(name):
        inner = field.kind.rpartition("]")[2].rpartition("}")[2].lstrip("~+")
        if field.default is not None:
            found.append((key, field.kind, field.default))
        elif inner[0].isupper() and (inner in _RULES or _filled_fields(version, inner)):
            found.append((key, f"*{field.kind}" if field.pointer and field.kind[0] not in "[{" else field.kind, None))
    return tuple(found)
