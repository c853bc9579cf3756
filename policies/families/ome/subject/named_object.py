"""The object of a request with its namespace and its name, which a manifest may leave open."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.request import Request

#: The text that the API server adds to `generateName`.
_SUFFIX: Final = "xxxxx"


def named_object(request: Request) -> JSONObject | None:
    """The object with its namespace and its name; `None` without a spec, and for subresources."""
    return request.once(named_object, lambda: _named_object(request))


def _named_object(request: Request) -> JSONObject | None:
    found = request.object
    if request.subresource or not isinstance(found, dict) or not isinstance(found.get("spec"), dict):
        return None
    metadata = metadata_of(found)
    name = name_of(found) or f"{text(metadata, 'generateName')}{_SUFFIX}"
    return {**found, "metadata": {**metadata, "namespace": namespace_of(found) or request.namespace or "default", "name": name}}
