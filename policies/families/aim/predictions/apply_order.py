"""The objects of a service that the API server refuses; aim-engine stops at the first of them.

It applies the objects that the service owns by group and kind: the derived template, a dedicated cache, the route, the InferenceService.
Then it applies those that others may share: the model and a shared cache. So without a valid route there is no shared cache and no model.

Overrides that name no GPU, number, precision or metric give the derived template the name of the chosen one. aim-engine then applies it
over that template, and takes it over unless a value conflicts with what its author wrote, or its hardware would change.

Source: aim-engine v0.2.1, internal/controller/utils/apply.go (ApplyDesiredState) and reconciler.go (Run); internal/aimservice/template.go
(buildDerivedTemplate).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from weighbridge.policies.families.aim.predictions.go_form import spec_in_go
from weighbridge.policies.families.aim.predictions.outcome import Service
from weighbridge.policies.families.aim.predictions.paths.route import route_errors, route_name
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.field_errors import ErrorType, FieldError
from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.objects import JSONObject, JSONValue, name_of
from weighbridge.policies.pods.validation.template import label_errors


class Refusal(NamedTuple):
    """An object that the API server refuses, with the errors."""

    kind: str
    group: str
    name: str
    errors: Sequence[FieldError]


def refused_route(service: Service) -> Refusal | None:
    """The refusal of the service's route, if it gets one."""
    if service.route is None or service.route.failure or not service.route.path:
        return None
    errors = list(route_errors(service.stored, service.config.spec, service.dialect))
    return Refusal("HTTPRoute", "gateway.networking.k8s.io", route_name(service.stored, service.dialect), errors) if errors else None


def refused_labels(obj: JSONObject, group: str) -> Refusal | None:
    """The refusal of an object with a label that is too long: the name of the service is one."""
    errors = list(label_errors(text_map(obj, "metadata", "labels"), "metadata.labels"))
    return Refusal(obj["kind"], group, name_of(obj), errors) if errors else None


def refused_derived(derived: JSONObject, base: JSONObject, group: str) -> Refusal | None:
    """The refusal of a derived template; `base` is the template from which it is derived."""
    if refusal := refused_labels(derived, group):
        return refusal
    errors = list(_conflicts(derived, base)) if name_of(derived) == name_of(base) else []
    return Refusal("AIMServiceTemplate", group, name_of(derived), errors) if errors else None


def _conflicts(derived: JSONObject, base: JSONObject) -> Iterator[FieldError]:
    """Why a derived template can't be applied over the template of its name."""
    ours, theirs = spec_of(derived), spec_in_go(spec_of(base))
    held = text_map(base, "metadata", "labels")
    for key, value in text_map(derived, "metadata", "labels").items():
        if held.get(key, value) != value:
            yield FieldError(ErrorType.FORBIDDEN, f"metadata.labels[{key}]", None, "it conflicts with the template of that name")
    for path in _differing(ours, theirs, "spec"):
        yield FieldError(ErrorType.FORBIDDEN, path, None, "it conflicts with the template of that name")
    hardware = ours.get("hardware")
    if isinstance(hardware, dict) and _adds(hardware, theirs.get("hardware")):
        yield FieldError(ErrorType.INVALID, "spec.hardware", hardware, "hardware is immutable")


def _differing(ours: JSONValue, theirs: JSONValue, path: str) -> Iterator[str]:
    """The fields that both have with different values; lists count as a whole."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key, value in ours.items():
            if key in theirs:
                yield from _differing(value, theirs[key], f"{path}.{key}")
    elif ours != theirs:
        yield path


def _adds(ours: JSONValue, theirs: JSONValue) -> bool:
    """Whether one side has a field that the other one lacks."""
    if not isinstance(ours, dict):
        return False
    return not isinstance(theirs, dict) or any(key not in theirs or _adds(value, theirs[key]) for key, value in ours.items())
