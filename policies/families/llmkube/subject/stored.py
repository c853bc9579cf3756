"""An object as the API server stores it."""

from __future__ import annotations

from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of, namespace_of


def as_stored(obj: JSONObject, namespace: str) -> JSONObject:
    """The object with its namespace and its name, which a manifest may leave open: the server appends five characters to `generateName`."""
    if namespace_of(obj) and name_of(obj):
        return obj
    metadata = metadata_of(obj)
    start = text(metadata, "generateName")
    name = name_of(obj) or (f"{start}xxxxx" if start else "")
    return {**obj, "metadata": {**metadata, "namespace": namespace_of(obj) or namespace, "name": name}}
