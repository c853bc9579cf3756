"""The pods of a service that request GPUs, each with its component, its role and the number of GPUs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.ground.fields import amount, items, part, text_map
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.pods.workloads import pods_of

_DOMAINS: Final = ("nvidia.com/", "amd.com/", "gpu.intel.com/")
_SERVICE_COMPONENT: Final = "component"


@dataclass(frozen=True, slots=True)
class GpuPod:
    """A pod with its GPUs; `role` is ``leader`` or ``worker`` if a component runs on several nodes."""

    workload: JSONObject
    component: str
    role: str
    pod: JSONObject
    resource: str
    count: int

    @property
    def title(self) -> str:
        """Its name in messages."""
        return f"{self.component}'s {self.role}" if self.role else self.component

    @property
    def spec_path(self) -> tuple[str, ...]:
        """The service's field for it."""
        return ("spec", self.component, *((self.role,) if self.role else ()))


def gpu_pods(objects: Sequence[JSONObject]) -> Iterator[GpuPod]:
    """The pods of OME's workloads that request GPUs."""
    for workload in objects:
        component = text_map(workload, "metadata", "labels").get(_SERVICE_COMPONENT, "")
        if not component:
            continue
        pods = pods_of(workload)
        if workload.get("kind") == "RayCluster":
            # The head and the workers of Ray have the pod of the leader.
            pods = {"leader": pods["head"]} if "head" in pods else {}
        for role, pod in pods.items():
            asked = asked_gpus(part(pod, "spec"))
            if asked is not None:
                yield GpuPod(workload, component, role, pod, *asked)


def asked_gpus(spec: JSONObject) -> tuple[str, int] | None:
    """The GPUs that a pod spec requests, all containers together; `None` if it requests none."""
    found: dict[str, int] = {}
    for container in items(spec, "containers"):
        asked = {**part(container, "resources", "requests"), **part(container, "resources", "limits")}
        for name, value in asked.items():
            quantity = amount(value)
            if name.startswith(_DOMAINS) and quantity is not None and quantity.sign() > 0:
                found[name] = found.get(name, 0) + quantity.value()
    return next(iter(found.items()), None)
