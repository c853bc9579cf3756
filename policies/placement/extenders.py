"""Resources that a scheduler's extender manages and no node lists: HAMi's shares of memory and cores.

The scheduler ignores them, and all its other filters count. Without a sign of HAMi nothing provides them, and the pod stays Pending:
Project-HAMi/HAMi issue 1429 shows the default scheduler's message.
"""

from __future__ import annotations

from collections.abc import Iterable

from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.hami import has_hami, managed
from weighbridge.policies.ground.records import replace
from weighbridge.policies.pods.admission import AdmittedPod


def without_extended(pod: AdmittedPod, facts: Facts) -> tuple[AdmittedPod, list[str]]:
    """The pod without the resources that an extender manages, and what isn't checked because of that."""
    names = left_to_extender(pod.requests, facts)
    if not names:
        return pod, []
    requests = {name: count for name, count in pod.requests.items() if name not in names}
    return replace(pod, requests=requests), [f"HAMi's scheduler decides about {name}" for name in names]


def left_to_extender(resources: Iterable[str], facts: Facts) -> list[str]:
    """The resources among these that an extender of the cluster manages; no node lists them."""
    asked, inventory = managed(resources), facts.inventory
    names = [name for name in asked if inventory is None or not inventory.surely_has(name, 1)]
    return names if names and has_hami(inventory, facts.objects) else []
