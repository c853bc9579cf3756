"""The components of a service: the service's fields for each, merged over the runtime's, and how each is deployed.

A component exists if the service names it, whatever the runtime has. Source: OME v0.1.5,
pkg/controller/v1beta1/inferenceservice/utils/{merging,deployment}.go.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.kinds import PREFIX
from weighbridge.policies.families.ome.predictions.merge.strategic import merged
from weighbridge.policies.families.ome.subject.components import COMPONENTS
from weighbridge.policies.families.ome.subject.service_spec import has_component
from weighbridge.policies.families.ome.subject.stored import MODE
from weighbridge.policies.ground.fields import part, text, text_map, whole
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass

#: Annotations of a service that its workloads don't get.
_KEPT_BACK: Final = frozenset(
    {
        *("autoscaling.knative.dev/min-scale", "autoscaling.knative.dev/max-scale"),
        f"internal.{PREFIX}storage-initializer-sourceuri",
        "kubectl.kubernetes.io/last-applied-configuration",
    }
)
#: Fields that count only in a service, not in its runtime.
_NOT_INHERITED: Final = ("acceleratorOverride",)


class Mode(StrEnum):
    """How a component is deployed."""

    RAW = "RawDeployment"
    MULTI_NODE = "MultiNode"
    RAY = "MultiNodeRayVLLM"
    SERVERLESS = "Serverless"
    VIRTUAL = "VirtualDeployment"


@dataclass(frozen=True, slots=True)
class Component:
    """A component: `own` is the service's part, `given` the runtime's, `spec` the merge of both."""

    name: str
    own: JSONObject
    given: JSONObject
    spec: JSONObject
    mode: Mode

    @property
    def min_replicas(self) -> int:
        """The least number of replicas."""
        return whole(self.spec, "minReplicas", 1)

    @property
    def max_replicas(self) -> int:
        """The largest number of replicas as it is written, which may be below the least."""
        return whole(self.spec, "maxReplicas")

    def annotations(self, service: JSONObject) -> dict[str, str]:
        """The annotations of its workload: those of the service except a few, and over them the component's."""
        of_service = text_map(service, "metadata", "annotations")
        kept = {name: value for name, value in of_service.items() if name not in _KEPT_BACK}
        return kept | text_map(self.spec, "annotations")

    @property
    def leader(self) -> JSONObject | None:
        """The leader of a group of nodes; `None` without one."""
        return _map_or_none(self.spec, "leader")

    @property
    def worker(self) -> JSONObject | None:
        """The worker of a group of nodes; `None` without one."""
        return _map_or_none(self.spec, "worker")

    @property
    def workers(self) -> int:
        """The number of workers of a leader."""
        return whole(self.worker, "size")


def components_of(service: JSONObject, runtime: JSONObject) -> list[Component]:
    """The components of a service, as OME's webhook stores it, with a runtime."""
    spec, out = spec_of(service), []
    for name, field in COMPONENTS.items():
        if not has_component(service, name):
            continue
        own = part(spec, name)
        given = {key: value for key, value in part(runtime, "spec", field).items() if key not in _NOT_INHERITED}
        both = _named(merged(given, own), own)
        out.append(Component(name, own, given, both, _mode(name, both, spec)))
    return out


def _named(both: JSONObject, own: JSONObject) -> JSONObject:
    """The component with its runners' names: a name that the service leaves out is written as empty, and overrides the runtime's."""
    out = dict(both)
    for role in ("leader", "worker"):
        if isinstance(own.get(role), dict):
            out[role] = _named(part(both, role), part(own, role))
    if isinstance(own.get("runner"), dict):
        out["runner"] = {**part(both, "runner"), "name": text(part(own, "runner"), "name")}
    return out


def _mode(name: str, component: JSONObject, spec: JSONObject) -> Mode:
    """How a component is deployed. An annotation decides only for the engine, and with a decoder the engine isn't serverless."""
    has_decoder = isinstance(spec.get("decoder"), dict)
    asked = text_map(component, "annotations").get(PREFIX + MODE, "") if name == "engine" else ""
    if asked in {str(mode) for mode in Mode}:
        return Mode.RAW if asked == Mode.SERVERLESS and has_decoder else Mode(asked)
    if name != "router" and any(isinstance(component.get(role), dict) for role in ("leader", "worker")):
        return Mode.MULTI_NODE
    is_alone = name == "router" or (name == "engine" and not has_decoder)
    return Mode.SERVERLESS if is_alone and component.get("minReplicas") == 0 else Mode.RAW


def _map_or_none(component: JSONObject, role: str) -> JSONObject | None:
    found = component.get(role)
    return found if isinstance(found, dict) else None
