"""When objects were stored: of two that want the same thing an operator serves the earlier, and what came late had failed before."""

from __future__ import annotations

from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject, metadata_of


def created(obj: JSONObject) -> str:
    """When the object was stored, empty where it isn't yet; RFC 3339 in UTC, which sorts as text."""
    return text(metadata_of(obj), "creationTimestamp")


def is_earlier(other: JSONObject, obj: JSONObject) -> bool:
    """Whether another object was there before; to one that isn't stored yet all are."""
    own = created(obj)
    return not own or "" < created(other) < own
