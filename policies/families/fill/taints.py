"""Which taints a pod that requests a device should tolerate. They are taints of the nodes that could run the pod if they had none:

- taints about GPUs that reserve nothing, on any of these nodes: they keep away pods that need no GPU;
- other taints that all of these nodes have: they mark the GPU nodes, and without a toleration no pod would ever run.

The author decides about a taint that only some of the nodes have (a team's reservation), and about those of a node's lifecycle and role.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, Node, Taint
from weighbridge.policies.facts.mentions import Mentions
from weighbridge.policies.facts.tolerations import Toleration, read_tolerations, untolerated
from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.ground.content import content_of
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.objects import JSONObject

#: Taints that come and go with the state of a node, and those of its role in the cluster.
_NOT_OURS: Final = expression(
    r"(node|node-role)(\.cloudprovider)?\.kubernetes\.io/|karpenter\.sh/|node\.cilium\.io/"
    r"|(ToBeDeletedBy|DeletionCandidateOf)ClusterAutoscaler"
)
_GPU_WORDS: Final = frozenset(
    {"gpu", "gpus", "accelerator", "accelerators", "nvidia", "amd", "intel", "rocm", "cuda", "xe", "i915", "dri-render"}
)
#: Words of a taint that reserves its node.
_KEPT_FOR: Final = expression(r"reserv|dedicat|exclusive|private|owner|team|tenant", re.IGNORECASE)
_GPU_DOMAINS: Final = ("nvidia.com/", "amd.com/", "gpu.intel.com/", "devic.es/", "squat.ai/")


def marks_gpus(taint: Taint, resource: str) -> bool:
    """Whether a taint keeps pods off because of the node's GPUs."""
    name = taint.key.rpartition("/")[2]
    if taint.value.lower() in _GPU_WORDS:
        return True
    if _KEPT_FOR.search(name) or _KEPT_FOR.search(taint.value):
        return False
    return taint.key == resource or taint.key.startswith(_GPU_DOMAINS) or name in _GPU_WORDS


def missing_taints(
    pod: JSONObject, resource: str, tolerations: Iterable[Toleration], facts: Facts, config: Configuration
) -> dict[Taint, list[str]]:
    """The taints that the pod should tolerate as well, each with the names of one or two nodes that have it.

    `pod` has the pod's other demands on a node; its own tolerations are ignored. The object store remembers the answer for all such pods.
    """
    from weighbridge.policies.placement.asked import READ_WITH_POOLS, asked_by_pod

    tolerated = tuple(tolerations)

    def work_out() -> dict[Taint, list[str]]:
        return _missing_taints(pod, resource, tolerated, facts, config)

    content = content_of([resource, asked_by_pod(pod), *([one.key, one.operator, one.value, one.effect] for one in tolerated)])
    if content is None:
        return work_out()
    # The configuration is kept in the remembered value, so that its id isn't given to another one.
    key = missing_taints, content, id(config)
    return facts.objects.once(READ_WITH_POOLS, key, lambda: (config, work_out()), by=(facts.inventory,))[1]


def _missing_taints(
    pod: JSONObject, resource: str, tolerated: tuple[Toleration, ...], facts: Facts, config: Configuration
) -> dict[Taint, list[str]]:
    held = [
        (node, [taint for taint in untolerated(tolerated, node.taints) if _is_ours(taint, config)])
        for node in _candidates(pod, resource, facts, config)
        if node.amounts.get(resource, 0) > 0
    ]
    if any(taints for _, taints in held):
        held = _runnable(held, pod, facts)
    if not any(taints for _, taints in held):
        return {}
    common = set.intersection(*(set(taints) for _, taints in held))
    wanted: dict[Taint, list[str]] = {}
    for node, taints in held:
        for taint in taints:
            if taint in common or marks_gpus(taint, resource):
                wanted[taint] = [*wanted.get(taint, ())[:1], node.name]
    return wanted


def _is_ours(taint: Taint, config: Configuration) -> bool:
    return not _NOT_OURS.match(taint.key) and config.fills_in_toleration(taint.key)


def configured_tolerations(resource: str, held: Collection[Toleration], config: Configuration) -> list[Filling]:
    """The tolerations that the configuration gives to pods that request the resource, except for taints that the pod tolerates already."""
    found = []
    for wanted in config.tolerations_for(resource):
        read = Toleration.from_json(wanted)
        taint = Taint(read.key, read.value, read.effect)
        if read not in held and not (read.key and read.effect and any(toleration.tolerates(taint) for toleration in held)):
            found.append(Filling(wanted, "configuration", f"tolerations, {resource}"))
    return found


def needed_tolerations(pod: JSONObject, resource: str, held: Sequence[Toleration], facts: Facts, config: Configuration) -> list[Filling]:
    """The tolerations to add to those that a pod has: the configured ones for the resource, then those for the taints of its nodes."""
    found = configured_tolerations(resource, held, config)
    held = [*held, *read_tolerations([filling.value for filling in found])]
    return found + tolerations_of(missing_taints(pod, resource, held, facts, config), resource)


def toleration_of(taint: Taint) -> JSONObject:
    """The toleration of exactly this taint."""
    if taint.value:
        return {"key": taint.key, "operator": "Equal", "value": taint.value, "effect": taint.effect}
    return {"key": taint.key, "operator": "Exists", "effect": taint.effect}


def tolerations_of(missing: Mapping[Taint, list[str]], resource: str, further: str = "") -> list[Filling]:
    """The tolerations for taints, which are given with the names of nodes that have them; `further` is added to the reason."""
    return [
        Filling(toleration_of(taint), "cluster", f"{carriers(names)} with {resource} has the taint {taint}{further}")
        for taint, names in missing.items()
    ]


def carriers(names: list[str]) -> str:
    """The nodes that have a taint, in words: the first, and whether there are others. A node that a pool may bring has the pool's name."""
    first = names[0] if " " in names[0] else f"node {names[0]}"
    return first + (" (and others)" if len(names) > 1 else "")


def _runnable(held: list[tuple[Node, list[Taint]]], pod: JSONObject, facts: Facts) -> list[tuple[Node, list[Taint]]]:
    """The nodes that could run the pod without their taints."""
    from weighbridge.policies.placement.filters import Filter, PodFilters
    from weighbridge.policies.pods.admission import admit
    from weighbridge.policies.pods.refusal import Refused

    try:
        filters = PodFilters(admit(pod, facts.objects, "default"), facts.objects)
    except Refused:
        return []
    checks = (filters.checks[Filter.NODE_AFFINITY], filters.checks[Filter.NODE_RESOURCES_FIT])
    return [(node, taints) for node, taints in held if not any(check(node) for check in checks)]


def _candidates(pod: JSONObject, resource: str, facts: Facts, config: Configuration) -> Iterator[Node]:
    if facts.inventory is not None:
        own = facts.inventory.own.labels
        named = next((label for label in Mentions.of(pod).values if label in own), "")
        yield from facts.inventory.examples(label=named, resource=resource)
    yield from config.declared_nodes
    from weighbridge.policies.facts.expected import nodes_of_pools

    yield from nodes_of_pools(facts.objects, pod)
