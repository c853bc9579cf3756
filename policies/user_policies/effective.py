"""What the operator will create for an object, as policies see it: pods, services, claims, images and command lines, each with its origin.

Only the parts that policies name are computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from weighbridge.policies.facts.accelerators.recognition import vendor_of_resource
from weighbridge.policies.families.prediction import PredictedValue, Prediction
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, JSONValue, lookup, metadata_of, name_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.pods.requests import counts, of_pod
from weighbridge.policies.pods.workloads import claims_of, pods_of, replicas_of

#: The key of values' origins in the parts.
ORIGINS: Final = "origins"
_CONTAINERS: Final = ("initContainers", "containers")
#: The fields in which families give what was chosen, and the field in which an object names it itself.
_CHOICES: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "model": (("model", "status.resolvedModel"), ("spec", "modelRef")),
    "runtime": (("runtime",), ("spec", "runtime")),
    "template": (("template", "status.resolvedTemplate"), ("spec", "template")),
}


@dataclass(frozen=True, slots=True)
class _Pod:
    workload: JSONObject
    role: str
    pod: JSONObject

    @property
    def named(self) -> JSONObject:
        return {"kind": text(self.workload, "kind"), "name": name_of(self.workload)}

    def containers(self) -> Iterator[tuple[str, JSONObject]]:
        """The containers, each with its place in the pod's spec."""
        for key in _CONTAINERS:
            for index, container in enumerate(items(self.pod, "spec", key)):
                yield f"{key}[{index}]", container


class Effective:
    """The values of `effective` for one object; without a prediction they are empty."""

    def __init__(self, obj: JSONObject, prediction: Prediction | None) -> None:
        self._object = obj
        self._prediction = prediction

    def as_data(self, wanted: frozenset[str]) -> JSONObject:
        """The wanted parts."""
        has_origins = ORIGINS in wanted
        return {name: work_out(self, has_origins) for name, work_out in _PARTS.items() if name in wanted}

    @cached_property
    def _objects(self) -> Sequence[JSONObject]:
        return tuple(self._prediction.objects) if self._prediction is not None else ()

    @cached_property
    def _pods(self) -> Sequence[_Pod]:
        return [_Pod(workload, role, pod) for workload in self._objects for role, pod in pods_of(workload).items()]

    @cached_property
    def _values(self) -> Sequence[PredictedValue]:
        return tuple(self._prediction.values) if self._prediction is not None else ()

    def pods(self, _: bool) -> JSONValue:
        """The kinds of pods, each with the workload that has them."""
        return [
            {
                "role": one.role,
                "workload": one.named,
                "replicas": replicas_of(one.workload),
                "gpus": _gpus(one.pod),
                "metadata": metadata_of(one.pod),
                "spec": part(one.pod, "spec"),
            }
            for one in self._pods
        ]

    def services(self, _: bool) -> JSONValue:
        """The Services."""
        return [obj for obj in self._objects if (obj.get("apiVersion"), obj.get("kind")) == ("v1", "Service")]

    def claims(self, _: bool) -> JSONValue:
        """The PersistentVolumeClaims, with those that controllers create for the pods."""
        own = [obj for obj in self._objects if obj.get("kind") == "PersistentVolumeClaim"]
        return [*own, *(claim for workload in self._objects if pods_of(workload) for claim in claims_of(workload))]

    def objects(self, _: bool) -> JSONValue:
        """All objects."""
        return list(self._objects)

    def images(self, has_origins: bool) -> JSONValue:
        """The images of all containers."""
        found = []
        for one in self._pods:
            for place, container in one.containers():
                entry = {"image": text(container, "image"), "container": text(container, "name"), "workload": one.named}
                origin = self._origin(one, f"{place}.image") if has_origins else None
                found.append({**entry, "source": origin.source if origin else "", "reason": origin.reason if origin else ""})
        return found

    def _origin(self, one: _Pod, place: str) -> PredictedValue | None:
        whole = f"{one.named['kind']}/{one.named['name']}"
        known = [value for value in self._values if value.field.endswith(place) and value.object in (whole, one.role)]
        of_role = (value for value in known if not one.role or value.object == one.role or f"{one.role}Template." in value.field)
        return next(of_role, None) or next(iter(known), None)

    def commands(self, _: bool) -> JSONValue:
        """The command lines of all containers: the command and its arguments."""
        return [
            {
                "container": text(container, "name"),
                "image": text(container, "image"),
                "workload": one.named,
                "line": [word for key in ("command", "args") for word in container.get(key) or () if isinstance(word, str)],
            }
            for one in self._pods
            for _, container in one.containers()
        ]

    def gpus(self, _: bool) -> JSONValue:
        """The accelerators that all replicas request as extended resources."""
        return sum(_gpus(one.pod) * replicas_of(one.workload) for one in self._pods)

    def values(self, _: bool) -> JSONValue:
        """The values that were decided, each with its origin."""
        return [value.as_json() for value in self._values]

    def settings(self, _: bool) -> JSONValue:
        """The operator's settings."""
        return [setting.as_json() for setting in self._prediction.settings] if self._prediction is not None else []

    def configuration(self, _: bool) -> JSONValue:
        """The configuration that is merged from several layers."""
        merged = self._prediction.merged() if self._prediction is not None else None
        return merged.spec if merged is not None else {}

    def status(self, _: bool) -> JSONValue:
        """The object's status, as far as it doesn't depend on the pods."""
        return self._prediction.status if self._prediction is not None else {}

    def failure(self, _: bool) -> JSONValue:
        """Why the operator can't continue."""
        return self._prediction.failure if self._prediction is not None else ""

    def waits(self, _: bool) -> JSONValue:
        """What the operator waits for."""
        return self._prediction.waits if self._prediction is not None else ""

    def choice(self, name: str) -> JSONObject:
        """What was chosen, by the operator or else by the object itself."""
        told, path = _CHOICES[name]
        for value in self._values:
            if value.field in told and isinstance(value.value, str):
                return {"name": value.value.rpartition(" ")[2], "source": value.source, "reason": value.reason}
        own = lookup(self._object, path)
        chosen = text(own, "name") if isinstance(own, dict) else own
        is_named = isinstance(chosen, str) and bool(chosen)
        source = f"{self._object.get('kind')} {'.'.join(path)}"
        return {"name": chosen if is_named else "", "source": source if is_named else "", "reason": ""}


def _gpus(pod: JSONObject) -> int:
    limits = counts(of_pod(part(pod, "spec"), "limits"))
    return sum(count for resource, count in limits.items() if vendor_of_resource(resource))


def _choice(name: str) -> Callable[[Effective, bool], JSONValue]:
    return lambda effective, _: effective.choice(name)


_PARTS: Final[Mapping[str, Callable[[Effective, bool], JSONValue]]] = {
    "pods": Effective.pods,
    "services": Effective.services,
    "claims": Effective.claims,
    "objects": Effective.objects,
    "images": Effective.images,
    "commands": Effective.commands,
    "gpus": Effective.gpus,
    "model": _choice("model"),
    "runtime": _choice("runtime"),
    "template": _choice("template"),
    "configuration": Effective.configuration,
    "values": Effective.values,
    "settings": Effective.settings,
    "status": Effective.status,
    "failure": Effective.failure,
    "waits": Effective.waits,
}
#: All parts.
PARTS: Final = frozenset(_PARTS)
