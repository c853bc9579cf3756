"""Finds whether kube-scheduler would find a node for a pod in an empty cluster; if not, its reasons, node by node.

The steps are those of a cluster: the API server fills in the pod or refuses it, plugins that check only the pod may refuse it, then every
node is filtered. The first filter that refuses a node gives the reason. Nodes of one shape are filtered once. Source: Kubernetes v1.36,
pkg/scheduler with its default profile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from weighbridge.policies.devices import SchedulingAbortedError
from weighbridge.policies.facts import Facts, Inventory, Node
from weighbridge.policies.facts.autoscaling.limits import within_limits
from weighbridge.policies.facts.autoscaling.prospects import prospects
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, namespace_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.spelling import is_within
from weighbridge.policies.placement import message
from weighbridge.policies.placement.dynamic_resources import PodDevices, pod_devices
from weighbridge.policies.placement.extenders import without_extended
from weighbridge.policies.placement.filters import Filter, PodFilters
from weighbridge.policies.placement.nearest import nearest_misses
from weighbridge.policies.placement.outcome import Listed, NoNodeChecked, Placement, Reason
from weighbridge.policies.placement.pools import that_would_do, that_would_not
from weighbridge.policies.placement.shapes import judge
from weighbridge.policies.placement.wish import unmet_alternatives, wished_node
from weighbridge.policies.placement.wordings import lacking
from weighbridge.policies.pods.admission import AdmittedPod, admit
from weighbridge.policies.pods.refusal import Missing, Refused
from weighbridge.policies.pods.security.standard import UNENFORCED, Standard

if TYPE_CHECKING:
    from weighbridge.policies.placement.now.today import Asked

_SCHEDULER = "default-scheduler"
#: Schedulers by their usual names: Kubernetes, Volcano, KAI, HAMi, Run:ai, YuniKorn, Koordinator, llmaz.
_SCHEDULERS = (
    *(_SCHEDULER, "volcano", "kai-scheduler", "hami-scheduler", "runai-scheduler", "yunikorn", "koord-scheduler", "llmaz-scheduler"),
)
_NO_INVENTORY = "nothing is known of the cluster's nodes"


def place(
    pod: JSONObject,
    facts: Facts,
    *,
    namespace: str = "default",
    expected: Iterable[Node] = (),
    replicas: int = 1,
    enforced: Standard = UNENFORCED,
) -> Placement:
    """Where a v1 Pod could run, as a user writes it.

    `namespace` is used if the pod names none. `expected` are nodes that may be added (pools that scale from zero). They don't count as
    nodes of the cluster, but `Placement.on_expected` says which of them would fit, and what their limits leave for so many replicas.
    `enforced` is the standard of Pod Security in the namespace.
    """
    try:
        admitted = admit(pod, facts.objects, namespace_of(pod) or namespace, enforced=enforced)
        return _before_scheduling(admitted, facts.inventory) or _schedule(admitted, facts, within_limits(expected, facts.objects), replicas)
    except Refused as refusal:
        is_missing = isinstance(refusal, Missing)
        return Placement(message=str(refusal), reason=Reason.REJECTED, names_missing=is_missing, refusal=refusal.answer)
    except SchedulingAbortedError as error:
        return Placement(message=str(error), reason=Reason.SCHEDULER_ERROR)


def asked(pod: JSONObject, facts: Facts, namespace: str) -> Asked | None:
    """A pod with its filters and the verdict on each empty node; `None` if the default scheduler doesn't check nodes."""
    from weighbridge.policies.placement.now.today import Asked

    inventory = facts.inventory
    if inventory is None:
        return None
    try:
        admitted, _ = without_extended(admit(pod, facts.objects, namespace_of(pod) or namespace), facts)
        if _before_scheduling(admitted, inventory) is not None:
            return None
        devices = pod_devices(admitted, facts.objects)
        if devices.silent or devices.refusal:
            return None
        filters = PodFilters(admitted, facts.objects, devices.by_devices)
        if filters.refusal:
            return None
        verdicts = judge(filters, inventory, devices if devices.is_wanted else None)
    except (Refused, SchedulingAbortedError):
        return None
    return Asked(filters, devices, inventory, verdicts)


