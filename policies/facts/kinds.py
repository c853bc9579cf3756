"""The kinds of a cluster's objects that become facts, in addition to those of the families.

Each has the versions that can be read, the best first: that of Kubernetes 1.36, then older ones, which `versions` converts to its shape. Of
ConfigMaps only the one with cluster-autoscaler's status is read, by its name. Secrets are never read.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.objects import GroupVersionKind
from weighbridge.policies.ground.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class ReadKind:
    """A kind that is read from a cluster, and the plural in its URL; `older` are further versions in which it can be read.

    With a `name` only the object with that name in its `namespace` is read; with `fields` only objects whose fields have these values.
    """

    gvk: GroupVersionKind
    plural: str
    older: tuple[str, ...] = ()
    name: str = ""
    namespace: str = ""
    fields: str = ""

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions that can be read, the best first."""
        return (self.gvk.version, *self.older)

    def in_version(self, version: str) -> ReadKind:
        """The same kind, for a server that serves this version."""
        return replace(self, gvk=replace(self.gvk, version=version))

    @property
    def path(self) -> str:
        """The URL path that lists its objects, in all namespaces unless it names one."""
        prefix = f"/apis/{self.gvk.group}/{self.gvk.version}" if self.gvk.group else f"/api/{self.gvk.version}"
        return f"{prefix}/namespaces/{self.namespace}/{self.plural}" if self.namespace else f"{prefix}/{self.plural}"

    @property
    def query(self) -> dict[str, str]:
        """The query that limits a list or a watch to the objects that are read."""
        selected = f"metadata.name={self.name}" if self.name else self.fields
        return {"fieldSelector": selected} if selected else {}

    @property
    def resource(self) -> str:
        """The resource as permissions name it.

        ``resourceslices.resource.k8s.io``, or ``configmaps/NAME`` if only the object with that name is read.
        """
        resource = f"{self.plural}.{self.gvk.group}" if self.gvk.group else self.plural
        return f"{resource}/{self.name}" if self.name else resource

    @property
    def known_as(self) -> tuple[str, str]:
        """The group and kind by which facts say whether all objects that are read are known. ``ConfigMap/NAME`` is a part of a kind."""
        return self.gvk.group, f"{self.gvk.kind}/{self.name}" if self.name else self.gvk.kind


def _read(group: str, versions: str, kind: str, plural: str) -> ReadKind:
    best, *older = versions.split()
    return ReadKind(GroupVersionKind(group, best, kind), plural, tuple(older))


NODES: Final = _read("", "v1", "Node", "nodes")
CRDS: Final = _read("apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions")
_DEVICES: Final = "v1 v1beta2 v1beta1"
_MACHINES: Final = "v1beta2 v1beta1"
_QUEUES: Final = "v1beta2 v1beta1"
#: The ConfigMap of cluster-autoscaler's status. In another namespace any user could write one.
AUTOSCALER_STATUS: Final = replace(_read("", "v1", "ConfigMap", "configmaps"), name="cluster-autoscaler-status", namespace="kube-system")
#: The pods that take resources of a node. They are read only if the user asks for it.
PODS: Final = replace(_read("", "v1", "Pod", "pods"), fields="spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed")
_POLICIES: Final = "v1 v1beta1"
#: The cluster's own policies. A snapshot has them; the webhook doesn't read them, since the API server asks them itself.
POLICY_KINDS: Final = (
    _read("admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy", "validatingadmissionpolicies"),
    _read("admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings"),
    _read("admissionregistration.k8s.io", _POLICIES, "MutatingAdmissionPolicy", "mutatingadmissionpolicies"),
    _read("admissionregistration.k8s.io", _POLICIES, "MutatingAdmissionPolicyBinding", "mutatingadmissionpolicybindings"),
)
DEPLOYMENTS: Final = _read("apps", "v1", "Deployment", "deployments")
#: The kinds that kube-scheduler and the API server read in addition to nodes and pods, and those of autoscalers and the nodes that they may
#: add.
PLACEMENT_KINDS: Final = (
    NODES,
    _read("", "v1", "Namespace", "namespaces"),
    _read("", "v1", "LimitRange", "limitranges"),
    _read("", "v1", "ResourceQuota", "resourcequotas"),
    _read("", "v1", "PersistentVolume", "persistentvolumes"),
    _read("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims"),
    _read("node.k8s.io", "v1", "RuntimeClass", "runtimeclasses"),
    _read("scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses"),
    _read("scheduling.k8s.io", "v1beta1 v1alpha3 v1alpha2", "PodGroup", "podgroups"),
    _read("scheduling.k8s.io", "v1alpha1", "Workload", "workloads"),
    _read("storage.k8s.io", "v1", "StorageClass", "storageclasses"),
    _read("storage.k8s.io", "v1", "CSIDriver", "csidrivers"),
    _read("storage.k8s.io", "v1", "CSINode", "csinodes"),
    _read("storage.k8s.io", "v1", "CSIStorageCapacity", "csistoragecapacities"),
    _read("resource.k8s.io", _DEVICES, "DeviceClass", "deviceclasses"),
    _read("resource.k8s.io", _DEVICES, "ResourceSlice", "resourceslices"),
    _read("resource.k8s.io", "v1", "DeviceTaintRule", "devicetaintrules"),
    _read("resource.k8s.io", _DEVICES, "ResourceClaim", "resourceclaims"),
    _read("resource.k8s.io", _DEVICES, "ResourceClaimTemplate", "resourceclaimtemplates"),
    _read("karpenter.sh", "v1 v1beta1", "NodePool", "nodepools"),
    _read("kueue.x-k8s.io", _QUEUES, "LocalQueue", "localqueues"),
    _read("kueue.x-k8s.io", _QUEUES, "ClusterQueue", "clusterqueues"),
    _read("kueue.x-k8s.io", _QUEUES, "Cohort", "cohorts"),
    _read("kueue.x-k8s.io", _QUEUES, "ResourceFlavor", "resourceflavors"),
    _read("scheduling.volcano.sh", "v1beta1", "Queue", "queues"),
    _read("scheduling.volcano.sh", "v1beta1", "PodGroup", "podgroups"),
    _read("cluster.x-k8s.io", _MACHINES, "MachineDeployment", "machinedeployments"),
    _read("cluster.x-k8s.io", _MACHINES, "MachineSet", "machinesets"),
    _read("cluster.x-k8s.io", _MACHINES, "MachinePool", "machinepools"),
    DEPLOYMENTS,
    AUTOSCALER_STATUS,
)
#: The same, as rules that place pods name them: by the kind alone in the core group, else with the group.
READ_BY_PLACEMENT: Final = tuple(f"{name}.{group}".rstrip(".") for group, name in (kind.known_as for kind in PLACEMENT_KINDS))
