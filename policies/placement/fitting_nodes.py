"""Checks the nodes that a pod fits for problems that the scheduler doesn't check."""

from __future__ import annotations

from weighbridge.policies.facts import Facts, Inventory, Node
from weighbridge.policies.ground.cautions import Caution
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import JSONObject, namespace_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.placement.outcome import Placement
from weighbridge.policies.placement.shapes import Verdicts
from weighbridge.policies.placement.shared_devices import asks_for_shares, shares_asked_for
from weighbridge.policies.placement.volumes.claimed import doubts_about_claims, has_doubtful_claims
from weighbridge.policies.placement.volumes.local_disk import has_large_volumes, volumes_beyond_disk


def cautions(pod: JSONObject, placement: Placement, known: Facts, stored: Facts, namespace: str, called: str = "") -> list[Caution]:
    """The cautions about a pod that fits; `called` is its name among others of its workload.

    `known` has new claims as the scheduler will find them, `stored` only the objects that exist already.
    """
    inventory = known.inventory
    if inventory is None or not placement.fits:
        return []
    spec, nodes = part(pod, "spec"), _fitting(placement, inventory)
    found = [*shares_asked_for(spec, nodes, inventory)]
    found += volumes_beyond_disk(spec, nodes)
    found += doubts_about_claims(spec, namespace_of(pod) or namespace, known.objects, stored.objects, nodes, inventory)
    return [replace(caution, message=f"{called} pods: {caution.message}") for caution in found] if called else found


def needs_caution(pod: JSONObject, known: Facts, stored: Facts, namespace: str) -> bool:
    """Whether there may be cautions about a pod that fits a node; cheaper than a whole placement."""
    spec, inventory = part(pod, "spec"), known.inventory
    if (inventory is not None and asks_for_shares(spec, inventory)) or has_large_volumes(spec):
        return True
    return has_doubtful_claims(spec, namespace_of(pod) or namespace, known.objects, stored.objects)


def _fitting(placement: Placement, inventory: Inventory) -> list[Node]:
    """The nodes that the pod fits, one of each group that it doesn't distinguish."""
    if isinstance(placement.nodes, Verdicts):
        return [group.node for group in placement.nodes.groups.values() if not group.reasons]
    return [node for node in map(inventory.node, placement.nodes.fitting) if node is not None]