def some_node_takes(
    pod: JSONObject, facts: Facts, namespace: str, *, is_valid: bool = False, is_known: bool = False, enforced: Standard = UNENFORCED
) -> bool:
    """Whether a node certainly takes the pod, judged by one node of each shape. If not, one may.

    `is_valid` says that the API server is known to accept the pod as it is. With `is_known` the answer is true only if nothing is
    unchecked.
    """
    if facts.inventory is None or text(part(pod, "spec"), "nodeName") or items(pod, "spec", "resourceClaims"):
        return False
    try:
        admitted = admit(pod, facts.objects, namespace_of(pod) or namespace, is_valid=is_valid, enforced=enforced)
        if _before_scheduling(admitted, facts.inventory) is not None:
            return False
        devices = pod_devices(admitted, facts.objects)
        if devices.is_wanted or devices.silent or devices.refusal:
            return False
        filters = PodFilters(admitted, facts.objects, devices.by_devices)
    except (Refused, SchedulingAbortedError):
        return False
    inventory = facts.inventory
    if filters.refusal or filters.names is not None or (is_known and (filters.unchecked or devices.unchecked)):
        return False
    # Few shapes have what the pod requests. The order of filters matters only if reasons are given.
    has_too_little = filters.checks[Filter.NODE_RESOURCES_FIT]
    roomy = (node for node in map(inventory.example, inventory.shapes) if not has_too_little(node))
    return any(not (filters.check(node) or filters.feature_check(node)) for node in roomy)


def _before_scheduling(pod: AdmittedPod, inventory: Inventory | None) -> Placement | None:
    """The placement of a pod that the default scheduler never tries to place."""
    name, scheduler = text(pod.spec, "nodeName"), text(pod.spec, "schedulerName") or _SCHEDULER
    if name:
        if inventory is None:
            return Placement(unchecked=[_NO_INVENTORY])
        if inventory.node(name) is not None:
            return Placement(Listed([name]))
        return Placement(reason=Reason.SILENT, nearest=[f"spec.nodeName bypasses the scheduler, but node {name} doesn't exist"])
    if items(pod.spec, "schedulingGates"):
        gates = ", ".join(text(gate, "name") for gate in items(pod.spec, "schedulingGates"))
        return Placement(
            message=message.GATED,
            reason=Reason.SCHEDULING_GATED,
            nearest=[f"the pod waits until its scheduling gates are removed: {gates}"],
        )
    if scheduler != _SCHEDULER:
        meant = next((name for name in _SCHEDULERS if is_within(scheduler, name, 1)), scheduler)
        if meant != scheduler:
            nearest = [f"schedulerName {scheduler}: the default scheduler ignores the pod; did you mean {meant}?"]
            return Placement(reason=Reason.SILENT, nearest=nearest)
        return Placement(unchecked=[f"scheduler {scheduler} decides about the pods"])
    return None


