"""The filter NodeResourcesFit on an empty node: compares the pod's requests with the node's allocatable resources.

It is the only filter that gives all its reasons at once. An extended resource of a DeviceClass is left to DynamicResources on nodes that
have none of it allocatable. Source: Kubernetes v1.36, pkg/scheduler/framework/plugins/noderesources.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from weighbridge.policies.facts import Node
from weighbridge.policies.placement.wordings import TOO_MANY_PODS, insufficient


def resource_check(requests: Mapping[str, int], by_devices: AbstractSet[str], node: Node) -> tuple[str, ...]:
    """The filter's reasons; `by_devices` are the requested resources that devices can serve."""
    amounts = node.amounts
    reasons: tuple[str, ...] = () if amounts.get("pods", 0) > 0 else (TOO_MANY_PODS,)
    for name, wanted in requests.items():
        has = amounts.get(name, 0)
        if wanted > has and not (has <= 0 and name in by_devices):
            reasons = (*reasons, insufficient(name))
    return reasons
