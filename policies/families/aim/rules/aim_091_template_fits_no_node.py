"""Nodes have the GPUs that a template requests, but none of them takes its pods.

Neither the service nor the template has a field for tolerations, so AIM's pods can't run on nodes with a taint, such as the one that
managed Kubernetes and the guides of GPU operators put on nodes with GPUs. Nodes that are cordoned or not ready take no pods either, and
neither do nodes without the CPUs and the memory that the pods request with the GPUs. Then no service of the template can run. Remove the
taint, or add nodes. The rule is silent if an autoscaler may add a node that fits.

Source: aim-engine v0.2.1, internal/aimservice/kserve.go; kaiwo dbca1b55, internal/controller/aim/shared/kserve.go; Kubernetes v1.36.
"""

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.facts import Facts, Inventory, Node
from weighbridge.policies.facts.expected import nodes_to_come
from weighbridge.policies.facts.kinds import READ_BY_PLACEMENT
from weighbridge.policies.families.aim.rulebook import AskedGpus, Given, JSONObject, Said, Violation, asked_gpus
from weighbridge.policies.families.unschedulable import node_may_come
from weighbridge.policies.ground.expressions import expression

#: The advice in the nearest miss to add a toleration, which these pods can't have.
_TOLERATION: Final = expression(r" \(toleration: \{[^}]*\}\)")


@asked_gpus.warning(
    reads=tuple(sorted(READ_BY_PLACEMENT)), good="accepts-a-template-for-partitions", bad="warns-of-a-template-whose-node-has-few-cpus"
)
def check(all_asked: list[AskedGpus], given: Given) -> Said:
    for asked in all_asked:
        # AIM-041 reports too few GPUs.
        nodes = [node for node in asked.nodes(given.facts) if node.amounts.get(asked.resource, 0) >= asked.count]
        why = _why_none(asked.pod, nodes, given) if nodes else ""
        if why and not node_may_come(asked.resource, asked.count, given.facts, given.config):
            what, is_tainted = f"{asked.count} {asked.resource}", "taint" in why
            yield Violation(
                asked.path,
                f"no node with {what} takes the pods{', which tolerate no taint' if is_tainted else ''}: {why}",
                found=what,
                hint="AIM's pods can't be given tolerations: remove the taint, or add nodes without it" if is_tainted else "",
            )


def _why_none(pod: JSONObject, nodes: Sequence[Node], given: Given) -> str:
    """Why none of these nodes takes a pod; empty if some node does, or may do."""
    # The placement takes a while to import, and most templates request no GPU.
    from weighbridge.policies.placement.outcome import Reason
    from weighbridge.policies.placement.placement import place, some_node_takes

    facts, namespace = given.facts, given.request.namespace or "default"
    if some_node_takes(pod, facts, namespace):
        return ""
    expected = [*given.config.declared_nodes, *nodes_to_come(facts, pod)]
    there = Facts(facts.definitions, facts.objects, Inventory(nodes), former=facts.former)
    placement = place(pod, there, namespace=namespace, expected=expected)
    if placement.fits or placement.reason is not Reason.UNSCHEDULABLE or placement.on_expected or placement.prospects:
        return ""
    return _TOLERATION.sub("", next(iter(placement.nearest), placement.reasons))
