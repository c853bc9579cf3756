"""Replicas that share a claim which only one node, or only one pod, can use at a time.

kube-scheduler places such pods on any node that fits. The volume can't be attached to a second node, and the pod doesn't start there.
Source: Kubernetes v1.36, pkg/controller/volume/attachdetach (isMultiAttachForbidden), plugin VolumeRestrictions for ReadWriteOncePod.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from weighbridge.policies.facts import Facts, Node, ObjectStore
from weighbridge.policies.facts.read_fields import ATTACHED
from weighbridge.policies.ground.fields import items, part, text, texts
from weighbridge.policies.ground.objects import JSONObject, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.placement.outcome import Placement
from weighbridge.policies.placement.volumes.access_modes import LOCAL
from weighbridge.policies.placement.volumes.candidates import class_name
from weighbridge.policies.pods.admission import AdmittedPod, admit
from weighbridge.policies.pods.refusal import Refused
from weighbridge.policies.pods.workloads import numbers_of, replicas_of

_ONE_POD: Final = "ReadWriteOncePod"
_MANY_NODES: Final = frozenset({"ReadWriteMany", "ReadOnlyMany"})


@dataclass(frozen=True, slots=True)
class _Shared:
    """A claim that can't be used on several nodes."""

    name: str
    for_one_pod: bool
    #: Whether the scheduler itself keeps all pods on the volume's node.
    is_local: bool = False


@dataclass(frozen=True, slots=True)
class Sharing:
    """The pods of a workload that mount a claim of one of its kinds of pods: their number, their name, and each kind."""

    number: int
    word: str
    kinds: Sequence[JSONObject]

    @classmethod
    def of(cls, workload: JSONObject, pods: Mapping[str, JSONObject], pod: JSONObject) -> Sharing:
        """The pods that share a claim with a pod, and that pod itself."""
        numbers, mounted = numbers_of(workload), _mounted(pod)
        kinds = {role: other for role, other in pods.items() if other is pod or not mounted.isdisjoint(_mounted(other))}
        number = replicas_of(workload) * sum(numbers.get(role, 1) for role in kinds)
        return cls(number, "pods" if len(pods) > 1 else "replicas", list(kinds.values()))


def _mounted(pod: JSONObject) -> frozenset[str]:
    return frozenset(text(part(volume, "persistentVolumeClaim"), "claimName") for volume in items(pod, "spec", "volumes")) - {""}


def apart(pod: JSONObject, sharing: Sharing, own: AbstractSet[str], placement: Placement, facts: Facts, namespace: str) -> str:
    """Why the replicas of a pod that fits can't all run, or may not; empty if they can.

    `own` names the claims that each replica has for itself.
    """
    if sharing.number < 2 or not placement.fits or facts.inventory is None:
        return ""
    try:
        admitted = admit(pod, facts.objects, namespace_of(pod) or namespace)
        others = [admit(other, facts.objects, namespace_of(pod) or namespace) for other in sharing.kinds if other is not pod]
    except Refused:
        return ""
    shared = next(iter(shared_claims(admitted.spec, admitted.namespace, own, facts.objects)), None)
    if shared is None:
        return ""
    start = f"its {sharing.number} {sharing.word} share claim {shared.name}"
    if shared.for_one_pod:
        return f"{start}, which is {_ONE_POD}: only one of them can run"
    together = count = 0
    for node in filter(None, map(facts.inventory.node, placement.nodes.fitting)):
        # If the pods differ, a node has room for at most as many as if all were the smallest ones.
        count, together = count + 1, max(together, *(_room(one, node) for one in (admitted, *others)))
        if count > 1 and together >= sharing.number:
            break
    start += ", whose volume is on the disk of one node" if shared.is_local else ", which only one node at a time can use"
    if together < sharing.number:
        return f"{start}, and the largest node has room for {together}"
    return f"{start}; {sharing.word} on another node don't start" if count > 1 and not shared.is_local else ""


def _room(pod: AdmittedPod, node: Node) -> int:
    """The number of these pods that fit on a node."""
    wanted = {**{name: count for name, count in pod.requests.items() if count > 0}, "pods": 1}
    return min(node.amounts.get(name, 0) // count for name, count in wanted.items())


def shared_claims(spec: JSONObject, namespace: str, own: AbstractSet[str], store: ObjectStore) -> list[_Shared]:
    """The claims of a pod that can't be used on several nodes, as far as is known; those for a single pod first."""
    found = []
    for volume in items(spec, "volumes"):
        name = text(part(volume, "persistentVolumeClaim"), "claimName")
        claim = store.get("", "PersistentVolumeClaim", namespace, name) if name and name not in own else None
        if not isinstance(claim, dict):
            continue
        held = store.get("", "PersistentVolume", "", text(part(claim, "spec"), "volumeName"))
        modes = set(texts(part(held if held is not None else claim, "spec"), "accessModes"))
        if texts(part(claim, "spec"), "accessModes") == (_ONE_POD,):
            found.append(_Shared(name, for_one_pod=True))
        elif modes and not modes & _MANY_NODES:
            is_local = held is None and _provisioner(claim, store) in LOCAL
            if is_local or _is_attached(claim, held if isinstance(held, dict) else None, store):
                found.append(_Shared(name, for_one_pod=False, is_local=is_local))
    return sorted(found, key=lambda shared: not shared.for_one_pod)


def _is_attached(claim: JSONObject, volume: JSONObject | None, store: ObjectStore) -> bool:
    """Whether the volume of a claim is known to be attached to a node before it is mounted there."""
    spec = part(volume, "spec")
    if volume is not None and "csi" not in spec:
        return any(source in spec for source in ATTACHED)
    driver = text(part(spec, "csi"), "driver")
    if volume is None:
        driver = _provisioner(claim, store)
    if not driver:
        return False
    found = store.get("storage.k8s.io", "CSIDriver", "", driver)
    if found is None:
        return store.knows_all("storage.k8s.io", "CSIDriver")
    return part(found, "spec").get("attachRequired") is not False


def _provisioner(claim: JSONObject, store: ObjectStore) -> str:
    return text(store.get("storage.k8s.io", "StorageClass", "", class_name(claim)), "provisioner")
