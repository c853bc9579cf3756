"""The same pod for some of the nodes only: `matchFields metadata.name In [node]`, one copy of every affinity term for each node.

kube-scheduler then evaluates those nodes alone and says of all others that NodeAffinity left them out, so its message is about a part of
the cluster; everything else about the pod stays as it was.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

_NO_WISH: dict[str, Any] = {}


def only_on(pod: dict[str, Any], nodes: Sequence[str]) -> dict[str, Any]:
    """A copy of the pod that is to be evaluated on these nodes only."""
    narrowed = copy.deepcopy(pod)
    affinity = narrowed["spec"].get("affinity") or {}
    node_affinity = affinity.get("nodeAffinity") or {}
    required = node_affinity.get("requiredDuringSchedulingIgnoredDuringExecution") or {}
    # No terms at all is no wish; an empty term is one that no node fulfils.
    terms = [_named(term, node) for term in required.get("nodeSelectorTerms", [_NO_WISH]) for node in nodes]
    node_affinity["requiredDuringSchedulingIgnoredDuringExecution"] = {"nodeSelectorTerms": terms}
    narrowed["spec"]["affinity"] = {**affinity, "nodeAffinity": node_affinity}
    return narrowed


def _named(term: dict[str, Any], node: str) -> dict[str, Any]:
    if term is not _NO_WISH and not term.get("matchExpressions") and not term.get("matchFields"):
        # Only `In` narrows: the node is evaluated, as it was for the empty term, and matches as little.
        return {"matchFields": [_name("In", node), _name("NotIn", node)]}
    return {**term, "matchFields": [*(term.get("matchFields") or []), _name("In", node)]}


def _name(operator: str, node: str) -> dict[str, Any]:
    return {"key": "metadata.name", "operator": operator, "values": [node]}
