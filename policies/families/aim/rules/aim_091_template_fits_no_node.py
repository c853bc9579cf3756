"""The nodes have the GPUs that a template asks for, and none of them takes its pods.

AIM gives its pods no tolerations: neither the service nor the template has a field for them, so nodes with a taint are out of reach, also
those with the taint that managed Kubernetes and the guides of GPU operators put on nodes with GPUs. Nodes that are cordoned or not ready
take no pods either, nor do those without the CPUs and the memory that go with the GPUs. No service of the template can run then. Where a
node may come that would do, nothing is said.

Source: aim-engine v0.2.1 internal/aimservice/isvc.go; kaiwo dbca1b55 internal/controller/aim/shared/kserve.go; Kubernetes v1.36.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, Inventory, Node
from weighbridge.policies.facts.expected import nodes_to_come
from weighbridge.policies.facts.kinds import READ_BY_PLACEMENT
from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.predictions.asked_gpus import asked_gpus
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.unschedulable import node_may_come
from weighbridge.policies.ground.objects import JSONObject

#: What the nearest miss says of tolerations, which these pods can't be given.
_TOLERATION: Final = re.compile(r" \(toleration: \{[^}]*\}\)")


@objects.warning(
    kinds=("AIMServiceTemplate", "AIMClusterServiceTemplate", "AIMModel", "AIMClusterModel"),
    reads=tuple(sorted(READ_BY_PLACEMENT)),
    good="accepts-a-template-for-partitions",
    bad="warns-of-a-template-whose-node-has-few-cpus",
)
def check(known_given: Given) -> Said:
    if known_given.facts.inventory is None:
        return
    for asked in asked_gpus(known_given.object, known_given.kind, dialect_of(known_given.group), known_given.facts):
        # Of too few GPUs AIM-041 speaks.
        nodes = [node for node in asked.nodes(known_given.facts.inventory) if node.amounts.get(asked.resource, 0) >= asked.count]
        if nodes:
            why = _why_none(asked.pod, nodes, known_given.request.namespace or "default", known_given.facts, known_given.config)
            if why and not node_may_come(asked.resource, asked.count, known_given.facts, known_given.config):
                what, is_tainted = f"{asked.count} {asked.resource}", "taint" in why
                yield Violation(
                    asked.path,
                    f"no node with {what} takes the pods{', which tolerate no taint' if is_tainted else ''}: {why}",
                    found=what,
                    hint="AIM's pods can't be given tolerations: take the taint off, or add nodes without it" if is_tainted else "",
                )


def _why_none(pod: JSONObject, nodes: Sequence[Node], namespace: str, facts: Facts, config: Configuration) -> str:
    """Why none of these nodes takes a pod; empty where some node does, or may do."""
    # Placing takes a while to import, and most templates ask for no GPU.
    from weighbridge.policies.placement.outcome import Reason
    from weighbridge.policies.placement.placement import place, some_node_takes

    if some_node_takes(pod, facts, namespace):
        return ""
    expected = [*config.declared_nodes, *nodes_to_come(facts, pod)]
    there = Facts(facts.definitions, facts.objects, Inventory(nodes), former=facts.former)
    placement = place(pod, there, namespace=namespace, expected=expected)
    if placement.fits or placement.reason is not Reason.UNSCHEDULABLE or placement.on_expected or placement.prospects:
        return ""
    return _TOLERATION.sub("", next(iter(placement.nearest), placement.reasons))
