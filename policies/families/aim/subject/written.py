"""Specs as they are written, by the group of their object, and what an update changes in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import items
from weighbridge.policies.ground.objects import JSONObject, Operation, Path
from weighbridge.policies.ground.request import Request


class SpecChange(NamedTuple):
    """The specs before and after an update."""

    old: JSONObject
    new: JSONObject


def change_of(request: Request, facts: Facts, config: Configuration) -> SpecChange | None:
    """Both specs of an update; `None` for other operations."""
    old, new = request.old_object, request.object
    if request.operation is not Operation.UPDATE or not isinstance(old, dict) or not isinstance(new, dict):
        return None
    return SpecChange(spec_of(old), spec_of(new))


def model_sources(spec: JSONObject) -> Iterator[tuple[Path, JSONObject]]:
    """The model sources in the spec of any kind, each with its path: the spec's own, and those of a model that a service describes."""
    for steps in (("modelSources",), ("model", "custom", "modelSources")):
        yield from ((("spec", *steps, index), source) for index, source in enumerate(items(spec, *steps)))
