"""Reads parts of objects that aren't validated: a value of another type counts as absent.

The API server refuses an object with wrong types before this is used. For an object from a file, reading must only not fail.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.quantity import Quantity, QuantityError


def part(obj: JSONValue, *steps: str) -> JSONObject:
    """The map at a path of keys, or an empty one.

    >>> part({"spec": {"template": {"replicas": 2}}}, "spec", "template")
    {'replicas': 2}
    >>> part({"spec": "text"}, "spec", "template")
    {}
    """
    for step in steps:
        if not isinstance(obj, dict):
            return {}
        obj = obj.get(step)
    return obj if isinstance(obj, dict) else {}


def items(obj: JSONValue, *steps: str) -> list[JSONObject]:
    """The maps of the list at a path of keys."""
    for step in steps:
        if not isinstance(obj, dict):
            return []
        obj = obj.get(step)
    return [item for item in obj if isinstance(item, dict)] if isinstance(obj, list) else []


def text(obj: JSONValue, key: str, default: str = "") -> str:
    """The string under a key, or the default."""
    found = obj.get(key) if isinstance(obj, dict) else None
    return found if isinstance(found, str) else default


def texts(obj: JSONValue, key: str) -> tuple[str, ...]:
    """The strings of the list under a key."""
    found = obj.get(key) if isinstance(obj, dict) else None
    return tuple(item for item in found if isinstance(item, str)) if isinstance(found, list) else ()


def text_map(obj: JSONValue, *steps: str) -> dict[str, str]:
    """The map of strings at a path of keys."""
    found = part(obj, *steps)
    return {key: value for key, value in found.items() if isinstance(value, str)} if found else {}


def repeats(words: Iterable[str]) -> Iterator[bool]:
    """For each word, whether it came before."""
    seen = set[str]()
    for word in words:
        yield word in seen
        seen.add(word)


def whole(obj: JSONValue, key: str, default: int = 0) -> int:
    """The integer under a key, or the default."""
    found = obj.get(key) if isinstance(obj, dict) else None
    return found if isinstance(found, int) and not isinstance(found, bool) else default


def flag(obj: JSONValue, key: str) -> bool:
    """Whether a key has the value true."""
    return isinstance(obj, dict) and obj.get(key) is True


def amount(value: JSONValue) -> Quantity | None:
    """A quantity as JSON writes it, a string or a number; `None` for anything else."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        return Quantity.parse(str(value))
    except QuantityError:
        return None


def amounts(obj: JSONValue, *steps: str) -> dict[str, Quantity]:
    """The quantities of the map at a path of keys."""
    read = ((name, amount(value)) for name, value in part(obj, *steps).items())
    return {name: found for name, found in read if found is not None}
