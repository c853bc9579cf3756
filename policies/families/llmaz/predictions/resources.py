"""Requests and limits: a Playground's over its runtime's, and a flavor's limits over both.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go and service_controller.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from weighbridge.policies.ground.fields import amount, part
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass

_LIFTED: Final = ("cpu", "memory")
Side: TypeAlias = Literal["limits", "requests"]
_SIDES: Final[tuple[Side, ...]] = ("limits", "requests")


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount of the container: whether the Playground gives it or the runtime, and on which side; a lifted limit is of the requests."""

    value: JSONValue
    is_own: bool
    side: Side


def amounts(own: JSONValue, recommended: JSONObject) -> Mapping[Side, Mapping[str, Amount]]:
    """The resources of the container before the flavor: the Playground's, filled up by key from the recommended ones.

    Only where the Playground has resources of its own, be they empty, is a limit lifted to the request of cpu and memory, or added.
    """
    written = own if isinstance(own, dict) else {}
    found = {
        side: {
            name: Amount(value, is_own, side)
            for given, is_own in ((recommended, False), (written, True))
            for name, value in part(given, side).items()
        }
        for side in _SIDES
    }
    limits, requests = found["limits"], found["requests"]
    for name in _LIFTED if isinstance(own, dict) else ():
        request, limit = (amount(side[name].value) if name in side else None for side in (requests, limits))
        # A limit that isn't there counts as none of it.
        if request is not None and (request.sign() if limit is None else request.compare(limit)) > 0:
            limits[name] = requests[name]
    return found


def printed(value: JSONValue) -> JSONValue:
    """An amount as Go prints it, a text; what is none stays as it is."""
    found = amount(value)
    return value if found is None else found.canonical()


def merged(own: JSONValue, recommended: JSONObject) -> JSONObject:
    """The amounts as the container has them."""
    found = amounts(own, recommended)
    return {side: {name: printed(one.value) for name, one in values.items()} for side, values in found.items() if values}


def with_flavor(resources: JSONObject, limits: JSONObject) -> JSONObject:
    """The resources with every limit of a flavor as request and as limit."""
    given = {side: {**part(resources, side), **limits} for side in _SIDES}
    return {**resources, **{side: {name: printed(value) for name, value in values.items()} for side, values in given.items() if values}}
