"""The same pod for some of the nodes only: `matchFields metadata.name In [node]`, one copy of every affinity term for each node.

kube-scheduler then evaluates only those nodes and reports all others as left out by NodeAffinity, so its message is about a part of the
cluster. Everything else about the pod stays the same.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

_NO_WISH: dict[str, Any] = {}


def only_on(pod: dict[str, Any], nodes: Sequence[str]) -> dict[str, Any]:
    """A copy of the pod that is evaluated only on these nodes."""
    narrowed = copy.deepcopy(pod)
    affinity = narrowed["spec"].get("affinity") or {}
    node_affinity = affinity.get("nodeAffinity") or {}
    required = node_affinity.get("requiredDuringSchedulingIgnoredDuringExecution") or {}
    # Without any terms every node matches; an empty term matches no node.
    terms = [_named(term, node) for term in required.get("nodeSelectorTerms", [_NO_WISH]) for node in nodes]
    node_affinity["requiredDuringSchedulingIgnoredDuringExecution"] = {"nodeSelectorTerms": terms}
    narrowed["spec"]["affinity"] = {**affinity, "nodeAffinity": node_affinity}
    return narrowed


def _named(term: dict[str, Any], node: str) -> dict[str, Any]:
    if term is not _NO_WISH and not term.get("matchExpressions") and not term.get("matchFields"):
        # Only `In` narrows: the node is evaluated as with the empty term, and doesn't match either.
        return {"matchFields": [_name("In", node), _name("NotIn", node)]}
    return {**term, "matchFields": [*(term.get("matchFields") or []), _name("In", node)]}


def _name(operator: str, node: str) -> dict[str, Any]:
    return {"key": "metadata.name", "operator": operator, "values": [node]}