def _schedule(pod: AdmittedPod, facts: Facts, expected: Sequence[Node], replicas: int) -> Placement:
    devices = pod_devices(pod, facts.objects)
    if devices.silent:
        nearest = [f"the scheduler waits without a message: {devices.silent}"]
        return Placement(reason=Reason.SILENT, nearest=nearest, names_missing=True)
    pod, extended = without_extended(pod, facts)
    filters = PodFilters(pod, facts.objects, devices.by_devices)
    filters.unchecked += devices.unchecked
    filters.unchecked += extended
    is_refused = bool(filters.refusal or devices.refusal)
    later = [] if is_refused else that_would_do(filters, devices, expected, facts.objects, replicas)
    if facts.inventory is None:
        return Placement(unchecked=[_NO_INVENTORY, *filters.unchecked], on_expected=later)
    if not len(facts.inventory):
        nowhere = Placement(message=message.NO_NODES, reason=Reason.UNSCHEDULABLE, unchecked=filters.unchecked, on_expected=later)
        return nowhere if is_refused else _with_prospects(nowhere, filters, devices, facts, [])
    if is_refused:
        return _refused_before_nodes(filters, devices, facts.inventory)
    verdicts = judge(filters, facts.inventory, devices if devices.is_wanted else None)
    if verdicts.fits:
        fitting = (group.node for group in verdicts.groups.values() if not group.reasons)
        error = devices.binding_error(fitting) if devices.is_wanted else ""
        return Placement(verdicts, nearest=[error] if error else [], unchecked=filters.unchecked, on_expected=later)
    counts: Counter[tuple[str, ...]] = Counter()
    for group in verdicts.groups.values():
        counts[group.reasons] += group.size
    word = devices.last_word((group.node, group.reasons) for group in verdicts.groups.values())
    failed = Placement(
        verdicts,
        message=message.failure(counts, word, preempts=pod.preempts),
        reason=Reason.UNSCHEDULABLE,
        nearest=nearest_misses(filters, list(verdicts.groups.values()), facts.inventory)
        + ([] if later else that_would_not(filters, expected, facts.objects)),
        unchecked=filters.unchecked + _unknown_classes(filters, facts, counts),
        on_expected=later,
    )
    return _with_prospects(failed, filters, devices, facts, [group.node for group in verdicts.groups.values()])


def _with_prospects(failed: Placement, filters: PodFilters, devices: PodDevices, facts: Facts, nodes: Iterable[Node]) -> Placement:
    """The placement of a pod that fits no node, with what may still add one that it fits."""
    inventory = facts.inventory
    if inventory is None:
        return failed
    hardware = (filters.checks[Filter.NODE_AFFINITY], filters.checks[Filter.NODE_RESOURCES_FIT])
    found: list[str] = []
    # If a node has all that is requested, something else keeps the pod off it, and would keep it off a new node too.
    if not failed.on_expected and all(any(check(node) for check in hardware) for node in nodes):
        found = next(filter(None, (prospects(facts, unmet) for unmet in unmet_alternatives(filters.affinity, inventory))), [])
    wish = wished_node(filters, devices, inventory)
    # A node of a pool doesn't help if the pool's limits don't allow it.
    may_come = wish is not None and any(not filters.check(node) for node in within_limits([wish.as_node()], facts.objects))
    return replace(failed, wish=wish if may_come else None, prospects=found)


def _refused_before_nodes(filters: PodFilters, devices: PodDevices, inventory: Inventory) -> Placement:
    """The refusal of a plugin that runs before nodes are checked, so its text is the reason for every node. DynamicResources comes last."""
    said, by_devices = filters.refusal or devices.refusal, not filters.refusal
    return Placement(
        NoNodeChecked(inventory.by_name, said),
        message=message.refusal_before_nodes(said, len(inventory), preempts=filters.pod.preempts, by_devices=by_devices),
        reason=Reason.UNSCHEDULABLE,
        nearest=filters.volume_hints,
        unchecked=filters.unchecked,
        absent=filters.absent_claims if filters.refusal else (),
        names_missing=bool(filters.absent_claims if filters.refusal else devices.refusal),
        unready=filters.unready_claims if filters.refusal else (),
    )


def _unknown_classes(filters: PodFilters, facts: Facts, counts: Iterable[tuple[str, ...]]) -> list[str]:
    """The missing resources that an unknown DeviceClass may provide, if not all classes are known."""
    if facts.objects.knows_all("resource.k8s.io", "DeviceClass") or facts.inventory is None:
        return []
    scarce = {lacking(reason) for reasons in counts for reason in reasons}
    offered = facts.inventory.offers.keys() | facts.inventory.held_back.keys()
    asked = [name for name in filters.pod.requests if name in scarce and name not in offered and "/" in name]
    return [f"{name}: whether a DeviceClass provides it isn't known" for name in asked if name not in filters.by_devices]
