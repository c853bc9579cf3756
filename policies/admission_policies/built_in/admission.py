"""The values that admission plugins before the mutating policies fill in for built-in kinds.

Source: Kubernetes v1.36, pkg/kubeapiserver/options/plugins.go, AllOrderedPlugins: LimitRanger, ServiceAccount, TaintNodesByCondition,
Priority, DefaultTolerationSeconds, DefaultStorageClass, StorageObjectInUseProtection, RuntimeClass and DefaultIngressClass, under
plugin/pkg/admission.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.admission_policies.built_in import wordings
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.tolerations import read_tolerations
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, Path, metadata_of, name_of
from weighbridge.policies.pods.default_tolerations import with_defaults
from weighbridge.policies.pods.limit_ranges import limits_of
from weighbridge.policies.pods.limit_ranges import with_defaults as with_limit_ranges
from weighbridge.policies.pods.priority import find_class

_CONTAINERS: Final = ("containers", "initContainers")
_TOKENS: Final = "/var/run/secrets/kubernetes.io/serviceaccount"
_DEFAULT_ACCOUNT: Final = "default"
_TOLERATED_SECONDS: Final = 300
_DEFAULT_STORAGE: Final = "storageclass.kubernetes.io/is-default-class"
_OLD_STORAGE: Final = "storageclass.beta.kubernetes.io/is-default-class"
_DEFAULT_INGRESS: Final = "ingressclass.kubernetes.io/is-default-class"
_INGRESS_ANNOTATION: Final = "kubernetes.io/ingress.class"
#: Finalizers that new objects of a kind get.
_PROTECTED: Final = {"PersistentVolumeClaim": "kubernetes.io/pvc-protection", "PersistentVolume": "kubernetes.io/pv-protection"}
_Doubts = dict[Path, str]


def admitted(obj: JSONObject, gvk: GroupVersionKind, operation: Operation, namespace: str, facts: Facts) -> tuple[JSONObject, _Doubts]:
    """An object with the filled-in values, and the places in which these aren't known."""
    if gvk.kind == "Pod" and not gvk.group:
        if operation is Operation.CREATE:
            return _pod(obj, namespace, facts)
        return obj, {("spec",): wordings.STORED_SPEC}
    if operation is not Operation.CREATE:
        return obj, {}
    found, doubts = obj, _Doubts()
    if gvk.kind in _PROTECTED and not gvk.group:
        metadata = metadata_of(obj)
        wanted = _PROTECTED[gvk.kind]
        held = metadata.get("finalizers") or []
        found = {**obj, "metadata": {**metadata, "finalizers": held if wanted in held else [*held, wanted]}}
    if gvk.kind == "PersistentVolumeClaim" and not gvk.group:
        found = _claim(found, facts, doubts)
    elif gvk.kind == "Ingress" and gvk.group == "networking.k8s.io":
        found = _ingress(found, facts, doubts)
    elif gvk.kind == "Node" and not gvk.group:
        doubts["spec", "taints"] = wordings.TAINTS
    return found, doubts


# --- pods ---


def _pod(obj: JSONObject, namespace: str, facts: Facts) -> tuple[JSONObject, _Doubts]:
    store, doubts = facts.objects, _Doubts()
    spec: JSONObject = with_limit_ranges(obj["spec"], limits_of(namespace, store))
    if spec != obj["spec"]:
        doubts["metadata", "annotations"] = wordings.NOTE_OF_LIMIT_RANGES
    if not store.knows_all("", "LimitRange"):
        for kind in _CONTAINERS:
            for index, _ in enumerate(items(spec, kind)):
                doubts["spec", kind, index, "resources"] = wordings.FROM_LIMIT_RANGES
    spec = _with_account(spec, namespace, facts, doubts)
    spec = _with_priority(spec, facts, doubts)
    own = read_tolerations(spec.get("tolerations"))
    missing = [
        {"key": added.key, "operator": added.operator, "effect": added.effect, "tolerationSeconds": _TOLERATED_SECONDS}
        for added in with_defaults(own)[len(own) :]
    ]
    if missing:
        spec = {**spec, "tolerations": [*items(spec, "tolerations"), *missing]}
    if spec.get("runtimeClassName") is not None:
        for key in ("overhead", "nodeSelector", "tolerations"):
            doubts["spec", key] = wordings.FROM_RUNTIME_CLASS
    return {**obj, "spec": spec}, doubts


