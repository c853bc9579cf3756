"""The nodes that a pod fits, looked at once more for what the scheduler doesn't look at."""

from __future__ import annotations

from weighbridge.policies.facts import Facts, Inventory, Node
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import replace
from weighbridge.policies.placement.cautions import Caution
from weighbridge.policies.placement.outcome import Placement
from weighbridge.policies.placement.shapes import Verdicts
from weighbridge.policies.placement.shared_devices import shares_asked_for


def cautions(pod: JSONObject, placement: Placement, facts: Facts, called: str = "") -> list[Caution]:
    """What to say of a pod that fits; `called` names it among others of its workload."""
    inventory = facts.inventory
    if inventory is None or not placement.fits:
        return []
    found = [*shares_asked_for(part(pod, "spec"), _fitting(placement, inventory), inventory)]
    return [replace(caution, message=f"{called} pods: {caution.message}") for caution in found] if called else found


def _fitting(placement: Placement, inventory: Inventory) -> list[Node]:
    """The nodes that the pod fits, of those that it can't tell apart one."""
    if isinstance(placement.nodes, Verdicts):
        return [group.node for group in placement.nodes.groups.values() if not group.reasons]
    return [node for node in map(inventory.node, placement.nodes.fitting) if node is not None]
