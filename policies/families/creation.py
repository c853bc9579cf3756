"""When objects were stored. If two objects want the same thing, the operator serves the older one, and the newer one fails."""

from __future__ import annotations

from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject, metadata_of


def created(obj: JSONObject) -> str:
    """When the object was stored, in RFC 3339 and UTC, which sorts as text; empty if it isn't stored yet."""
    return text(metadata_of(obj), "creationTimestamp")


def is_earlier(other: JSONObject, obj: JSONObject) -> bool:
    """Whether the other object is older. All stored objects are older than one that isn't stored yet."""
    own = created(obj)
    return not own or "" < created(other) < own
