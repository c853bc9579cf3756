"""Whether Volcano ever schedules the pods of a workload: by their PodGroup, its Queue, and what the Queue allows.

Only problems that exist with all of Volcano's usual plugins are reported: gang, and capacity or proportion. Shares, `deserved` and the use
of other workloads aren't considered. For a pod without a PodGroup Volcano's controller creates one for its owner. A LeaderWorkerSet and a
RayCluster count as whole groups, since they serve only if all pods run. Source: Volcano v1.15, pkg/scheduler/cache/cache.go (Snapshot),
pkg/scheduler/plugins/{capacity,proportion,gang} (jobEnqueueable, buildQueueAttrs, validJobFn),
pkg/controllers/podgroup/pg_controller_handler.go (buildPodGroupFromPod), pkg/webhooks/admission/podgroups/validate (checkQueueState);
LeaderWorkerSet v0.10, pkg/schedulerprovider/volcano_provider.go; KubeRay v1.7, ray-operator/controllers/ray/batchscheduler/volcano.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cmp_to_key
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.store import names_of
from weighbridge.policies.ground.fields import amounts, items, part, text, text_map, whole
from weighbridge.policies.ground.objects import JSONObject, JSONValue, name_of
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.spelling import close_matches
from weighbridge.policies.placement.queues.trouble import QueueTrouble
from weighbridge.policies.pods.admission import admit
from weighbridge.policies.pods.groups import groups_of
from weighbridge.policies.pods.refusal import Refused
from weighbridge.policies.pods.requests import Amounts, effective
from weighbridge.policies.pods.workloads import numbers_of, pods_of, replicas_of

GROUP: Final = "scheduling.volcano.sh"
QUEUE, POD_GROUP = "Queue", "PodGroup"
#: The usual name of Volcano's scheduler.
SCHEDULER: Final = "volcano"
_OPEN: Final = "Open"
_ROOT: Final = "root"
_DEFAULT: Final = "default"
_MEMBERSHIP: Final = "scheduling.k8s.io/group-name"
_IN_QUEUE: Final = f"{GROUP}/queue-name"
_LEAST: Final = f"{GROUP}/group-min-member"
#: The label by which KubeRay finds the queue of a cluster.
_RAY_QUEUE: Final = "volcano.sh/queue-name"
_GROUPS: Final = frozenset({"LeaderWorkerSet", "RayCluster"})
_MOST_LEAST: Final = 2**31
_ZERO: Final = Quantity.from_int(0)


@dataclass(frozen=True, slots=True)
class _Gang:
    """Pods of which `least` must start together, and the requests of these; `has` is how many there can be, `None` if that isn't known."""

    label: str
    queue: str
    least: int
    asked: Amounts
    has: int | None

    @property
    def who(self) -> str:
        """The beginning of a sentence: which pods request resources, before the amounts."""
        return f"the {self.least} pods that start together request" if self.least > 1 else "a pod requests"


@dataclass(frozen=True, slots=True)
class _Pods:
    """The pods of a workload that Volcano schedules, as the API server stores them, by their roles."""

    workload: JSONObject
    by_role: Mapping[str, JSONObject]
    namespace: str

    @property
    def first(self) -> JSONObject:
        return next(iter(self.by_role.values()))

    def annotation(self, key: str) -> str:
        """An annotation of the pods."""
        return text_map(self.first, "metadata", "annotations").get(key, "")


def volcano_troubles(
    workload: JSONObject, made: Sequence[JSONObject], facts: Facts, namespace: str, may_grow: Callable[[JSONObject], bool]
) -> list[QueueTrouble]:
    """What keeps Volcano from ever scheduling the pods of one of the workloads `made`; empty for those of other schedulers.

    `may_grow` says whether nodes may be added for a pod. Pods that the API server refuses are reported elsewhere.
    """
    own = {role: pod for role, pod in pods_of(workload).items() if text(part(pod, "spec"), "schedulerName") == SCHEDULER}
    try:
        stored = {role: {**pod, "spec": admit(pod, facts.objects, namespace).spec} for role, pod in own.items()}
    except Refused:
        return []
    return list(_troubles(_Pods(workload, stored, namespace), made, facts, may_grow)) if stored else []


def _troubles(pods: _Pods, made: Sequence[JSONObject], facts: Facts, may_grow: Callable[[JSONObject], bool]) -> Iterator[QueueTrouble]:
    name = pods.annotation(_MEMBERSHIP)
    if name:
        found = facts.objects.get(GROUP, POD_GROUP, pods.namespace, name)
        if not isinstance(found, dict):
            yield from _without_group(name, pods.namespace, facts)
            return
        gang = _given(found, pods)
    else:
        gang = _own(pods, made)
    queue = facts.objects.get(GROUP, QUEUE, "", gang.queue)
    if not isinstance(queue, dict):
        yield from _without_queue(gang, facts)
        return
    state = text(part(queue, "status"), "state") or _OPEN
    if state != _OPEN:
        said = f"can only submit PodGroup to queue with state `{_OPEN}`, queue `{gang.queue}` status is `{state}`"
        yield QueueTrouble(said, f"open Queue {gang.queue}, or name another one")
        return
    if gang.has is not None and gang.has < gang.least:
        said = f"Not enough valid tasks for gang-scheduling, valid: {gang.has}, min: {gang.least}"
        yield QueueTrouble(said, f"{gang.label} requires {gang.least} pods at once, but the workload has {gang.has}")
    yield from _of_queue(queue, gang, facts, is_fixed=not any(map(may_grow, pods.by_role.values())))


