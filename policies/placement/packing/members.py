"""The kinds of pods of some groups, each once, with the scheduler's filters that decide which nodes it could use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from weighbridge.policies.devices import SchedulingAbortedError
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.autoscaling.former import PASSING_TAINTS
from weighbridge.policies.facts.occupancy import HostPort
from weighbridge.policies.ground.content import content_of
from weighbridge.policies.ground.fields import items, part, text, text_map
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, field, replace
from weighbridge.policies.placement.asked import asked_by_pod
from weighbridge.policies.placement.dynamic_resources import PodDevices, pod_devices
from weighbridge.policies.placement.extenders import without_extended
from weighbridge.policies.placement.filters import PodFilters
from weighbridge.policies.placement.packing.company import labels_read
from weighbridge.policies.placement.shapes import Verdicts, judge
from weighbridge.policies.pods.admission import AdmittedPod, admit
from weighbridge.policies.pods.groups import Groups
from weighbridge.policies.pods.refusal import Refused
from weighbridge.policies.pods.running_pod import host_ports
from weighbridge.policies.pods.workloads import claims_of, without_claims

_SCHEDULER: Final = "default-scheduler"
_PODS: Final = "pods"
_CLAIM: Final = "PersistentVolumeClaim"


@dataclass(frozen=True, slots=True)
class Member:
    """Equal pods as the scheduler gets them, and the verdict of its filters on each node.

    `wants` is what one pod takes of a node, without resources that devices may serve; `ports` are the ports of the node that it takes.
    """

    pod: AdmittedPod
    filters: PodFilters
    devices: PodDevices
    verdicts: Verdicts
    wants: Mapping[str, int]
    ports: tuple[HostPort, ...] = ()


@dataclass(slots=True)
class Members:
    """Members by the requests of their pods. With `patient`, temporary taints and cordons keep no pod off."""

    facts: Facts
    patient: bool = True
    labels: frozenset[str] = frozenset()
    _known: dict[bytes | str, Member | None] = field(default_factory=dict)

    def look_at(self, pods: Iterable[JSONObject]) -> None:
        """Note the labels that terms of pods use: pods that differ only in other labels are of one kind."""
        self.labels = self.labels.union(*(labels_read(part(pod, "spec")) for pod in pods))

    def member(self, pod: JSONObject, namespace: str) -> Member | None:
        """The kind of a pod; `None` if the default scheduler doesn't place it or its kind can't be known."""
        asked = {**asked_by_pod(pod), "namespace": namespace_of(pod) or namespace}
        asked["labels"] = {key: value for key, value in text_map(pod, "metadata", "labels").items() if key in self.labels}
        asked.pop("name", None)
        key = content_of([asked])
        if key is None:
            return self._member(pod, namespace)
        if key not in self._known:
            self._known[key] = self._member(pod, namespace)
        return self._known[key]

    def _member(self, pod: JSONObject, namespace: str) -> Member | None:
        spec = part(pod, "spec")
        other = text(spec, "schedulerName") not in ("", _SCHEDULER)
        if self.facts.inventory is None or other or text(spec, "nodeName") or items(spec, "schedulingGates"):
            return None
        try:
            admitted = admit(_patient(pod) if self.patient else pod, self.facts.objects, namespace_of(pod) or namespace)
            # No node has the extender's resources, so they don't matter for a packing.
            admitted, _ = without_extended(admitted, self.facts)
            devices = pod_devices(admitted, self.facts.objects)
            if devices.silent or devices.refusal:
                return None
            filters = PodFilters(admitted, self.facts.objects, devices.by_devices)
            if filters.refusal:
                return None
            verdicts = judge(filters, self.facts.inventory, devices if devices.is_wanted else None)
        except (Refused, SchedulingAbortedError):
            return None
        wants = {name: count for name, count in admitted.requests.items() if count > 0 and name not in devices.by_devices}
        return Member(admitted, filters, devices, verdicts, {**wants, _PODS: 1}, host_ports(admitted.spec))


def pods_to_place(groups: Groups, unknown: AbstractSet[str] = frozenset()) -> dict[str, tuple[JSONObject, int]]:
    """The pods of a group without volumes that aren't known: those that each pod has for itself, and the `unknown` ones."""
    own = {*map(name_of, claims_of(groups.workload)), *unknown}
    return {role: (_without_ephemeral(without_claims(pod, own)), count) for role, (pod, count) in groups.pods.items()}


def _without_ephemeral(pod: JSONObject) -> JSONObject:
    spec = part(pod, "spec")
    volumes = items(spec, "volumes")
    kept = [volume for volume in volumes if "ephemeral" not in volume]
    return pod if len(kept) == len(volumes) else {**pod, "spec": {**spec, "volumes": kept}}


def _patient(pod: JSONObject) -> JSONObject:
    """The pod with tolerations of temporary taints."""
    spec = part(pod, "spec")
    put_up_with = ({"key": key, "operator": "Exists"} for key in PASSING_TAINTS)
    return {**pod, "spec": {**spec, "tolerations": [*items(spec, "tolerations"), *put_up_with]}}


def bound_alone(pod: JSONObject, namespace: str, facts: Facts) -> JSONObject:
    """The pod with only those of its claims that have a volume, since the place of other volumes isn't known."""
    claims = {text(part(volume, "persistentVolumeClaim"), "claimName") for volume in items(pod, "spec", "volumes")} - {""}
    where = namespace_of(pod) or namespace
    unbound = {name for name in claims if not text(part(facts.objects.get("", _CLAIM, where, name), "spec"), "volumeName")}
    return without_claims(pod, unbound)


def compact(groups: Groups) -> Groups:
    """Groups with the parts of their pods that a placement reads; the other parts, such as all texts of containers, are large."""
    where = {key: metadata_of(groups.workload)[key] for key in ("name", "namespace") if key in metadata_of(groups.workload)}
    pods = {}
    for role, (pod, count) in pods_to_place(groups).items():
        metadata = {key: value for key, value in metadata_of(pod).items() if key in ("name", "generateName", "namespace", "labels")}
        pods[role] = ({"metadata": metadata, "spec": asked_by_pod(pod)["spec"]}, count)
    return replace(groups, workload={"kind": groups.workload.get("kind"), "metadata": where}, pods=pods)
