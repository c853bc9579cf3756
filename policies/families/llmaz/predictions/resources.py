"""Merges requests and limits: a Playground's over its runtime's, and a flavor's limits over both.

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
    """An amount of the container with its origin: the Playground or the runtime, requests or limits. A raised limit comes from the
    requests.
    """

    value: JSONValue
    is_own: bool
    side: Side


def amounts(own: JSONValue, recommended: JSONObject) -> Mapping[Side, Mapping[str, Amount]]:
    """The resources of the container before the flavor: the Playground's, and for other keys the recommended ones.

    If the Playground has the field, even an empty one, limits of cpu and memory are raised to the request, or added.
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
        # A missing limit counts as 0.
        if request is not None and (request.sign() if limit is None else request.compare(limit)) > 0:
            limits[name] = requests[name]
    return found


def printed(value: JSONValue) -> JSONValue:
    """An amount as Go prints it, as a text; any other value stays as it is."""
    found = amount(value)
    return value if found is None else found.canonical()


def merged(own: JSONValue, recommended: JSONObject) -> JSONObject:
    """The resources of the container before the flavor, merged."""
    found = amounts(own, recommended)
    return {side: {name: printed(one.value) for name, one in values.items()} for side, values in found.items() if values}


def with_flavor(resources: JSONObject, limits: JSONObject) -> JSONObject:
    """The resources with every limit of a flavor as request and as limit."""
    given = {side: {**part(resources, side), **limits} for side in _SIDES}
    return {**resources, **{side: {name: printed(value) for name, value in values.items()} for side, values in given.items() if values}}