def _without_group(name: str, namespace: str, facts: Facts) -> Iterator[QueueTrouble]:
    if facts.objects.knows_all(GROUP, POD_GROUP):
        near = close_matches(name, names_of(facts.objects, GROUP, POD_GROUP, namespace), n=1)
        hint = f"did you mean {near[0]}?" if near else f"create it in namespace {namespace}, or remove the annotation {_MEMBERSHIP}"
        yield QueueTrouble(f"Volcano's PodGroup {name} doesn't exist", hint)


def _without_queue(gang: _Gang, facts: Facts) -> Iterator[QueueTrouble]:
    """The problem of a missing Queue; if none is named, it is the scheduler's default."""
    if not facts.objects.knows_all(GROUP, QUEUE) or gang.queue == _DEFAULT:
        return
    near = close_matches(gang.queue, names_of(facts.objects, GROUP, QUEUE), n=1)
    hint = f"did you mean {near[0]}?" if near else f"create it; {gang.label} names it"
    yield QueueTrouble(f'unable to find queue: queue.{GROUP} "{gang.queue}" not found', hint)


def _given(group: JSONObject, pods: _Pods) -> _Gang:
    """The gang of a PodGroup that the pods name; other workloads may have pods in it."""
    spec = part(group, "spec")
    least, counted = whole(spec, "minMember"), _counted(pods)
    # Other workloads may have pods in it; at least so many must be of this one.
    asked = _least_of(counted, min(least, sum(count for _, count in counted)) if len(counted) == 1 else 0)
    for resource, amount in amounts(spec, "minResources").items():
        asked[resource] = _greater(amount, asked.get(resource, _ZERO))
    return _Gang(f"PodGroup {name_of(group)}", text(spec, "queue") or _DEFAULT, least, asked, None)


def _own(pods: _Pods, made: Sequence[JSONObject]) -> _Gang:
    """The gang of the PodGroup that is created for the pods."""
    workload, owner, counted = pods.workload, _annotations_of_owner(pods.workload), _counted(pods)
    queue = pods.annotation(_IN_QUEUE)
    if workload.get("kind") in _GROUPS:
        size = sum(count for _, count in counted)
        labelled = text_map(workload, "metadata", "labels").get(_RAY_QUEUE, "") if workload.get("kind") == "RayCluster" else ""
        return _Gang("the group", labelled or queue or owner.get(_IN_QUEUE, "") or _DEFAULT, size, _least_of(counted, size), None)
    least = _number(owner.get(_LEAST, ""))
    scaled = next((groups.most for groups in groups_of(made) if groups.workload is workload), 0)
    has = max(scaled, counted[0][1]) if workload.get("kind") != "DaemonSet" else 0
    # Without the annotation each pod starts by itself.
    is_known = least > 1 and has > 0
    return _Gang(f"annotation {_LEAST}", queue or _DEFAULT, least, _least_of([(pods.first, least)], least), has if is_known else None)


def _annotations_of_owner(workload: JSONObject) -> dict[str, str]:
    """The annotations of the pods' owner."""
    if workload.get("kind") == "Pod":
        return {}
    holder = part(workload, "spec", "jobTemplate") if workload.get("kind") == "CronJob" else workload
    return text_map(holder, "metadata", "annotations")


def _number(written: str) -> int:
    """The number of an annotation; 1 for one that can't be read."""
    number = int(written) if written.isascii() and written.isdecimal() and len(written) < 11 else 1
    return number if number < _MOST_LEAST else 1


def _counted(pods: _Pods) -> list[tuple[JSONObject, int]]:
    """The pods of a group, or all of a workload, with how many there are."""
    workload = pods.workload
    if workload.get("kind") in _GROUPS:
        numbers = numbers_of(workload)
        return [(pod, numbers.get(role, 1)) for role, pod in pods.by_role.items()]
    holder = {"kind": "Job", **part(workload, "spec", "jobTemplate")} if workload.get("kind") == "CronJob" else workload
    count = 1 if workload.get("kind") == "Pod" else replicas_of(holder)
    return [(pod, count) for pod in pods.by_role.values()]


