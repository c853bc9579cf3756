"""Where in a service a field of its pods is written."""

from typing import Final

from weighbridge.policies.apiserver.unknown_fields import steps
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.predictions.merge.strategic import KEYS
from weighbridge.policies.families.ome.predictions.merge.workloads import ObjectRefusal
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, lookup

_LABELS: Final = (("metadata", "labels"), ("spec", "template", "labels"))
_POD: Final = ("spec", "template", "spec")
_PORTS: Final = ("spec", "ports")
#: Where a component has fields of its Deployment and of what goes with it, and whether the rest of a path is the same.
_OF_COMPONENT: Final[tuple[tuple[Path, str, bool], ...]] = (
    (("spec", "strategy"), "deploymentStrategy", True),
    (("spec", "minAvailable"), "minAvailable", True),
    (("spec", "maxUnavailable"), "maxUnavailable", True),
    (("spec", "metrics"), "scaleTarget", False),
)


def written_field(service: JSONObject | None, refusal: ObjectRefusal, error: FieldError) -> Path:
    """The field of the service that an error about its pods speaks of, as far as the service writes it; else the component."""
    place = steps(error.field)
    component: Path = ("spec", refusal.component)
    own = part(spec_of(service), refusal.component)
    if place in _LABELS:
        return (*component, *_as_written(own, {}, ("labels",)))
    for start, field, is_same in _OF_COMPONENT:
        if place[: len(start)] == start:
            return (*component, *_as_written(own, {}, (field, *(place[len(start) :] if is_same else ()))))
    if place[:2] == _PORTS:
        # A Service has the ports of the first container, in their order.
        place = (*_POD, "containers", 0, "ports", *place[2:3])
    if place[:3] != _POD:
        return ("metadata", "name") if place == ("metadata", "name") else component
    pod, rest = part(refusal.template, "spec"), place[3:]
    if isinstance(own.get(refusal.role), dict):
        component, own = (*component, refusal.role), own[refusal.role]
    runner, container = part(own, "runner"), lookup(pod, rest[:2])
    if rest[:1] == ("containers",) and len(rest) > 1 and runner and text(container, "name") == text(runner, "name"):
        return (*component, "runner", *_as_written(runner, container, rest[2:]))
    return (*component, *_as_written(own, pod, rest))


def _as_written(own: JSONValue, merged: JSONValue, path: Path) -> Path:
    """The start of a path through what is merged, as it leads through what is written; where it comes to an end, it ends."""
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
            at = _place(own, merged, key, step)
            if at is None:
                break
            out.append(at)
        own = lookup(own, out[-1:])
    return tuple(out)


def _place(own: JSONValue, item: JSONValue, key: str, index: int) -> int | None:
    """Where in a list an item of the merged one is written; a list whose items have no key is one side's alone."""
    if not isinstance(own, list):
        return None
    if not key:
        return index if index < len(own) else None
    named = [lookup(each, (key,)) for each in own]
    wanted = lookup(item, (key,))
    # Of several with one name the last is as good as any.
    return len(named) - 1 - named[::-1].index(wanted) if wanted in named else None
