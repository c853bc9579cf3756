"""Finds the field of a service from which a field of its pods comes."""

from typing import Any, Final

from weighbridge.policies.apiserver.unknown_fields import steps
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.predictions.merge.strategic import KEYS, key_of
from weighbridge.policies.families.ome.predictions.merge.workloads import ObjectRefusal
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, lookup

_LABELS: Final = (("metadata", "labels"), ("spec", "template", "labels"))
_POD: Final = ("spec", "template", "spec")
_SIZE: Final = ("spec", "leaderWorkerTemplate", "size")
_PORTS: Final = ("spec", "ports")
#: The fields of a component for fields of its Deployment and its other objects, each with whether the rest of the path is the same.
_OF_COMPONENT: Final[tuple[tuple[Path, str, bool], ...]] = (
    (("spec", "strategy"), "deploymentStrategy", True),
    (("spec", "minAvailable"), "minAvailable", True),
    (("spec", "maxUnavailable"), "maxUnavailable", True),
    (("spec", "metrics"), "scaleTarget", False),
    (("spec", "replicas"), "minReplicas", False),
    (("spec", "minReplicas"), "minReplicas", False),
    (("spec", "maxReplicas"), "maxReplicas", False),
)


class WrittenFields:
    """Finds the fields of a service from which refused fields of its objects come."""

    def __init__(self, service: JSONObject | None) -> None:
        self._service = service
        #: The index of the last item of each key, for each list that was searched.
        self._places: dict[int, dict[Any, int]] = {}

    def field(self, refusal: ObjectRefusal, error: FieldError) -> Path:
        """The field of the service for an error, as far as the service has it; else the component."""
        place = steps(error.field)
        component: Path = ("spec", refusal.component)
        own = part(spec_of(self._service), refusal.component)
        if place in _LABELS:
            return (*component, *self._as_written(own, {}, ("labels",)))
        if place == _SIZE:
            return (*component, *self._as_written(own, {}, ("worker", "size")))
        for start, field, is_same in _OF_COMPONENT:
            if place[: len(start)] == start:
                return (*component, *self._as_written(own, {}, (field, *(place[len(start) :] if is_same else ()))))
        if place[:2] == _PORTS:
            # A Service has the ports of the first container, in the same order.
            place = (*_POD, "containers", 0, "ports", *place[2:3])
        if place[:3] != _POD:
            return ("metadata", "name") if place == ("metadata", "name") else component
        pod, rest = part(refusal.template, "spec"), place[3:]
        if isinstance(own.get(refusal.role), dict):
            component, own = (*component, refusal.role), own[refusal.role]
        runner, container = part(own, "runner"), lookup(pod, rest[:2])
        if rest[:1] == ("containers",) and len(rest) > 1 and runner and text(container, "name") == text(runner, "name"):
            return (*component, "runner", *self._as_written(runner, container, rest[2:]))
        return (*component, *self._as_written(own, pod, rest))

    def _as_written(self, own: JSONValue, merged: JSONValue, path: Path) -> Path:
        """A path in the merged pods as a path in the service, as far as the service has it."""
        out: list[str | int] = []
        key = ""
        for step in path:
            merged = lookup(merged, (step,))
            if isinstance(step, str):
                if not isinstance(own, dict) or step not in own:
                    break
                key = KEYS.get(step, "")
                out.append(step)
            else:
                at = self._place(own, merged, key, step)
                if at is None:
                    break
                out.append(at)
            own = lookup(own, out[-1:])
        return tuple(out)

    def _place(self, own: JSONValue, item: JSONValue, key: str, index: int) -> int | None:
        """The index in the service's list for an item of the merged list. A list whose items have no key isn't merged, so the index is the
        same.
        """
        if not isinstance(own, list):
            return None
        if not key:
            return index if index < len(own) else None
        places = self._places.get(id(own))
        if places is None:
            # If several items have the same key, the last one is used.
            places = self._places[id(own)] = {key_of(each, key): at for at, each in enumerate(own)}
        return places.get(key_of(item, key))
