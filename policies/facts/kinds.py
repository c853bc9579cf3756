"""The kinds of a cluster's objects that facts are made from, beside those of the families.

Each is named with the versions that can be read, the best first: that of Kubernetes 1.36, then older ones, which `versions` turns into
its shape. Secrets and ConfigMaps are not among them and never read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from policies.objects import GroupVersionKind


@dataclass(frozen=True, slots=True)
class ReadKind:
    """A kind that is read from a cluster, and the plural in its URL; `older` are further versions in which it can be read."""

    gvk: GroupVersionKind
    plural: str
    older: tuple[str, ...] = ()

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions that can be read, the best first."""
        return (self.gvk.version, *self.older)

    def in_version(self, version: str) -> ReadKind:
        """The same kind as a server has it that serves this version."""
        return replace(self, gvk=replace(self.gvk, version=version))

    @property
    def path(self) -> str:
        """The URL path that lists its objects in all namespaces."""
        prefix = f"/apis/{self.gvk.group}/{self.gvk.version}" if self.gvk.group else f"/api/{self.gvk.version}"
        return f"{prefix}/{self.plural}"

    @property
    def resource(self) -> str:
        """The resource as permissions name it: ``resourceslices.resource.k8s.io``."""
        return f"{self.plural}.{self.gvk.group}" if self.gvk.group else self.plural


def _read(group: str, versions: str, kind: str, plural: str) -> ReadKind:
    best, *older = versions.split()
    return ReadKind(GroupVersionKind(group, best, kind), plural, tuple(older))


NODES: Final = _read("", "v1", "Node", "nodes")
CRDS: Final = _read("apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions")
_DEVICES: Final = "v1 v1beta2 v1beta1"
_MACHINES: Final = "v1beta2 v1beta1"
#: What kube-scheduler and the API server read besides nodes and pods, with two autoscalers' pools of nodes that aren't there yet.
PLACEMENT_KINDS: Final = (
    NODES,
    _read("", "v1", "Namespace", "namespaces"),
    _read("", "v1", "LimitRange", "limitranges"),
    _read("", "v1", "PersistentVolume", "persistentvolumes"),
    _read("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims"),
    _read("node.k8s.io", "v1", "RuntimeClass", "runtimeclasses"),
    _read("scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses"),
    _read("storage.k8s.io", "v1", "StorageClass", "storageclasses"),
    _read("storage.k8s.io", "v1", "CSIDriver", "csidrivers"),
    _read("storage.k8s.io", "v1", "CSINode", "csinodes"),
    _read("storage.k8s.io", "v1", "CSIStorageCapacity", "csistoragecapacities"),
    _read("resource.k8s.io", _DEVICES, "DeviceClass", "deviceclasses"),
    _read("resource.k8s.io", _DEVICES, "ResourceSlice", "resourceslices"),
    _read("resource.k8s.io", _DEVICES, "ResourceClaim", "resourceclaims"),
    _read("resource.k8s.io", _DEVICES, "ResourceClaimTemplate", "resourceclaimtemplates"),
    _read("karpenter.sh", "v1 v1beta1", "NodePool", "nodepools"),
    _read("cluster.x-k8s.io", _MACHINES, "MachineDeployment", "machinedeployments"),
    _read("cluster.x-k8s.io", _MACHINES, "MachineSet", "machinesets"),
    _read("cluster.x-k8s.io", _MACHINES, "MachinePool", "machinepools"),
)
#: The same as rules name them that place pods: of the core group by the kind alone, of others with the group.
READ_BY_PLACEMENT: Final = tuple(f"{kind.gvk.kind}.{kind.gvk.group}".rstrip(".") for kind in PLACEMENT_KINDS)
