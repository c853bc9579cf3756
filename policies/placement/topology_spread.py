"""The filter PodTopologySpread on an empty cluster: it refuses only nodes without the topology label, since there is no skew yet.

Source: Kubernetes v1.36, pkg/scheduler/framework/plugins/podtopologyspread; KEP-895.
"""

from __future__ import annotations

from weighbridge.policies.facts import Node
from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.placement.wordings import MISSING_LABEL
from weighbridge.policies.pods.admission import AdmittedPod


def spread_keys(pod: AdmittedPod) -> tuple[str, ...]:
    """The topology labels that a node must have; constraints that only rank nodes require none."""
    constraints = items(pod.spec, "topologySpreadConstraints")
    return tuple(text(item, "topologyKey") for item in constraints if text(item, "whenUnsatisfiable") == "DoNotSchedule")


def spread_check(keys: tuple[str, ...], node: Node) -> tuple[str, ...]:
    """The filter's reason."""
    return () if all(key in node.labels for key in keys) else (MISSING_LABEL,)
