"""The kinds that kube-apiserver brings itself, with the versions of each, the preferred one first: `built_in.json`.

The file has those of the newest release, and for each older release its differences: other versions, or none.
Source: Kubernetes v1.34.4, v1.35.4, v1.36.3 and v1.37.2, api/discovery (every API and version enabled); resources only, without
subresources.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from weighbridge.policies.ground.objects import GroupVersionKind
from weighbridge.policies.ground.server_release import release

#: Kinds with their versions.
Kinds = Mapping[str, Sequence[str]]
#: Built-in kinds whose objects have no namespace. Source: Kubernetes v1.37, api/discovery.
_CLUSTER_SCOPED: Final = {
    "": {"ComponentStatus", "Namespace", "Node", "PersistentVolume"},
    "admissionregistration.k8s.io": {
        "MutatingAdmissionPolicy",
        "MutatingAdmissionPolicyBinding",
        "MutatingWebhookConfiguration",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        "ValidatingWebhookConfiguration",
    },
    "apiextensions.k8s.io": {"CustomResourceDefinition"},
    "apiregistration.k8s.io": {"APIService"},
    "authentication.k8s.io": {"SelfSubjectReview", "TokenReview"},
    "authorization.k8s.io": {"SelfSubjectAccessReview", "SelfSubjectRulesReview", "SubjectAccessReview"},
    "certificates.k8s.io": {"CertificateSigningRequest", "ClusterTrustBundle"},
    "flowcontrol.apiserver.k8s.io": {"FlowSchema", "PriorityLevelConfiguration"},
    "networking.k8s.io": {"IPAddress", "IngressClass", "ServiceCIDR"},
    "node.k8s.io": {"RuntimeClass"},
    "rbac.authorization.k8s.io": {"ClusterRole", "ClusterRoleBinding"},
    "resource.k8s.io": {"DeviceClass", "DeviceTaintRule", "ResourcePoolStatusRequest", "ResourceSlice"},
    "scheduling.k8s.io": {"PriorityClass"},
    "storage.k8s.io": {"CSIDriver", "CSINode", "StorageClass", "VolumeAttachment", "VolumeAttributesClass"},
    "storagemigration.k8s.io": {"StorageVersionMigration"},
}
#: Built-in kinds that the server serves in several versions by default, in the same or in different groups.
_SERVED_TWICE: Final = (
    (GroupVersionKind("autoscaling", "v1", "HorizontalPodAutoscaler"), GroupVersionKind("autoscaling", "v2", "HorizontalPodAutoscaler")),
    (GroupVersionKind("", "v1", "Event"), GroupVersionKind("events.k8s.io", "v1", "Event")),
)


def built_in_groups() -> Mapping[str, Kinds]:
    """The kinds of the release in force, by their API groups."""
    return _groups_of(release().name)


@lru_cache(maxsize=8)
def _groups_of(name: str) -> Mapping[str, Kinds]:
    from json import loads
    from pkgutil import get_data

    found: dict[str, Any] = loads(get_data(__package__, "built_in.json") or b"")
    groups: dict[str, Kinds] = found["kinds"]
    before: Mapping[str, Kinds] = found["before"].get(name, {})
    for group, kinds in before.items():
        groups[group] = {kind: versions for kind, versions in {**groups.get(group, {}), **kinds}.items() if versions}
    return {group: kinds for group, kinds in groups.items() if kinds}


def is_built_in(group: str, version: str, kind: str) -> bool:
    """Whether kube-apiserver serves this version of a kind without any CustomResourceDefinition."""
    return version in built_in_groups().get(group, {}).get(kind, ())


def is_cluster_scoped(gvk: GroupVersionKind) -> bool:
    """Whether objects of a built-in kind have no namespace."""
    return gvk.kind in _CLUSTER_SCOPED.get(gvk.group, ())


def equivalent_kinds(gvk: GroupVersionKind) -> list[GroupVersionKind]:
    """The other versions in which the server serves the objects of a built-in kind."""
    return [other for kinds in _SERVED_TWICE if gvk in kinds for other in kinds if other != gvk]


#: Built-in resources whose objects the server keeps under another name than the plural. Source: kubernetes pkg/kubeapiserver
#: default_storage_factory_builder.go, and kube-aggregator pkg/registry/apiservice/etcd.
_KEPT_AS: Final = {
    "apiservices": "apiregistration.k8s.io/apiservices", "endpoints": "services/endpoints", "ingresses": "ingress", "nodes": "minions",
    "replicationcontrollers": "controllers", "services": "services/specs",
}  # fmt: skip


def storage_key(plural: str, namespace: str, name: str) -> str:
    """The key under which the server keeps an object of a built-in kind."""
    return "/".join(["", _KEPT_AS.get(plural, plural), *filter(None, [namespace]), name])


def plural_of(kind: str) -> str:
    """The plural of a kind that declares none, formed as for built-in kinds."""
    name = kind.lower()
    if name.endswith("endpoints"):
        return name
    if name.endswith("s"):
        return f"{name}es"
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"
