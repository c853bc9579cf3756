"""The workloads whose pods a pool may choose, by the labels and the ports of these pods.

Pods come and go, so rules look at the workloads that create them. If no known workload matches, they look at the workloads that operators
will create for the families' objects in the namespace. Source: Kubernetes v1.36, apps/v1 and batch/v1; LeaderWorkerSet v0.6.2,
leaderworkerset.x-k8s.io/v1.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.inference_extension.kinds import EXPERIMENTAL, STABLE
from weighbridge.policies.families.inference_extension.subject.picker_program import PickerProgram, kept_arguments, program_of
from weighbridge.policies.families.inference_extension.subject.pool import Pool
from weighbridge.policies.families.predicted_pods import MOST, PredictedPods, predicted_pods
from weighbridge.policies.ground.fields import items, part, text, text_map, whole
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.pods.workloads import pods_of

#: Group, version and kind of the workloads that are followed in a cluster; the ones that most often serve models come first.
KINDS: Final = (
    ("apps", "v1", "Deployment"),
    ("apps", "v1", "StatefulSet"),
    ("leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet"),
    ("apps", "v1", "DaemonSet"),
    ("batch", "v1", "Job"),
)
#: Other kinds that create pods, and pods. A cluster has too many of them to follow, so they count only if they are given in manifests.
GIVEN: Final = (("", "Pod"), ("", "ReplicationController"), ("apps", "ReplicaSet"), ("batch", "CronJob"))
#: The followed kinds in the form of `reads`.
READ: Final = tuple(sorted(f"{kind}.{group}" for group, _, kind in KINDS))
_ALL: Final = (*((group, kind) for group, _, kind in KINDS), *GIVEN)
#: Kinds whose controllers add labels with the workload's name.
_LABELLED: Final = frozenset({"Job", "StatefulSet"})
_TEMPLATES: Final = (
    ("spec", "template"),
    ("spec", "leaderWorkerTemplate", "leaderTemplate"),
    ("spec", "leaderWorkerTemplate", "workerTemplate"),
)


@dataclass(frozen=True, slots=True)
class Pods:
    """The pods of one template: the object that creates them, their labels, and the ports that their containers declare.

    `role` is leader or worker if a workload creates both. `picker` is the endpoint picker that they run, if it is a known one.
    """

    kind: str
    namespace: str
    name: str
    labels: dict[str, str]
    ports: frozenset[int]
    role: str = ""
    picker: PickerProgram | None = None

    def __str__(self) -> str:
        return f'{self.kind} "{self.name}"'

    def have(self, selector: Mapping[str, str]) -> bool:
        """Whether the pods have all labels of a selector."""
        return selector.items() <= self.labels.items()


def keep(workload: JSONObject) -> JSONObject | None:
    """The part of a workload that is kept: the labels of its pods, the ports of their containers, and the pool of a picker.

    `None` if its pods have no labels, so that no pool can choose them.
    """
    spec: JSONObject = {}
    for _, *above, last in _TEMPLATES:
        template = part(workload, "spec", *above, last)
        labels = text_map(template, "metadata", "labels")
        containers = [_kept(container, namespace_of(workload)) for container in items(template, "spec", "containers")]
        if containers and (labels or above or workload.get("kind") in _LABELLED):
            holder = spec
            for step in above:
                holder = holder.setdefault(step, {})
            # A pod keeps its list of containers, even if nothing in it is read.
            read = [container for container in containers if len(container) > 1] or containers[:1]
            holder[last] = {"metadata": {"labels": labels}, "spec": {"containers": read}}
    if not spec:
        return None
    size = part(workload, "spec", "leaderWorkerTemplate").get("size")
    if size is not None and "leaderWorkerTemplate" in spec:
        spec["leaderWorkerTemplate"]["size"] = size
    metadata = {"name": name_of(workload), "namespace": namespace_of(workload)}
    return {"apiVersion": workload.get("apiVersion"), "kind": workload.get("kind"), "metadata": metadata, "spec": spec}


def _kept(container: JSONObject, namespace: str) -> JSONObject:
    kept: JSONObject = {"name": text(container, "name")}
    if numbers := [whole(port, "containerPort") for port in items(container, "ports")]:
        kept["ports"] = [{"containerPort": number} for number in numbers]
    return kept | kept_arguments(container, namespace)


def known_pods(facts: Facts, namespace: str, key: Hashable = None) -> Iterator[Pods]:
    """The pods that the known workloads of a namespace create; with a label's key, or key and value, only those with this label."""
    for group, kind in _ALL:
        # A workload is read once and found by its labels: a cluster has thousands of them.
        for made in facts.objects.read_where(group, kind, _read, _filed, (namespace, key)):
            yield from made


def _filed(made: Sequence[Pods]) -> Iterator[Hashable]:
    for pods in made:
        yield pods.namespace, None
        for label in pods.labels.items():
            yield pods.namespace, label[0]
            yield pods.namespace, label


def _read(workload: JSONObject) -> tuple[Pods, ...]:
    if workload.get("kind") in ("Pod", "ReplicaSet") and _is_made(workload):
        # The object that creates it is read instead.
        return ()
    return tuple(_pods(workload, namespace_of(workload), role, pod) for role, pod in pods_of(workload).items())


def _is_made(obj: JSONObject) -> bool:
    return any(owner.get("controller") is True for owner in items(obj, "metadata", "ownerReferences"))


def _pods(owner: JSONObject, namespace: str, role: str, pod: JSONObject) -> Pods:
    containers = items(pod, "spec", "containers")
    ports = frozenset(whole(port, "containerPort") for container in containers for port in items(container, "ports")) - {0}
    labels = text_map(pod, "metadata", "labels")
    return Pods(text(owner, "kind"), namespace, name_of(owner), labels, ports, role, program_of(containers, namespace))


def chosen(facts: Facts, config: Configuration, namespace: str, selector: Mapping[str, str]) -> list[Pods]:
    """The pods that have all labels of a selector: those of known workloads, else those predicted for the families' objects."""
    if not selector:
        return []
    # The pods with that label of the selector which the fewest pods have.
    known = min((list(known_pods(facts, namespace, label)) for label in selector.items()), key=len)
    if found := [pods for pods in known if pods.have(selector)]:
        return found
    label = next(iter(selector.items()))
    coming = _coming(facts, config, namespace).by_label.get(label, ())
    return [pods for made in coming if (pods := _pods(made.owner, namespace, made.role, made.pod)).have(selector)]


def chosen_by(pool: Pool, facts: Facts, config: Configuration) -> list[Pods]:
    """The pods that a pool chooses."""
    return chosen(facts, config, pool.namespace, pool.selector)


def labels_text(labels: Mapping[str, str]) -> str:
    """Labels as messages list them."""
    return ", ".join(f"{key}={value}" for key, value in sorted(labels.items()))


def _coming(facts: Facts, config: Configuration, namespace: str) -> PredictedPods:
    return predicted_pods(facts, config, namespace, without=(STABLE, EXPERIMENTAL))


def unknown(facts: Facts, config: Configuration, namespace: str) -> str:
    """Why there may be unknown pods; empty if all are known."""
    if not all(facts.objects.knows_all(group, kind) for group, _, kind in KINDS):
        return "not all workloads of the cluster are known"
    is_all = _coming(facts, config, namespace).is_all
    return "" if is_all else f'namespace "{namespace}" has more than {MOST} services, and the pods of the others aren\'t predicted'
