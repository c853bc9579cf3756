"""Whether Kueue ever admits the pods of a workload that names a queue: by the LocalQueue, its ClusterQueue, quotas and flavors.

Kueue holds the pods back until they are admitted. The queue counts as empty here: what other workloads use isn't counted. A workload of
single pods is admitted pod by pod, a group as a whole: what its first pod sets take isn't left for the next ones. Source: Kueue v0.19,
pkg/controller/core/workload_controller.go, pkg/scheduler/flavorassigner/flavorassigner.go (findFlavorForPodSets, fitsResourceQuota),
pkg/scheduler/scheduler.go (nominate), pkg/cache/scheduler/clusterqueue.go (inactiveReason) and pkg/controller/jobs/leaderworkerset
(podSets).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.namespaces import namespace_labels
from weighbridge.policies.facts.selectors import selects
from weighbridge.policies.facts.store import names_of
from weighbridge.policies.facts.tolerations import read_taints, read_tolerations, untolerated
from weighbridge.policies.ground.fields import items, part, text, text_map, texts
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.spelling import close_matches
from weighbridge.policies.placement.queues.cohorts import CLUSTER_QUEUE, COHORT, GROUP, Of, Quotas, cohort_of, quotas_of
from weighbridge.policies.placement.queues.trouble import QueueTrouble
from weighbridge.policies.pods.admission import admit
from weighbridge.policies.pods.refusal import Refused
from weighbridge.policies.pods.requests import Amounts, effective
from weighbridge.policies.pods.workloads import numbers_of, pods_of, replicas_of

LOCAL_QUEUE, FLAVOR = "LocalQueue", "ResourceFlavor"
QUEUE_NAME: Final = f"{GROUP}/queue-name"
_ZERO: Final = Quantity.from_int(0)


@dataclass(frozen=True, slots=True)
class _PodSet:
    """Equal pods that are admitted together."""

    name: str
    spec: JSONObject
    count: int

    @property
    def requests(self) -> Amounts:
        """Their total requests."""
        found = {name: amount.times(self.count) for name, amount in effective(self.spec).items() if amount.sign() > 0}
        return {**found, "pods": Quantity.from_int(self.count)}


def queue_troubles(workload: JSONObject, facts: Facts, namespace: str) -> list[QueueTrouble]:
    """What keeps Kueue from admitting the pods of a workload; empty if it names no queue or Kueue isn't known."""
    pods = pods_of(workload)
    queue = _queue_of(workload, pods)
    if not queue or not pods:
        return []
    store = facts.objects
    local = store.get(GROUP, LOCAL_QUEUE, namespace, queue)
    if local is None:
        return list(_without_queue(queue, namespace, facts))
    if _is_stopped(local):
        return [QueueTrouble(f"LocalQueue {queue} is stopped", "set its spec.stopPolicy to None")]
    name = text(part(local, "spec"), "clusterQueue")
    cluster_queue = store.get(GROUP, CLUSTER_QUEUE, "", name)
    if cluster_queue is None:
        if not store.knows_all(GROUP, CLUSTER_QUEUE):
            return [QueueTrouble(f"ClusterQueue {name} isn't known", is_unknown=True)]
        return [QueueTrouble(f"ClusterQueue {name} doesn't exist", f"LocalQueue {queue} names it")]
    return list(_of_cluster_queue(cluster_queue, workload, pods, facts, namespace))


def _queue_of(workload: JSONObject, pods: Mapping[str, JSONObject]) -> str:
    """The queue that a workload or its pods name."""
    labelled = text_map(workload, "metadata", "labels").get(QUEUE_NAME, "")
    return labelled or next(filter(None, (text_map(pod, "metadata", "labels").get(QUEUE_NAME) for pod in pods.values())), "")


def _without_queue(queue: str, namespace: str, facts: Facts) -> Iterator[QueueTrouble]:
    store = facts.objects
    if not store.knows_all(GROUP, LOCAL_QUEUE):
        if not store.knows_all("apiextensions.k8s.io", "CustomResourceDefinition"):
            yield QueueTrouble(f"LocalQueue {queue}: the cluster's queues aren't known", is_unknown=True)
        return
    near = close_matches(queue, names_of(store, GROUP, LOCAL_QUEUE, namespace), n=1)
    hint = f"did you mean {near[0]}?" if near else f"create it in namespace {namespace}, or remove the label {QUEUE_NAME}"
    yield QueueTrouble(f"LocalQueue {queue} doesn't exist", hint)


def _is_stopped(queue: JSONObject) -> bool:
    return text(part(queue, "spec"), "stopPolicy", "None") != "None"


def _of_cluster_queue(
    queue: JSONObject, workload: JSONObject, pods: Mapping[str, JSONObject], facts: Facts, namespace: str
) -> Iterator[QueueTrouble]:
    name, spec, store = name_of(queue), part(queue, "spec"), facts.objects
    if _is_stopped(queue):
        yield QueueTrouble(f"ClusterQueue {name} is stopped", "set its spec.stopPolicy to None")
        return
    selector, labels = spec.get("namespaceSelector"), namespace_labels(namespace, store)
    if selector is None or (labels is not None and not selects(selector, labels)):
        yield QueueTrouble("Workload namespace doesn't match ClusterQueue selector", f"namespaceSelector of ClusterQueue {name}")
        return
    flavors = dict.fromkeys(text(flavor, "name") for group in items(spec, "resourceGroups") for flavor in items(group, "flavors"))
    if store.knows_all(GROUP, FLAVOR):
        missing = [flavor for flavor in flavors if store.get(GROUP, FLAVOR, "", flavor) is None]
        if missing:
            yield QueueTrouble(f"ClusterQueue {name} is inactive", f"it references missing ResourceFlavor(s): {','.join(sorted(missing))}")
            return
    quotas = quotas_of(store)
    looping = quotas.looping(name)
    if looping:
        yield QueueTrouble(f"ClusterQueue {name} is inactive", f"Cohort {looping} is its own ancestor; correct its spec.parentName")
        return
    assigning = _Assigning(queue, quotas, facts)
    for pod_set in _pod_sets(workload, pods, facts, namespace):
        yield from assigning.take(pod_set)


