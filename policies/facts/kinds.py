"""The kinds of a cluster's objects that facts are made from, beside those of the families.

Each is named with the version that Kubernetes 1.36 serves; where a cluster doesn't serve it, the kind counts as not installed. Secrets
and ConfigMaps are not among them and never read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from policies.objects import GroupVersionKind


@dataclass(frozen=True, slots=True)
class ReadKind:
    """A kind that is read from a cluster, and the plural in its URL."""

    gvk: GroupVersionKind
    plural: str

    @property
    def path(self) -> str:
        """The URL path that lists its objects in all namespaces."""
        prefix = f"/apis/{self.gvk.group}/{self.gvk.version}" if self.gvk.group else f"/api/{self.gvk.version}"
        return f"{prefix}/{self.plural}"

    @property
    def resource(self) -> str:
        """The resource as permissions name it: ``resourceslices.resource.k8s.io``."""
        return f"{self.plural}.{self.gvk.group}" if self.gvk.group else self.plural


def _read(group: str, version: str, kind: str, plural: str) -> ReadKind:
    return ReadKind(GroupVersionKind(group, version, kind), plural)


NODES: Final = _read("", "v1", "Node", "nodes")
CRDS: Final = _read("apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions")
#: What kube-scheduler reads besides nodes and pods, with two autoscalers' pools of nodes that aren't there yet.
PLACEMENT_KINDS: Final = (
    NODES,
    _read("", "v1", "PersistentVolume", "persistentvolumes"),
    _read("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims"),
    _read("node.k8s.io", "v1", "RuntimeClass", "runtimeclasses"),
    _read("scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses"),
    _read("storage.k8s.io", "v1", "StorageClass", "storageclasses"),
    _read("resource.k8s.io", "v1", "DeviceClass", "deviceclasses"),
    _read("resource.k8s.io", "v1", "ResourceSlice", "resourceslices"),
    _read("resource.k8s.io", "v1", "ResourceClaim", "resourceclaims"),
    _read("resource.k8s.io", "v1", "ResourceClaimTemplate", "resourceclaimtemplates"),
    _read("karpenter.sh", "v1", "NodePool", "nodepools"),
    _read("cluster.x-k8s.io", "v1beta1", "MachineDeployment", "machinedeployments"),
)
