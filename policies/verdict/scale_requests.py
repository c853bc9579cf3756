"""Turns a request to `*/scale` into an update of the scaled object, so that rules can judge it with its new replicas.

The API server sends a webhook only the Scale before and after. The object itself is looked up among the facts.
Source: k8s.io/api/autoscaling/v1, and the CRD's `subresources.scale`.
"""

from __future__ import annotations

from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Unchecked
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, lookup
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.request import Request


def scaled(request: Request, obj: JSONValue, definition: ResourceDefinition | None, facts: Facts) -> Request | Unchecked:
    """The update of the object that a scale means. `obj` is the decoded body: offline the whole object, for a webhook the Scale."""
    if definition is None or definition.scale is None or request.resource is None:
        return Unchecked("scale", "no CustomResourceDefinition with a scale subresource is known for it")
    gvk = definition.gvk
    if isinstance(obj, dict) and GroupVersionKind.from_object(obj) == gvk:
        return replace(request, gvk=gvk, object=obj, subresource="")
    stored = facts.objects.get(gvk.group, gvk.kind, request.namespace, request.name)
    if not isinstance(stored, dict):
        return Unchecked("scale", f"{gvk.kind} {request.namespace}/{request.name} isn't known")
    wanted, steps = lookup(obj, ("spec", "replicas"), 0), tuple(definition.scale["specReplicasPath"].strip(".").split("."))
    return replace(request, gvk=gvk, object=_put(stored, steps, wanted), old_object=stored, subresource="")


def _put(obj: JSONObject, steps: tuple[str, ...], value: JSONValue) -> JSONObject:
    """A copy of the object with the value at a path of keys. Only the maps along the path are copied."""
    if not steps:
        return obj
    below = obj.get(steps[0])
    held = value if len(steps) == 1 else _put(below if isinstance(below, dict) else {}, steps[1:], value)
    return {**obj, steps[0]: held}
