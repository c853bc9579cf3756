"""The kinds that kube-apiserver brings itself, with the versions of each.

Source: Kubernetes v1.36.3, api/discovery (every API and version enabled); resources only, without subresources.
"""

from __future__ import annotations

from typing import Final

#: By API group and kind, the versions, the preferred one first.
BUILT_IN: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "": {
        "Binding": ("v1",),
        "ComponentStatus": ("v1",),
        "ConfigMap": ("v1",),
        "Endpoints": ("v1",),
        "Event": ("v1",),
        "LimitRange": ("v1",),
        "Namespace": ("v1",),
        "Node": ("v1",),
        "PersistentVolume": ("v1",),
        "PersistentVolumeClaim": ("v1",),
        "Pod": ("v1",),
        "PodTemplate": ("v1",),
        "ReplicationController": ("v1",),
        "ResourceQuota": ("v1",),
        "Secret": ("v1",),
        "Service": ("v1",),
        "ServiceAccount": ("v1",),
    },
    "admissionregistration.k8s.io": {
        "MutatingAdmissionPolicy": ("v1", "v1beta1", "v1alpha1"),
        "MutatingAdmissionPolicyBinding": ("v1", "v1beta1", "v1alpha1"),
        "MutatingWebhookConfiguration": ("v1",),
        "ValidatingAdmissionPolicy": ("v1",),
        "ValidatingAdmissionPolicyBinding": ("v1",),
        "ValidatingWebhookConfiguration": ("v1",),
    },
    "apiextensions.k8s.io": {
        "CustomResourceDefinition": ("v1",),
    },
    "apiregistration.k8s.io": {
        "APIService": ("v1",),
    },
    "apps": {
        "ControllerRevision": ("v1",),
        "DaemonSet": ("v1",),
        "Deployment": ("v1",),
        "ReplicaSet": ("v1",),
        "StatefulSet": ("v1",),
    },
    "authentication.k8s.io": {
        "SelfSubjectReview": ("v1",),
        "TokenReview": ("v1",),
    },
    "authorization.k8s.io": {
        "LocalSubjectAccessReview": ("v1",),
        "SelfSubjectAccessReview": ("v1",),
        "SelfSubjectRulesReview": ("v1",),
        "SubjectAccessReview": ("v1",),
    },
    "autoscaling": {
        "HorizontalPodAutoscaler": ("v2", "v1"),
    },
    "batch": {
        "CronJob": ("v1",),
        "Job": ("v1",),
    },
    "certificates.k8s.io": {
        "CertificateSigningRequest": ("v1",),
        "ClusterTrustBundle": ("v1beta1", "v1alpha1"),
        "PodCertificateRequest": ("v1beta1",),
    },
    "coordination.k8s.io": {
        "Lease": ("v1",),
        "LeaseCandidate": ("v1beta1", "v1alpha2"),
    },
    "discovery.k8s.io": {
        "EndpointSlice": ("v1",),
    },
    "events.k8s.io": {
        "Event": ("v1",),
    },
    "flowcontrol.apiserver.k8s.io": {
        "FlowSchema": ("v1",),
        "PriorityLevelConfiguration": ("v1",),
    },
    "internal.apiserver.k8s.io": {
        "StorageVersion": ("v1alpha1",),
    },
    "networking.k8s.io": {
        "IPAddress": ("v1", "v1beta1"),
        "Ingress": ("v1",),
        "IngressClass": ("v1",),
        "NetworkPolicy": ("v1",),
        "ServiceCIDR": ("v1", "v1beta1"),
    },
    "node.k8s.io": {
        "RuntimeClass": ("v1",),
    },
    "policy": {
        "PodDisruptionBudget": ("v1",),
    },
    "rbac.authorization.k8s.io": {
        "ClusterRole": ("v1",),
        "ClusterRoleBinding": ("v1",),
        "Role": ("v1",),
        "RoleBinding": ("v1",),
    },
    "resource.k8s.io": {
        "DeviceClass": ("v1", "v1beta2", "v1beta1"),
        "DeviceTaintRule": ("v1beta2", "v1alpha3"),
        "ResourceClaim": ("v1", "v1beta2", "v1beta1"),
        "ResourceClaimTemplate": ("v1", "v1beta2", "v1beta1"),
        "ResourcePoolStatusRequest": ("v1alpha3",),
        "ResourceSlice": ("v1", "v1beta2", "v1beta1"),
    },
    "scheduling.k8s.io": {
        "PodGroup": ("v1alpha2",),
        "PriorityClass": ("v1",),
        "Workload": ("v1alpha2",),
    },
    "storage.k8s.io": {
        "CSIDriver": ("v1",),
        "CSINode": ("v1",),
        "CSIStorageCapacity": ("v1",),
        "StorageClass": ("v1",),
        "VolumeAttachment": ("v1",),
        "VolumeAttributesClass": ("v1", "v1beta1"),
    },
    "storagemigration.k8s.io": {
        "StorageVersionMigration": ("v1beta1",),
    },
}


def is_built_in(group: str, version: str, kind: str) -> bool:
    """Whether kube-apiserver serves this version of a kind without any CustomResourceDefinition."""
    return version in BUILT_IN.get(group, {}).get(kind, ())