def _least_of(counted: Sequence[tuple[JSONObject, int]], number: int) -> Amounts:
    """The least that any `number` of these pods request together, for each resource."""
    asked = [(effective(_running(part(pod, "spec"))), count) for pod, count in counted]
    found: Amounts = {}
    for resource in dict.fromkeys(name for each, _ in asked for name in each):
        left = number
        of_each = [(each.get(resource, _ZERO), count) for each, count in asked]
        for amount, count in sorted(of_each, key=cmp_to_key(_compared)):
            found[resource] = found.get(resource, _ZERO).add(amount.times(min(left, count)))
            left -= min(left, count)
    return {resource: amount for resource, amount in found.items() if amount.sign() > 0}


def _compared(one: tuple[Quantity, int], other: tuple[Quantity, int]) -> int:
    return one[0].compare(other[0])


def _running(spec: JSONObject) -> JSONObject:
    """A pod without the containers that end before it runs, which Volcano doesn't count for a queue."""
    return {**spec, "initContainers": [one for one in items(spec, "initContainers") if one.get("restartPolicy") == "Always"]}


def _of_queue(queue: JSONObject, gang: _Gang, facts: Facts, *, is_fixed: bool) -> Iterator[QueueTrouble]:
    """The requests of a gang that exceed the capability of its Queue, or what the guarantees of other queues leave of the nodes."""
    name, capability = name_of(queue), _capability(queue)
    over = _above_of(gang.asked, capability)
    if over:
        said = f"{_insufficient(over)}: {gang.who} {_listed(over)}"
        yield QueueTrouble(f"{said}, and the capability of Queue {name} is {_listed(_only(capability, over))}", _HINT)
        return
    left = _left_by_others(name, gang.asked, facts) if is_fixed else {}
    over = _above_of(gang.asked, left)
    if over:
        said = f"{_insufficient(over)}: {gang.who} {_listed(over)}"
        yield QueueTrouble(f"{said}, and the nodes have {_listed(_only(left, over))} that other queues aren't guaranteed", _HINT)
        return
    yield from _by_hierarchy(queue, gang, facts)


_HINT: Final = "start fewer pods together, let them request less, or raise the Queue's capability"


def _by_hierarchy(queue: JSONObject, gang: _Gang, facts: Facts) -> Iterator[QueueTrouble]:
    """The capability of the queues above, which counts if the plugin capacity uses the hierarchy."""
    seen, parent = {name_of(queue), _ROOT, ""}, text(part(queue, "spec"), "parent")
    while parent not in seen:
        seen.add(parent)
        found = facts.objects.get(GROUP, QUEUE, "", parent)
        capability = _capability(found)
        over = _above_of(gang.asked, capability)
        if over:
            what = f"{gang.who} {_listed(over)}, and the capability of Queue {parent} above is {_listed(_only(capability, over))}"
            yield QueueTrouble(f"{what}: whether Volcano has a hierarchy of queues enabled isn't known", is_unknown=True)
            return
        parent = text(part(found, "spec"), "parent")


def _above_of(asked: Amounts, most: Amounts) -> Amounts:
    return {name: amount for name, amount in asked.items() if name in most and amount.compare(most[name]) > 0}


def _only(found: Amounts, names: Amounts) -> Amounts:
    return {name: found[name] for name in names}


def _greater(one: Quantity, other: Quantity) -> Quantity:
    return one if one.compare(other) > 0 else other


def _capability(queue: JSONValue) -> Amounts:
    """The capability of a Queue; missing CPU or memory isn't limited."""
    found = amounts(queue, "spec", "capability")
    return {name: amount for name, amount in found.items() if amount.sign() > 0 or name not in ("cpu", "memory")}


def _left_by_others(name: str, asked: Amounts, facts: Facts) -> Amounts:
    """The total resources of all nodes, without what other queues are guaranteed."""
    if facts.inventory is None or not len(facts.inventory) or not facts.objects.knows_all(GROUP, QUEUE):
        return {}
    found = {}
    for resource in asked:
        if not (resource in ("cpu", "memory") or "/" in resource):
            continue
        found[resource] = _total(resource, facts)
        for other in facts.objects.list(GROUP, QUEUE):
            if name_of(other) != name:
                found[resource] = found[resource].sub(amounts(other, "spec", "guarantee", "resource").get(resource, _ZERO))
    return {resource: amount if amount.sign() > 0 else _ZERO for resource, amount in found.items()}


def _total(resource: str, facts: Facts) -> Quantity:
    """The total of a resource on all nodes; the inventory remembers it."""
    inventory = facts.inventory
    if inventory is None:
        return _ZERO

    def work_out() -> Quantity:
        total = _ZERO
        for node in inventory.nodes:
            total = total.add(node.allocatable.get(resource, _ZERO))
        return total

    return inventory.once((_total, resource), work_out)


def _insufficient(over: Amounts) -> str:
    return "queue resource quota insufficient: " + ", ".join(f"insufficient {name}" for name in over)


def _listed(found: Amounts) -> str:
    return ", ".join(f"{amount} {name}" for name, amount in found.items())
