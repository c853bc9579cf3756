"""Specs of AIM's kinds as Go encodes them: an operator writes an object back, or applies one that it builds from others.

Go drops a zero, an empty text, `false` and an empty list, and writes amounts as it prints them: `4` as `"4"`, `1024Gi` as `1Ti`. Both
operators add a finalizer to a service before anything else, and write back the whole service. If an immutable value changes by that, the
API server refuses the update, and the operator tries again forever.

Source: aim-engine v0.2.1, internal/controller/aimservice_controller.go and api/v1alpha1; kaiwo dbca1b55,
internal/controller/utils/reconciler.go and apis/aim/v1alpha1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import amount
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, lookup, metadata_of

#: The fields of each operator's services whose CRD compares the new value with the old one.
_IMMUTABLE: Final = {
    True: (("model",), ("template",), ("overrides", "hardware")),
    False: (("overrides", "gpuSelector"), ("kvCache", "storage")),
}
#: The values that Go drops, by the name of the map and of its field; the API server sets no equal default for them.
_DROPPED: Final[Mapping[tuple[str, str], JSONValue]] = {
    ("template", "name"): "",
    ("template", "allowUnoptimized"): False,
    ("gpu", "requests"): 0,
    ("gpu", "model"): "",
    ("gpu", "resourceName"): "",
    ("gpuSelector", "resourceName"): "",
    ("modelSources", "env"): [],
    ("env", "value"): "",
    ("fieldRef", "apiVersion"): "",
    ("resourceFieldRef", "containerName"): "",
    ("storage", "accessModes"): [],
}
_AMOUNTS: Final = frozenset(
    {
        ("cpu", "requests"),
        ("cpu", "limits"),
        ("gpu", "minVram"),
        ("modelSources", "size"),
        ("resourceFieldRef", "divisor"),
        ("storage", "size"),
    }
)
#: The maps of amounts in `resources`.
_SIDES: Final = ("requests", "limits")


class ChangedValue(NamedTuple):
    """A value that Go writes otherwise: `becomes` is empty if it is dropped, and `found` is `None` if it is added."""

    path: Path
    found: JSONValue
    becomes: str


def changed_values(service: JSONObject, dialect: Dialect) -> list[ChangedValue]:
    """The immutable values that the operator's first update changes; none if the service has the finalizer already."""
    if dialect.finalizer in (metadata_of(service).get("finalizers") or ()):
        return []
    spec = spec_of(service)
    fixed = _IMMUTABLE[dialect.is_aim_engine]
    return [one for path in fixed for one in _changes(lookup(spec, path), path[-1], ("spec", *path))]


def variables_in_go(entries: Iterable[JSONObject]) -> list[JSONObject]:
    """Variables as Go writes them."""
    return [_in_go(entry, "env") for entry in entries]


def spec_in_go(spec: JSONObject) -> JSONObject:
    """The spec of a template or of a model as Go writes it."""
    return {key: _in_go(value, key) for key, value in spec.items()}


def _in_go(value: JSONValue, name: str) -> JSONValue:
    if isinstance(value, list):
        return [_in_go(item, name) for item in value]
    if not isinstance(value, dict):
        return value
    if name == "resources":
        return {key: _amounts(inner) if key in _SIDES else inner for key, inner in value.items()}
    out = {field: _in_go(inner, field) for field, inner in value.items()}
    for one in _own_changes(value, name):
        field = str(one.path[-1])
        out = {**out, field: one.becomes} if one.becomes else {key: inner for key, inner in out.items() if key != field}
    return out


def _amounts(given: JSONValue) -> JSONValue:
    if not isinstance(given, dict):
        return given
    read = {key: amount(value) for key, value in given.items()}
    return {key: value.canonical() if value is not None else given[key] for key, value in read.items()}


def _changes(value: JSONValue, name: str, path: Path) -> Iterator[ChangedValue]:
    """The changes of a value and below it; `name` is that of the field, also for the items of a list."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _changes(item, name, (*path, index))
    if not isinstance(value, dict):
        return
    yield from _own_changes(value, name, path)
    for field, inner in value.items():
        yield from _changes(inner, field, (*path, field))


def _own_changes(value: JSONObject, name: str, path: Path = ()) -> Iterator[ChangedValue]:
    """The changes of the fields of one map."""
    if name == "resourceFieldRef" and "divisor" not in value:
        yield ChangedValue((*path, "divisor"), None, "0")
    for field, inner in value.items():
        place = (name, field)
        if place in _DROPPED and inner == _DROPPED[place]:
            yield ChangedValue((*path, field), inner, "")
        elif place in _AMOUNTS:
            read = amount(inner)
            if read is not None and read.canonical() != inner:
                yield ChangedValue((*path, field), inner, read.canonical())
