"""The filter TaintToleration: every taint that keeps pods off must be tolerated. Source: Kubernetes v1.36."""

from __future__ import annotations

from weighbridge.policies.facts import Node
from weighbridge.policies.facts.tolerations import untolerated
from weighbridge.policies.placement.wordings import TAINTED
from weighbridge.policies.pods.admission import AdmittedPod


def taint_check(pod: AdmittedPod, node: Node) -> tuple[str, ...]:
    """The filter's reason: a single one for any number of taints."""
    return (TAINTED,) if node.taints and untolerated(pod.tolerations, node.taints) else ()