def _pod_sets(workload: JSONObject, pods: Mapping[str, JSONObject], facts: Facts, namespace: str) -> Iterator[_PodSet]:
    """The pods of a workload that Kueue admits together; pods that the API server refuses are reported elsewhere."""
    kind, numbers = workload.get("kind"), numbers_of(workload)
    together = replicas_of(workload) if kind in ("StatefulSet", "Job") else 1
    if kind == "LeaderWorkerSet" and not part(workload, "spec", "leaderWorkerTemplate", "leaderTemplate"):
        # Equal pods are one set.
        pods, together = {"": next(iter(pods.values()))}, 1 + sum(numbers.values())
    for role, pod in pods.items():
        try:
            admitted = admit(pod, facts.objects, namespace)
        except Refused:
            return
        yield _PodSet(role or "main", admitted.spec, numbers.get(role, together))


@dataclass(slots=True)
class _Assigning:
    """Assigns flavors of a ClusterQueue to the pod sets of one workload, one after the other.

    `used` is what earlier sets surely take: amounts of flavors that were the only ones for them.
    """

    queue: JSONObject
    quotas: Quotas
    facts: Facts
    used: dict[Of, Quantity] = field(default_factory=dict)

    def take(self, pod_set: _PodSet) -> Iterator[QueueTrouble]:
        """Why no flavor is assigned to pods, for each resource group without one."""
        groups = items(self.queue, "spec", "resourceGroups")
        covered = {resource for group in groups for resource in texts(group, "coveredResources")}
        requests = {name: amount for name, amount in pod_set.requests.items() if name != "pods" or name in covered}
        start = f"couldn't assign flavors to pod set {pod_set.name}: "
        outside = sorted(requests.keys() - covered)
        if outside:
            hint = f"ClusterQueue {name_of(self.queue)} has no quota for it"
            yield QueueTrouble(f"{start}resource {outside[0]} unavailable in ClusterQueue", hint)
            return
        for group in groups:
            asked = {name: requests[name] for name in texts(group, "coveredResources") if name in requests}
            reasons = {text(flavor, "name"): list(self._against(flavor, asked, pod_set)) for flavor in items(group, "flavors")}
            free = [name for name, found in reasons.items() if not found]
            if len(free) == 1:
                self.used |= {(free[0], name): self._used((free[0], name)).add(amount) for name, amount in asked.items()}
            if asked and not free:
                told = list(chain.from_iterable(reasons.values()))
                unknown = any(reason.is_unknown for reason in told)
                hint = f"quotas and flavors are those of ClusterQueue {name_of(self.queue)}"
                cohort = cohort_of(self.queue)
                hint += f", and of cohort {cohort}" if cohort else ""
                yield QueueTrouble(start + ", ".join(reason.message for reason in told), hint, is_unknown=unknown)

    def _against(self, flavor: JSONObject, asked: Amounts, pod_set: _PodSet) -> Iterator[QueueTrouble]:
        """The reasons against a flavor for pods."""
        name, store = text(flavor, "name"), self.facts.objects
        known = store.get(GROUP, FLAVOR, "", name)
        if isinstance(known, dict):
            reason = _not_for(known, pod_set.spec) or _without_nodes(known, self.facts)
            if reason:
                yield QueueTrouble(reason)
                return
        knows_all = not cohort_of(self.queue) or (store.knows_all(GROUP, CLUSTER_QUEUE) and store.knows_all(GROUP, COHORT))
        for resource, amount in asked.items():
            of = name, resource
            most, used = self.quotas.most(name_of(self.queue), of), self._used(of)
            if used.add(amount).compare(most) > 0:
                what = f"insufficient quota for {resource} in flavor {name}, previously considered podsets requests ({used})"
                yield QueueTrouble(f"{what} + current podset request ({amount}) > maximum capacity ({most})", is_unknown=not knows_all)

    def _used(self, of: Of) -> Quantity:
        return self.used.get(of, _ZERO)


def _not_for(flavor: JSONObject, spec: JSONObject) -> str:
    """Why a flavor isn't for a pod: a taint of its nodes, or another value of one of its labels than the pod selects."""
    tolerations = (*read_tolerations(spec.get("tolerations")), *read_tolerations(part(flavor, "spec").get("tolerations")))
    kept_away = untolerated(tolerations, read_taints(part(flavor, "spec").get("nodeTaints")))
    if kept_away:
        return f"untolerated taint {kept_away[0]} in flavor {name_of(flavor)}"
    labels = text_map(flavor, "spec", "nodeLabels")
    selected = text_map(spec, "nodeSelector")
    if any(selected[key] != value for key, value in labels.items() if key in selected):
        return f"flavor {name_of(flavor)} doesn't match node affinity"
    return ""


def _without_nodes(flavor: JSONObject, facts: Facts) -> str:
    """Why admitted pods of a flavor get no node: Kueue adds node selectors that no node matches."""
    labels = text_map(flavor, "spec", "nodeLabels")
    if not labels or facts.inventory is None or not len(facts.inventory):
        return ""
    if any(facts.inventory.with_labels(labels)):
        return ""
    return f"no node has the labels of flavor {name_of(flavor)}: {', '.join(f'{key}={value}' for key, value in sorted(labels.items()))}"
