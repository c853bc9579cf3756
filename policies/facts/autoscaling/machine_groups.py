"""Groups of Cluster API machines that cluster-autoscaler can scale up from zero, and the nodes that it expects of them.

Annotations of `capacity.cluster-autoscaler.kubernetes.io` give a node's resources, labels and taints; without cpu and memory the autoscaler
doesn't scale a group from zero, and without a maximum size not at all. Source: kubernetes/autoscaler,
`cluster-autoscaler/cloudprovider/clusterapi` (`clusterapi_unstructured.go`, `clusterapi_utils.go`, `clusterapi_nodegroup.go`). The capacity
in machine templates isn't looked up, and a group whose GPUs are devices (`dra-driver`) is read without them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weighbridge.policies.ground.fields import items, text, text_map
from weighbridge.policies.ground.objects import JSONObject, name_of

if TYPE_CHECKING:
    from weighbridge.policies.facts.node import Node

#: The kinds that the autoscaler scales, by group and kind.
MACHINE_GROUPS: Final = tuple(("cluster.x-k8s.io", kind) for kind in ("MachineDeployment", "MachineSet", "MachinePool"))
#: The annotations with the most nodes of a group, and with the resources of one of its nodes.
CAPACITY: Final = "capacity.cluster-autoscaler.kubernetes.io/"
MAXIMUM_SIZE: Final = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size"
_AMOUNTS: Final = {"cpu": "cpu", "memory": "memory", "ephemeral-storage": "ephemeral-disk", "pods": "maxPods"}
_DEFAULT_PODS: Final = "110"
#: The labels of a machine that Cluster API copies to its node (its book, "Metadata propagation").
_PROPAGATED: Final = ("node-role.kubernetes.io", "node-restriction.kubernetes.io/", "node.cluster.x-k8s.io/")


def node_of_group(group: JSONObject) -> Node | None:
    """The node that one more machine would become; `None` for a group that can't grow from zero, or that another group owns."""
    from weighbridge.policies.facts.node import HOSTNAME, Node

    annotations = text_map(group, "metadata", "annotations")
    if not is_scaled(group):
        return None
    amounts = {resource: annotations.get(f"{CAPACITY}{key}", "") for resource, key in _AMOUNTS.items()}
    if not amounts["cpu"] or not amounts["memory"]:
        return None
    amounts["pods"] = amounts["pods"] or _DEFAULT_PODS
    amounts["ephemeral-storage"] = amounts["ephemeral-storage"] or "0"
    amounts[annotations.get(f"{CAPACITY}gpu-type", "")] = annotations.get(f"{CAPACITY}gpu-count", "")
    labels = {
        HOSTNAME: name_of(group),
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        **{key: value for key, value in text_map(group, *_LABELS).items() if key.startswith(_PROPAGATED)},
        **dict(_pairs(annotations.get(f"{CAPACITY}labels", ""))),
    }
    stated = {resource: amount for resource, amount in amounts.items() if resource and amount}
    return Node.expected(f"{group.get('kind')} {name_of(group)}", labels, _taints(group, annotations.get(f"{CAPACITY}taints", "")), stated)


def is_scaled(group: JSONObject) -> bool:
    """Whether the autoscaler scales a group: one that has a maximum size and that no other group owns."""
    return text_map(group, "metadata", "annotations").get(MAXIMUM_SIZE, "0") != "0" and not _is_owned(group)


_LABELS: Final = ("spec", "template", "metadata", "labels")
_TAINTS: Final = ("spec", "template", "spec", "taints")


def _taints(group: JSONObject, annotation: str) -> list[JSONObject]:
    """The machines' taints; those of the annotation replace others with the same key and effect."""
    taints = {(text(taint, "key"), text(taint, "effect")): taint for taint in items(group, *_TAINTS)}
    for entry in filter(None, annotation.split(",")):
        whole, _, effect = entry.rpartition(":")
        key, _, value = whole.partition("=")
        taints[key, effect] = {"key": key, "value": value, "effect": effect}
    return list(taints.values())


def _pairs(annotation: str) -> list[tuple[str, str]]:
    return [(key, value) for key, equals, value in (pair.partition("=") for pair in annotation.split(",")) if equals]


def _is_owned(group: JSONObject) -> bool:
    kinds = {kind for _, kind in MACHINE_GROUPS}
    return any(owner.get("kind") in kinds for owner in items(group, "metadata", "ownerReferences"))
