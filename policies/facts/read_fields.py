"""The fields and annotations of each kind that placement reads; a field includes all fields below it.

A module that reads another field must add it here; otherwise the webhook and snapshots don't have the field.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts.autoscaling.machine_groups import CAPACITY, MACHINE_GROUPS, MAXIMUM_SIZE
from weighbridge.policies.ground.objects import JSONValue

#: Fields within fields; an empty map means the whole field.
Fields = dict[str, "Fields"]


def fields(*paths: str) -> Fields:
    """A tree of dotted paths; in a list they lead into each item."""
    tree: Fields = {}
    for path in paths:
        branch = tree
        for step in path.split("."):
            branch = branch.setdefault(step, {})
    return tree


def only(value: JSONValue, tree: Fields) -> JSONValue:
    """A value reduced to these fields."""
    if not tree:
        return value
    if isinstance(value, list):
        return [only(item, tree) for item in value]
    if not isinstance(value, dict):
        # A value of the wrong type isn't read.
        return None
    return {key: only(value[key], below) for key, below in tree.items() if key in value}


_STORAGE: Final = "storage.k8s.io"
_DEVICES: Final = "resource.k8s.io"
_KUEUE: Final = "kueue.x-k8s.io"
_VOLCANO: Final = "scheduling.volcano.sh"
_CLASS: Final = "volume.beta.kubernetes.io/storage-class"
_MACHINES: Final = fields("spec.template.metadata.labels", "spec.template.spec.taints", "spec.replicas")
#: Volumes of in-tree plugins that are attached to a node before they are mounted.
ATTACHED: Final = ("awsElasticBlockStore", "azureDisk", "cinder", "fc", "gcePersistentDisk", "iscsi", "rbd", "vsphereVolume")

READ_FIELDS: Final[dict[tuple[str, str], Fields]] = {
    ("", "LimitRange"): fields("spec.limits"),
    ("", "ResourceQuota"): fields("spec.hard", "spec.scopes", "spec.scopeSelector", "status.used"),
    ("", "PersistentVolume"): fields(
        *("spec.accessModes", "spec.capacity", "spec.nodeAffinity", "spec.storageClassName", "spec.volumeAttributesClassName"),
        *("spec.volumeMode", "spec.claimRef.name", "spec.claimRef.namespace", "spec.claimRef.uid"),
        *("spec.csi.driver", "spec.csi.volumeHandle", "status.phase"),
        # Placement only checks whether one of these sources is there. Their other fields may name secrets.
        *(f"spec.{source}.fsType" for source in ATTACHED),
    ),
    ("", "PersistentVolumeClaim"): fields(
        *("spec.accessModes", "spec.resources", "spec.selector", "spec.storageClassName", "spec.volumeAttributesClassName"),
        *("spec.volumeMode", "spec.volumeName", "status.phase"),
    ),
    ("node.k8s.io", "RuntimeClass"): fields("overhead", "scheduling"),
    ("scheduling.k8s.io", "PriorityClass"): fields("value", "globalDefault", "preemptionPolicy"),
    ("scheduling.k8s.io", "PodGroup"): fields("spec.schedulingPolicy.gang.minCount"),
    ("scheduling.k8s.io", "Workload"): fields("spec.podGroups"),
    (_STORAGE, "StorageClass"): fields("provisioner", "volumeBindingMode", "allowedTopologies"),
    (_STORAGE, "CSIDriver"): fields("spec.storageCapacity", "spec.attachRequired", "spec.preventPodSchedulingIfMissing"),
    (_STORAGE, "CSIStorageCapacity"): fields("storageClassName", "nodeTopology", "capacity", "maximumVolumeSize"),
    (_DEVICES, "DeviceClass"): fields("spec.selectors", "spec.extendedResourceName"),
    (_DEVICES, "ResourceSlice"): fields("spec"),
    (_DEVICES, "DeviceTaintRule"): fields(
        *(f"spec.deviceSelector.{name}" for name in ("driver", "pool", "device")),
        *(f"spec.taint.{name}" for name in ("key", "value", "effect")),
    ),
    (_DEVICES, "ResourceClaim"): fields(
        *("spec.devices.requests", "spec.devices.constraints"),
        *("status.allocation.nodeSelector", "status.allocation.devices.results", "status.reservedFor.uid"),
        *(f"status.devices.{name}" for name in ("driver", "pool", "device", "shareID", "conditions.type", "conditions.status")),
    ),
    (_DEVICES, "ResourceClaimTemplate"): fields("spec.spec.devices.requests", "spec.spec.devices.constraints"),
    ("karpenter.sh", "NodePool"): fields(
        *("spec.limits", "spec.replicas", "spec.template.metadata.labels", "spec.template.spec.requirements", "spec.template.spec.taints"),
        "status.resources",
    ),
    (_KUEUE, "LocalQueue"): fields("spec.clusterQueue", "spec.stopPolicy"),
    (_KUEUE, "ClusterQueue"): fields(
        *("spec.cohort", "spec.cohortName", "spec.namespaceSelector", "spec.resourceGroups", "spec.stopPolicy"),
    ),
    (_KUEUE, "Cohort"): fields("spec.parentName", "spec.resourceGroups"),
    (_KUEUE, "ResourceFlavor"): fields("spec.nodeLabels", "spec.nodeTaints", "spec.tolerations"),
    (_VOLCANO, "Queue"): fields("spec.capability", "spec.guarantee.resource", "spec.parent", "status.state"),
    (_VOLCANO, "PodGroup"): fields("spec.minMember", "spec.minResources", "spec.queue"),
    **dict.fromkeys(MACHINE_GROUPS, _MACHINES),
}

#: The annotations, by their names; a name that ends in a slash means all annotations that begin with it.
READ_ANNOTATIONS: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("", "PersistentVolume"): (_CLASS,),
    ("", "PersistentVolumeClaim"): (_CLASS, "pv.kubernetes.io/bind-completed", "volume.kubernetes.io/selected-node"),
    (_STORAGE, "StorageClass"): ("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"),
    **dict.fromkeys(MACHINE_GROUPS, (CAPACITY, MAXIMUM_SIZE)),
}


def is_read(group: str, kind: str, annotation: str) -> bool:
    """Whether an annotation of a kind is read."""
    names = READ_ANNOTATIONS.get((group, kind), ())
    return any(annotation == name or (name.endswith("/") and annotation.startswith(name)) for name in names)
