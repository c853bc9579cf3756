"""The typed JSON of the vectors: ``{"int": 1}``, ``{"map": [[key, value], ...]}``, ``{"double": {"$float": "NaN"}}``.

A value without such a form is held as its type and Go's printed text; only the type can then be compared, and the name if it is a type.
"""

from __future__ import annotations

import base64
import math
from typing import Any

from weighbridge.policies.cel.values.access import cost_size, is_map, pairs
from weighbridge.policies.cel.values.access import elements as list_elements
from weighbridge.policies.cel.values.values import MapValue, TypeValue, Uint, Value, type_name


def decode(tagged: Any) -> Value:
    """The value of a tagged value."""
    kind, content = next(iter(tagged.items()))
    if kind == "list":
        return [decode(element) for element in content]
    if kind == "map":
        made = MapValue()
        for key, value in content:
            made.put(decode(key), decode(value))
        return made
    return _scalar(kind, content)


def _scalar(kind: str, content: Any) -> Value:
    match kind:
        case "uint":
            return Uint(content)
        case "double":
            return float(content["$float"]) if isinstance(content, dict) else float(content)
        case "bytes":
            return base64.b64decode(content)
        case "null":
            return None
        case "int" | "string" | "bool":
            return content
    raise ValueError(f"no value: {kind}")


def agrees(tagged: Any, value: Value) -> bool:
    """Whether a result is of the expected type and equal to what is expected, element by element."""
    if "type" in tagged and "str" not in tagged:
        return isinstance(value, TypeValue) and value.name == tagged["type"]
    if "str" in tagged:
        if tagged["type"] == "type":
            return isinstance(value, TypeValue) and value.name == tagged["str"]
        return bool(type_name(value) == tagged["type"])
    if "list" in tagged:
        if type_name(value) != "list" or cost_size(value) != len(tagged["list"]):
            return False
        return all(agrees(*pair) for pair in zip(tagged["list"], list_elements(value), strict=True))
    if "map" in tagged:
        return is_map(value) and _map_agrees(tagged["map"], value)
    wanted = decode(tagged)
    if wanted.__class__ is not value.__class__:
        return False
    return bool(wanted == value) or (isinstance(value, float) and math.isnan(value) and math.isnan(wanted))


def _map_agrees(wanted: list[Any], value: Value) -> bool:
    found = list(pairs(value))
    return len(found) == len(wanted) and all(any(agrees(key, k) and agrees(inner, v) for k, v in found) for key, inner in wanted)
