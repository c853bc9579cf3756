"""Requests and limits: a Playground's over its runtime's, and a flavor's limits over both.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go and service_controller.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.fields import amount, part
from weighbridge.policies.ground.objects import JSONObject, JSONValue

_LIFTED: Final = ("cpu", "memory")


def merged(own: JSONValue, recommended: JSONObject) -> JSONObject:
    """The resources of the container before the flavor: the Playground's, filled up by key from the recommended ones.

    Only where the Playground has resources of its own, be they empty, is a limit lifted to the request of cpu and memory, or added.
    """
    written = own if isinstance(own, dict) else {}
    found = {kind: {**part(recommended, kind), **part(written, kind)} for kind in ("limits", "requests")}
    limits, requests = found["limits"], found["requests"]
    if isinstance(own, dict):
        for name in _LIFTED:
            request, limit = amount(requests.get(name)), amount(limits.get(name))
            # A limit that isn't there counts as none of it.
            if request is not None and (request.sign() if limit is None else request.compare(limit)) > 0:
                limits[name] = requests[name]
    return {kind: values for kind, values in found.items() if values}


def with_flavor(resources: JSONObject, limits: JSONObject) -> JSONObject:
    """The resources with every limit of a flavor as request and as limit."""
    if not limits:
        return resources
    return {**resources, "limits": {**part(resources, "limits"), **limits}, "requests": {**part(resources, "requests"), **limits}}
