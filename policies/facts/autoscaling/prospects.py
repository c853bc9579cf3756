"""Autoscalers that may add nodes of unknown shape: groups of cluster-autoscaler and pools of a provider that have no node now.

A group with nodes adds equal ones, so it doesn't help a pod that fits none of them. A group without nodes may add any node that the labels
don't contradict. They contradict a named machine, or a product that none of the nodes with the label has. If the status lists
cluster-autoscaler's groups, other pools of a provider aren't scaled, unless the provider makes them by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from weighbridge.policies.facts.accelerators.recognition import names_product
from weighbridge.policies.facts.autoscaling.autoscalers import has_autoscaler, surely_has_none
from weighbridge.policies.facts.autoscaling.cluster_autoscaler import ClusterAutoscaler, cluster_autoscaler
from weighbridge.policies.facts.autoscaling.karpenter import NODE_POOL
from weighbridge.policies.facts.autoscaling.pool_labels import MAKES_POOLS, chooses_pool, providers_of
from weighbridge.policies.facts.autoscaling.status import NodeGroup
from weighbridge.policies.facts.inventory import Inventory
from weighbridge.policies.facts.node import HOSTNAME
from weighbridge.policies.facts.selectors import Requirement

if TYPE_CHECKING:
    from weighbridge.policies.facts.snapshot import Facts

_MOST_NAMED: Final = 3
_OF_KARPENTER: Final = "karpenter.sh/"
_NAME: Final = "metadata.name"


def prospects(facts: Facts, unmet: Sequence[Requirement] = ()) -> list[str]:
    """What may add a node, as texts; empty if nothing may. `unmet` are a pod's requirements on labels that no node meets."""
    inventory, store = facts.inventory, facts.objects
    if inventory is None or any(_is_contradicted(wanted, inventory) for wanted in unmet):
        return []
    if store.knows_all(*NODE_POOL) and any(wanted.key.startswith(_OF_KARPENTER) for wanted in unmet):
        # Karpenter's pools say themselves which nodes they add.
        return []
    scaler = cluster_autoscaler(store)
    chosen = [wanted for wanted in unmet if chooses_pool(wanted.key)]
    if chosen:
        named = _named(scaler, chosen)
        if named:
            return _described([group for group in named if group.has_room] or named)
        is_possible = has_autoscaler(store) or bool(providers_of(inventory)) or not surely_has_none(store)
        return [f"a pool with {_text(chosen[0])}"] if is_possible else []
    groups = [group for group in scaler.groups if group.is_empty and group.has_room] if scaler is not None else []
    if groups:
        return _described(groups)
    if scaler is not None and not scaler.is_listed:
        return ["a node group that cluster-autoscaler finds by itself"]
    return [] if unmet else _of_providers(inventory, scaler)


def groups_in_backoff(facts: Facts) -> list[str]:
    """The groups without nodes that would be scaled up but can't be at the moment, with the reason of each."""
    scaler = cluster_autoscaler(facts.objects)
    groups = (group for group in scaler.groups if group.is_empty and group.backoff) if scaler is not None else ()
    return [f"node group {group.short_name} is in backoff ({group.backoff})" for group in groups]


def _named(scaler: ClusterAutoscaler | None, chosen: Iterable[Requirement]) -> list[NodeGroup]:
    """The groups with a chosen value in their names: the names of managed groups contain that of their pool."""
    values = [value for wanted in chosen if wanted.operator == "In" and _names_pool(wanted.key) for value in wanted.values if value]
    groups = scaler.groups if scaler is not None else ()
    # A group that may have no nodes adds none.
    return [group for group in groups if group.most and any(value in group.name for value in values)]


def _names_pool(label: str) -> bool:
    return label.endswith(("nodegroup", "nodegroup-name", "nodepool", "node-pool", "agentpool", "pool-name", "pool.name", "/pool"))


def _described(groups: Sequence[NodeGroup]) -> list[str]:
    told = []
    for group in groups[:_MOST_NAMED]:
        backoff = f" (in backoff now: {group.backoff})" if group.backoff else ""
        told.append(f"node group {group.short_name}{backoff}")
    more = len(groups) - _MOST_NAMED
    return [*told, f"{more} more node groups"] if more > 0 else told


def _of_providers(inventory: Inventory, scaler: ClusterAutoscaler | None) -> list[str]:
    """The providers that may have a pool without a node now, as texts."""
    providers = [name for name in providers_of(inventory) if scaler is None or name == MAKES_POOLS]
    return [f"a pool of {name} that has no node now" for name in providers]


def _is_contradicted(wanted: Requirement, inventory: Inventory) -> bool:
    """Whether a new node can't be expected to meet a requirement that no present node meets."""
    if wanted.operator != "In":
        return False
    if wanted.key in (HOSTNAME, _NAME):
        return True
    return names_product(wanted.key) and any(wanted.key in node.labels for node in inventory.examples(label=wanted.key))


def _text(wanted: Requirement) -> str:
    return f"{wanted.key}={' or '.join(wanted.values)}" if wanted.operator == "In" else wanted.key
