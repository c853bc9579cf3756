"""The text of the condition PodScheduled: how many nodes failed and why, and the result of preemption.

Source: Kubernetes v1.36, pkg/scheduler/framework (`FitError`) and the plugins DynamicResources and DefaultPreemption, whose PostFilters add
to the counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.placement.volumes.limits import may_be_preempted
from weighbridge.policies.placement.wordings import TOO_MANY_PODS

NO_NODES = "no nodes available to schedule pods"
GATED = "Scheduling is blocked due to non-empty scheduling gates"
#: The texts of DynamicResources for a pod without claims, for one with claims, and for an allocation that it removed.
NO_CLAIMS, STILL_UNSCHEDULABLE = "no new claims to deallocate", "still not schedulable"
DEALLOCATED = "deallocation of ResourceClaim completed"
_AFTERWARDS: Final = expression(rf"\. (?:(?:(?:{NO_CLAIMS}|{STILL_UNSCHEDULABLE}|{DEALLOCATED}), )?preemption: .*|not found)$", re.DOTALL)
UNHELPFUL, NO_VICTIMS = "Preemption is not helpful for scheduling", "No preemption victims found for incoming pod"


def failure(counts: Mapping[tuple[str, ...], int], devices: str = NO_CLAIMS, *, preempts: bool) -> str:
    """The message after all nodes were checked: `counts` has the number of nodes for each reason, `devices` is DynamicResources' text."""
    reasons: Counter[str] = Counter()
    preemption: Counter[str] = Counter()
    for given, nodes in counts.items():
        for reason in given:
            reasons[reason] += nodes
        # On an empty node removing pods could only help with the number of pods and of volumes.
        preemption[NO_VICTIMS if given == (TOO_MANY_PODS,) or may_be_preempted(given) else UNHELPFUL] += nodes
    return refused_everywhere(sum(counts.values()), reasons, preemption, devices, preempts=preempts)


def refused_everywhere(total: int, reasons: Counter[str], preemption: Counter[str], devices: str = NO_CLAIMS, *, preempts: bool) -> str:
    """The message if no node takes the pod: the counted reasons, and those for which preemption doesn't help."""
    return f"{_head(total)}{_listed(reasons)}. {_afterwards(preemption, total, devices, preempts=preempts)}"


def room_by_preemption(total: int, reasons: Counter[str], node: str, victims: int) -> str:
    """The message if the pod waits for the end of pods that it preempts; without its last part if the node or the victims aren't known."""
    found = f" preemption: found a potential placement for pod on node {node}, preempting {victims} victims"
    return f"{_head(total)}{_listed(reasons)}.{found if victims and release().names_preemption else ''}"


def refusal_before_nodes(text: str, total: int, *, preempts: bool, by_devices: bool = False) -> str:
    """The message if no node was checked: `text` is the reason for all of them.

    Unless DynamicResources itself refused, its PostFilter ends with `not found`.
    """
    if not by_devices:
        return f"{_head(total)}{text}. not found"
    return f"{_head(total)}{text}. {_afterwards(Counter({UNHELPFUL: total}), total, NO_CLAIMS, preempts=preempts)}"


def without_afterwards(message: str) -> str:
    """The message without what the scheduler tried when no node was left, such as preemption."""
    return _AFTERWARDS.sub("", message)


def _head(total: int) -> str:
    return f"0/{total} nodes are available: "


def _afterwards(preemption: Counter[str], total: int, devices: str, *, preempts: bool) -> str:
    said = f"{devices}, " if devices == DEALLOCATED or not release().keeps_silent_about_claims else ""
    if not preempts:
        return f"{said}preemption: not eligible due to preemptionPolicy=Never."
    return f"{said}preemption: {_head(total)}{_listed(preemption)}."


def _listed(counts: Counter[str]) -> str:
    """Counted reasons, sorted as texts, so that "10" comes before "2"."""
    return ", ".join(sorted(f"{count} {reason}" for reason, count in counts.items()))
