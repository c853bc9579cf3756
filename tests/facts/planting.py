"""Objects with a secret in every place that a CRD's schema has for a text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path

#: Generates the text that is planted at a path.
Plant = Callable[[Path], str]
ARGUMENTS = ("args", "command", "extraArgs", "engineArgs")


def secret_texts() -> Plant:
    """Texts that occur nowhere else: ``SECRET-12-``."""
    numbers = count(1)
    return lambda _: f"SECRET-{next(numbers)}-"


def planted(schema: JSONObject, plant: Plant, path: Path = ()) -> JSONValue:
    """A value of the schema with all fields, in which every text is a secret; enumerations have one of their values."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object" or "properties" in schema:
        return _map(schema, plant, path)
    if kind == "array":
        item = schema["items"]
        if item.get("type") == "string" and "enum" not in item and str(path[-1]).lower().endswith(("args", "command", "flags")):
            return _arguments(plant, path)
        return [planted(item, plant, (*path, 0))]
    if kind == "integer":
        return 1
    if kind == "boolean":
        return True
    return 1.5 if kind == "number" else plant(path)


def _map(schema: JSONObject, plant: Plant, path: Path) -> JSONObject:
    found = {name: planted(below, plant, (*path, name)) for name, below in (schema.get("properties") or {}).items()}
    others = schema.get("additionalProperties")
    if isinstance(others, dict):
        found |= {key: planted(others, plant, (*path, key)) for key in ("a-key", "name", "path")}
    if schema.get("x-kubernetes-preserve-unknown-fields") or not (found or others):
        found |= {key: plant((*path, key)) for key in ("password", "apiKey", "anything")}
        found["env"] = [{"name": "X", "value": plant((*path, "env", 0, "value"))}]
        found["args"] = _arguments(plant, (*path, "args"))
    return found


def _arguments(plant: Plant, path: Path) -> list[str]:
    texts = [plant((*path, index)) for index in range(6)]
    return [f"--api-key={texts[0]}", "--token", texts[1], texts[2], "-p", texts[3], f"KEY={texts[4]}", f"--port={texts[5]}", "--port=8080"]


def texts_of(value: JSONValue, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Every text with its path."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from texts_of(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from texts_of(inner, (*path, index))
    elif isinstance(value, str):
        yield path, value
