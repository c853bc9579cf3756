"""kube-scheduler's reasons for a node that can't run a pod, each written once.

Source: Kubernetes v1.36, pkg/scheduler/framework/plugins.
"""

from __future__ import annotations

from typing import Final

TOO_MANY_PODS: Final = "Too many pods"
PORTS_TAKEN: Final = "node(s) didn't have free ports for the requested pod ports"
CORDONED: Final = "node(s) were unschedulable"
TAINTED: Final = "node(s) had untolerated taint(s)"
MISMATCH: Final = "node(s) didn't match Pod's node affinity/selector"
NARROWED_AWAY: Final = "node(s) didn't satisfy plugin(s) [NodeAffinity]"
NO_COMPANY: Final = "node(s) didn't match pod affinity rules"
MISSING_LABEL: Final = "node(s) didn't match pod topology spread constraints (missing required label)"
NOT_DECLARED: Final = "node(s) didn't match Pod's required features"
#: VolumeBinding's reasons for nodes without a volume, and for nodes whose storage is used up.
NONE_FREE: Final = "node(s) didn't find available persistent volumes to bind"
NO_ROOM: Final = "node(s) did not have enough free storage"
ELSEWHERE: Final = "node(s) didn't match PersistentVolume's node affinity"
OTHER_ZONE: Final = "node(s) had no available volume zone"
TOO_MANY_VOLUMES: Final = "node(s) exceed max volume count"
_INSUFFICIENT: Final = "Insufficient "


def insufficient(resource: str) -> str:
    """NodeResourcesFit's reason for a resource of which the node has too little."""
    return f"{_INSUFFICIENT}{resource}"


def lacking(reason: str) -> str:
    """The resource that a reason names; empty for the reasons of other filters."""
    return reason.removeprefix(_INSUFFICIENT) if reason.startswith(_INSUFFICIENT) else ""
