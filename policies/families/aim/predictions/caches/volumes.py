"""Where a service's weights are: the objects that are created for them, and the claims that its pods mount.

Source: kaiwo dbca1b55, internal/controller/aim/aimservice_controller.go (addServicePVCMount, addModelCacheMount); aim-engine v0.2.1,
internal/aimservice/kserve.go (addResolvedCacheMount).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.field_errors import invalid_message
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.pods.validation.service import claim_errors

#: The shared memory of a pod.
DSHM: Final[JSONObject] = {"name": "dshm", "emptyDir": {"medium": "Memory", "sizeLimit": "8Gi"}}
DSHM_MOUNT: Final[JSONObject] = {"name": "dshm", "mountPath": "/dev/shm"}  # noqa: S108
CLAIM: Final = "PersistentVolumeClaim"


class Mount(NamedTuple):
    """A claim that the pods mount: the name of the volume, that of the claim, and the path."""

    volume: str
    claim: str
    path: str

    def as_volume(self) -> JSONObject:
        """The pod's volume."""
        return {"name": self.volume, "persistentVolumeClaim": {"claimName": self.claim}}

    def as_mount(self) -> JSONObject:
        """The container's mount."""
        return {"name": self.volume, "mountPath": self.path}


@dataclass(slots=True)
class ServedWeights:
    """The weights of a service. With a `failure` they never come; `condition`, `reason` and `state` are then in the service's status.

    With `lacks_sources` the template has no sources.
    """

    objects: list[JSONObject] = field(default_factory=list)
    mounts: Sequence[Mount] = ()
    failure: str = ""
    condition: str = ""
    reason: str = ""
    state: str = "Starting"
    lacks_sources: bool = False

    def judged(self, facts: Facts, namespace: str) -> list[Mount]:
        """The mounts that count for the placement of pods: all but those of claims that don't exist yet and whose size isn't known."""
        made = {name_of(obj) for obj in self.objects if obj["kind"] == CLAIM}
        unknown = not facts.objects.knows_all("", CLAIM)
        return [
            mount
            for mount in self.mounts
            if mount.claim in made or unknown or facts.objects.get("", CLAIM, namespace, mount.claim) is not None
        ]


def mounted(base: str, volume: str, claim: str, model: str) -> Mount:
    """The mount of a cache, below `base` at the model's name."""
    return Mount(volume, claim, posixpath.normpath(posixpath.join(base, model)))


def claim_of(name: str, namespace: str, size: str, storage_class: str, labels: Mapping[str, str] | None = None) -> JSONObject:
    """A claim for weights, which pods on several nodes can read."""
    spec: JSONObject = {"accessModes": ["ReadWriteMany"], "resources": {"requests": {"storage": size}}, "volumeMode": "Filesystem"}
    if storage_class:
        spec["storageClassName"] = storage_class
    metadata: JSONObject = {"name": name, "namespace": namespace} | ({"labels": {**labels}} if labels else {})
    return {"apiVersion": "v1", "kind": CLAIM, "metadata": metadata, "spec": spec}


def refusal_of(claim: JSONObject) -> str:
    """The API server's refusal of a claim; empty if it accepts it."""
    errors = list(claim_errors(claim))
    return invalid_message(CLAIM, "", name_of(claim), errors) if errors else ""


def cached_source(cache: JSONObject) -> tuple[str, str]:
    """What the store files caches of models under: their namespace and source."""
    return namespace_of(cache), text(part(cache, "spec"), "sourceUri")


def best(found: Iterable[JSONObject], ranks: Mapping[str, int], *, last: bool = False) -> JSONObject | None:
    """The object with the best status; of several the first, or the last."""
    chosen: JSONObject | None = None
    rank = -1
    for one in found:
        own = ranks.get(status_of(one), 0)
        if own > rank or (last and own == rank):
            chosen, rank = one, own
    return chosen


def status_of(obj: JSONObject | None) -> str:
    """What the operator wrote into an object's `status.status`; empty if it wrote nothing yet."""
    return text(part(obj, "status"), "status")
