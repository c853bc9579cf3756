"""The filter NodeUnschedulable: a cordoned node takes only pods that tolerate its cordon.

A pod must tolerate the taint of a cordon, whether or not the node has it. Source: Kubernetes v1.36.
"""

from __future__ import annotations

from weighbridge.policies.facts import Node
from weighbridge.policies.facts.tolerations import NO_SCHEDULE, Taint, untolerated
from weighbridge.policies.placement.wordings import CORDONED
from weighbridge.policies.pods.admission import AdmittedPod

UNSCHEDULABLE = Taint("node.kubernetes.io/unschedulable", "", NO_SCHEDULE)


def cordon_check(pod: AdmittedPod, node: Node) -> tuple[str, ...]:
    """The filter's reason, if the node is cordoned for this pod."""
    return (CORDONED,) if node.unschedulable and untolerated(pod.tolerations, [UNSCHEDULABLE]) else ()