def _with_account(spec: JSONObject, namespace: str, facts: Facts, doubts: _Doubts) -> JSONObject:
    """Fill in the service account. The volume with its token isn't known, since its name is drawn."""
    name = text(spec, "serviceAccountName") or _DEFAULT_ACCOUNT
    account = facts.objects.get("", "ServiceAccount", namespace, name)
    if not spec.get("imagePullSecrets") and not isinstance(account, dict):
        doubts["spec", "imagePullSecrets"] = wordings.service_account(name)
    mounts = spec.get("automountServiceAccountToken")
    if mounts is None and isinstance(account, dict):
        mounts = account.get("automountServiceAccountToken")
    if mounts is not False:
        doubts["spec", "volumes"] = wordings.ACCOUNT_VOLUME
        for kind in _CONTAINERS:
            for index, container in enumerate(items(spec, kind)):
                if all(text(mount, "mountPath") != _TOKENS for mount in items(container, "volumeMounts")):
                    doubts["spec", kind, index, "volumeMounts"] = wordings.ACCOUNT_VOLUME
    secrets = part({"account": account}, "account").get("imagePullSecrets")
    found = {**spec, "serviceAccountName": name, "serviceAccount": name}
    return found if spec.get("imagePullSecrets") or not secrets else {**found, "imagePullSecrets": secrets}


def _with_priority(spec: JSONObject, facts: Facts, doubts: _Doubts) -> JSONObject:
    found = find_class(text(spec, "priorityClassName"), facts.objects)
    if found is None or not (found or facts.objects.knows_all("scheduling.k8s.io", "PriorityClass")):
        for key in ("priority", "preemptionPolicy", "priorityClassName"):
            if spec.get(key) is None:
                doubts["spec", key] = wordings.PRIORITY_CLASSES
        return spec
    spec = {**spec, "priority": found.get("value", 0)}
    if not spec.get("priorityClassName") and name_of(found):
        spec["priorityClassName"] = name_of(found)
    return {**spec, "preemptionPolicy": text(found, "preemptionPolicy") or "PreemptLowerPriority"}


# --- other kinds ---


def _claim(obj: JSONObject, facts: Facts, doubts: _Doubts) -> JSONObject:
    """A claim without a class gets the default one."""
    if obj["spec"].get("storageClassName") is not None or "volume.beta.kubernetes.io/storage-class" in part(obj, "metadata", "annotations"):
        return obj
    if not facts.objects.knows_all("storage.k8s.io", "StorageClass"):
        doubts["spec", "storageClassName"] = wordings.STORAGE_CLASSES
        return obj
    classes = [one for one in facts.objects.list("storage.k8s.io", "StorageClass") if _is_default(one, _DEFAULT_STORAGE, _OLD_STORAGE)]
    if len(classes) > 1:
        doubts["spec", "storageClassName"] = wordings.NEWEST_STORAGE_CLASS
    elif classes:
        return {**obj, "spec": {**obj["spec"], "storageClassName": name_of(classes[0])}}
    return obj


def _ingress(obj: JSONObject, facts: Facts, doubts: _Doubts) -> JSONObject:
    if obj["spec"].get("ingressClassName") is not None or _INGRESS_ANNOTATION in part(obj, "metadata", "annotations"):
        return obj
    known = facts.objects.knows_all("networking.k8s.io", "IngressClass")
    classes = [one for one in facts.objects.list("networking.k8s.io", "IngressClass") if _is_default(one, _DEFAULT_INGRESS)]
    if not known or classes:
        doubts["spec", "ingressClassName"] = wordings.INGRESS_CLASSES
    return obj


def _is_default(obj: JSONObject, *annotations: str) -> bool:
    return any(part(obj, "metadata", "annotations").get(key) == "true" for key in annotations)
