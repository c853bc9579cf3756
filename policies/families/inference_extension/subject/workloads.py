"""The workloads whose pods a pool may choose, by the labels and the ports of these pods.

Pods come and go, so rules look at what makes them: known workloads, and where none of these fits, what the families' objects of the
namespace will make. Source: Kubernetes v1.36, apps/v1 and batch/v1; LeaderWorkerSet v0.6.2, leaderworkerset.x-k8s.io/v1.
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

#: Group, version and kind of the workloads that are followed in a cluster, those that serve most often first.
KINDS: Final = (
    ("apps", "v1", "Deployment"),
    ("apps", "v1", "StatefulSet"),
    ("leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet"),
    ("apps", "v1", "DaemonSet"),
    ("batch", "v1", "Job"),
)
#: Others that make pods or are pods. A cluster has too many of them to follow, so they count where they are given.
GIVEN: Final = (("", "Pod"), ("", "ReplicationController"), ("apps", "ReplicaSet"), ("batch", "CronJob"))
#: Those that are followed, as rules name what they read.
READ: Final = tuple(sorted(f"{kind}.{group}" for group, _, kind in KINDS))
_ALL: Final = (*((group, kind) for group, _, kind in KINDS), *GIVEN)
#: Their controllers add labels of the workload's name.
_LABELLED: Final = frozenset({"Job", "StatefulSet"})
_TEMPLATES: Final = (
    ("spec", "template"),
    ("spec", "leaderWorkerTemplate", "leaderTemplate"),
    ("spec", "leaderWorkerTemplate", "workerTemplate"),
)


@dataclass(frozen=True, slots=True)
class Pods:
    """The pods of one template: what makes them, their labels, and the ports that their containers declare.

    `role` is leader or worker where a workload makes both. `picker` is the endpoint picker that they run, if it is a known one.
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
        """Whether a selector chooses them."""
        return selector.items() <= self.labels.items()


def keep(workload: JSONObject) -> JSONObject | None:
    """What is kept of a workload of the cluster: the labels of its pods, the ports of their containers, and the pool of a picker.

    `None` if no pool can choose its pods, which have no labels.
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
            # A pod has containers, also where nothing of them is read.
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
    """The pods that the known workloads of a namespace make; with a label's key, or key and value, those that have this label."""
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
        # Its maker is looked at.
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
    """The pods that have all labels of a selector: of known workloads, else of those that the families' objects will make."""
    if not selector:
        return []
    # Those of the label that fewest have.
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
