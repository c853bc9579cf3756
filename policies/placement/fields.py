"""Reading the parts of a pod that nobody has validated: what is of another type counts as absent.

The API server refuses a pod whose parts have wrong types before anything in this package matters; here it only must not fail.
"""

from __future__ import annotations

from policies.objects import JSONObject, JSONValue


def part(obj: JSONValue, *steps: str) -> JSONObject:
    """The map at a path of keys, or an empty one."""
    for step in steps:
        obj = obj.get(step) if isinstance(obj, dict) else None
    return obj if isinstance(obj, dict) else {}


def items(obj: JSONValue, *steps: str) -> list[JSONObject]:
    """The maps of the list at a path of keys."""
    found = part(obj, *steps[:-1]).get(steps[-1]) if steps else obj
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def text(obj: JSONValue, key: str) -> str:
    """The string under a key, or the empty one."""
    found = obj.get(key) if isinstance(obj, dict) else None
    return found if isinstance(found, str) else ""


def whole(obj: JSONValue, key: str) -> int:
    """The whole number under a key, or 0."""
    found = obj.get(key) if isinstance(obj, dict) else None
    return found if isinstance(found, int) and not isinstance(found, bool) else 0


def texts(obj: JSONValue, key: str) -> tuple[str, ...]:
    """The strings of the list under a key."""
    found = obj.get(key) if isinstance(obj, dict) else None
    return tuple(item for item in found if isinstance(item, str)) if isinstance(found, list) else ()


def text_map(obj: JSONValue, *steps: str) -> dict[str, str]:
    """The map of strings at a path of keys."""
    return {key: value for key, value in part(obj, *steps).items() if isinstance(value, str)}


def containers(spec: JSONObject) -> list[tuple[str, int, JSONObject]]:
    """The containers and init containers of a pod: which list each is in, its index there, and the container."""
    return [(kind, index, held) for kind in ("initContainers", "containers") for index, held in enumerate(items(spec, kind))]
