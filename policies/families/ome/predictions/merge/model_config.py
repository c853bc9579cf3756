"""The ConfigMap in which OME's controller describes the model of a service, before it creates anything else.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/modelconfig/modelconfig_reconciler.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.kinds import BASE_MODELS, CLUSTER_BASE_MODELS, FINE_TUNED_WEIGHTS, PREFIX
from weighbridge.policies.families.ome.subject.service_spec import weight_names
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject, JSONValue, name_of, namespace_of

_KEY: Final = "models.json"
#: The fields of a storage in upstream's order, each with its name in the ConfigMap.
_STORAGE: Final = (
    ("storageUri", "storageUri"),
    ("path", "path"),
    ("schemaPath", "schemaPath"),
    ("parameters", "parameters"),
    ("key", "storageKey"),
)


def described(config_map: JSONObject, service: JSONObject, facts: Facts) -> JSONObject:
    """The ConfigMap of a stored service, with its label and its data; without data if the model isn't known."""
    metadata = {**part(config_map, "metadata"), "labels": {f"{PREFIX}inferenceservice": name_of(service)}}
    entry = _entry(service, facts)
    return {**config_map, "metadata": metadata, **({"data": {_KEY: f"[{entry}]"}} if entry else {})}


def _entry(service: JSONObject, facts: Facts) -> str:
    """The description; empty if a part of it isn't known."""
    reference = part(spec_of(service), "model")
    name, kind, namespace = text(reference, "name"), text(reference, "kind"), namespace_of(service)
    weight: JSONObject | None = None
    if kind == FINE_TUNED_WEIGHTS.kind:
        weight = FINE_TUNED_WEIGHTS.get(facts, "", name)
        base = part(spec_of(weight), "baseModelRef")
        name, namespace = text(base, "name"), text(base, "namespace")
        kind = BASE_MODELS.kind if namespace else ""
        if weight is None:
            return ""
    elif names := weight_names(service):
        weight = FINE_TUNED_WEIGHTS.get(facts, "", names[0]) if names[0] else None
    model = BASE_MODELS.get(facts, namespace, name) if kind == BASE_MODELS.kind else CLUSTER_BASE_MODELS.get(facts, "", name)
    if model is None:
        return ""
    members = [("modelName", json_text(name)), ("modelSpec", _struct(_of_model(spec_of(model))))]
    if weight is not None:
        members.append(("fineTunedWeightSpec", _struct(_of_weight(spec_of(weight)))))
    return _joined(members)


def _of_storage(spec: JSONObject) -> Iterator[tuple[str, JSONValue]]:
    storage = part(spec, "storage")
    for field, name in _STORAGE:
        if storage.get(field) not in (None, {}):
            yield name, storage[field]


def _of_model(spec: JSONObject) -> Iterator[tuple[str, JSONValue]]:
    yield from _of_storage(spec)
    yield "modelFormatName", text(part(spec, "modelFormat"), "name")
    yield from _given(part(spec, "modelFormat"), "version", "modelFormatVersion")
    yield from _given(spec, "modelType", "modelType")
    framework = spec.get("modelFramework")
    if isinstance(framework, dict):
        yield "modelFrameworkName", text(framework, "name")
        yield from _given(framework, "version", "modelFrameworkVersion")


def _of_weight(spec: JSONObject) -> Iterator[tuple[str, JSONValue]]:
    yield from _of_storage(spec)
    yield from _given(spec, "modelType", "modelType")


def _given(spec: JSONObject, field: str, name: str) -> Iterator[tuple[str, JSONValue]]:
    if isinstance(spec.get(field), str):
        yield name, spec[field]


def _struct(fields: Iterator[tuple[str, JSONValue]]) -> str:
    """A Go struct as JSON, with the fields in their order."""
    return _joined([(name, json_text(value)) for name, value in fields])


def _joined(members: list[tuple[str, str]]) -> str:
    return "{" + ",".join(f"{json_text(name)}:{value}" for name, value in members) + "}"
