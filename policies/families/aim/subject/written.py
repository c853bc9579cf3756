"""Specs as they are written, by the group of their object, and what an update changes in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import items
from weighbridge.policies.ground.objects import JSONObject, Operation, Path
from weighbridge.policies.ground.request import Request


class Change(NamedTuple):
    """The specs before and after an update."""

    old: JSONObject
    new: JSONObject


def any_spec(request: Request, facts: Facts, config: Configuration) -> JSONObject | None:
    """The spec of a request's object; `None` where it has no object."""
    return spec_of(request.object) if isinstance(request.object, dict) else None


def new_spec(request: Request, facts: Facts, config: Configuration) -> JSONObject | None:
    """The spec of an object of aim-engine's group."""
    return any_spec(request, facts, config) if request.gvk.group == NEW else None


def old_spec(request: Request, facts: Facts, config: Configuration) -> JSONObject | None:
    """The spec of an object of kaiwo's group."""
    return any_spec(request, facts, config) if request.gvk.group == OLD else None


def change_of(request: Request, facts: Facts, config: Configuration) -> Change | None:
    """Both specs of an update; `None` for other operations."""
    old, new = request.old_object, request.object
    if request.operation is not Operation.UPDATE or not isinstance(old, dict) or not isinstance(new, dict):
        return None
    return Change(spec_of(old), spec_of(new))


def model_sources(spec: JSONObject) -> Iterator[tuple[Path, JSONObject]]:
    """The model sources of any kind's spec, each with its path: its own, and those of a service's own model."""
    for steps in (("modelSources",), ("model", "custom", "modelSources")):
        yield from ((("spec", *steps, index), source) for index, source in enumerate(items(spec, *steps)))
