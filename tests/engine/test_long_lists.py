"""If a list in an object is twice as long, the work doubles, counted and not timed, for every field of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from tests.counted_calls import calls_of
from tests.yaml_documents import read_all
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families import families
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.ground.objects import Path as FieldPath
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.facts import bundled_definitions
from weighbridge.webhook.inputs.requests import request_of

CASES: Final = Path(__file__).resolve().parents[1] / "cases"
_DEFINITIONS: Final = bundled_definitions()
#: With linear growth each doubling adds twice as much as the one before, with quadratic growth four times as much.
_SIZES: Final = (40, 80, 160)
_CURVED: Final = 2.15
#: A tolerance: work that is done once for many items may begin between two sizes.
_LITTLE: Final = 150
_DEEPEST: Final = 8


@cache
def fullest(gvk: GroupVersionKind, family: str) -> tuple[JSONObject, Facts]:
    """The longest object among the family's accepted cases of a kind, and the cluster around it."""
    best: tuple[int, JSONObject, list[JSONObject]] = (-1, {"apiVersion": gvk.api_version, "kind": gvk.kind, "metadata": {"name": "a"}}, [])
    for folder in sorted(CASES.joinpath(family).glob("accepts-*")):
        obj = next(iter(read_all(Path(folder, "object.yaml").read_text(encoding="utf-8"))))
        if GroupVersionKind.from_object(obj) == gvk and len(str(obj)) > best[0]:
            around = Path(folder, "cluster.yaml")
            beside = [one for one in read_all(around.read_text(encoding="utf-8")) if isinstance(one, dict)] if around.exists() else []
            best = (len(str(obj)), obj, [one for one in beside if "kind" in one])
    return best[1], from_objects(best[2], _DEFINITIONS)


def value(schema: JSONObject, number: int, name: str = "") -> Any:
    """A valid value of a field, a different one for each number; all have the same length."""
    if "enum" in schema:
        return schema["enum"][number % len(schema["enum"])]
    match schema.get("type"):
        case "integer" | "number":
            # Kubernetes allows weights up to 100.
            return max(1, int(schema.get("minimum", 1))) + (number if name != "weight" else 0)
        case "boolean":
            return True
        case "array":
            return [value(schema["items"], number)]
        case "object":
            properties = schema.get("properties", {})
            keys = dict.fromkeys([*schema.get("required", ()), *(name for name in ("name", "key") if name in properties)])
            return {key: value(properties[key], number, key) for key in keys}
    return number if schema.get("x-kubernetes-int-or-string") else f"a{number:03}"


def long_fields(schema: JSONObject, path: FieldPath = ()) -> Iterator[tuple[FieldPath, JSONObject]]:
    """Every list and map without a fixed bound, with its schema; a list is entered by its first item."""
    if len(path) > _DEEPEST:
        return
    if schema.get("type") == "array":
        if schema.get("maxItems", _SIZES[-1]) >= _SIZES[-1]:
            yield path, schema
        yield from long_fields(schema["items"], (*path, 0))
    elif isinstance(schema.get("additionalProperties"), dict) and schema.get("maxProperties", _SIZES[-1]) >= _SIZES[-1]:
        yield path, schema
    for name, inner in schema.get("properties", {}).items():
        if path or name == "spec":
            yield from long_fields(inner, (*path, name))


def filled(obj: JSONObject, schema: JSONObject, path: FieldPath, count: int) -> JSONObject:
    """The object with that many entries in a field, and with the parents of the field."""
    out: JSONObject = deepcopy(obj)
    node: Any = out
    for at, step in enumerate(path):
        schema = schema["items"] if isinstance(step, int) else schema["properties"][step]
        if at == len(path) - 1:
            break
        there = node[step] if (isinstance(step, int) and step < len(node)) or (isinstance(step, str) and step in node) else None
        if not isinstance(there, dict | list) or not there:
            there = value(schema, 0)
            if isinstance(step, int):
                node.append(there)
            else:
                node[step] = there
        node = there
    if schema["type"] == "array":
        node[path[-1]] = [value(schema["items"], number) for number in range(count)]
    else:
        node[path[-1]] = {f"k{number}": value(schema["additionalProperties"], number) for number in range(count)}
    return out


def calls(obj: JSONObject, facts: Facts, phase: Phase) -> int:
    """The number of functions that a decision calls."""
    request = request_of(obj, _DEFINITIONS, uid="d", namespace="default")
    return calls_of(lambda: decide(request, facts, DEFAULT, phase))


def _spots() -> Iterator[Any]:
    """Every long field of the kinds; fields with equal schemas in one kind, such as those of each container, once."""
    for family in families():
        for kind in family.kinds:
            definition = _DEFINITIONS.get(kind.gvk)
            if definition is None or not definition.served:
                continue
            alike = set[str]()
            for path, _schema in long_fields(definition.openapi_schema):
                name = ".".join(step for step in path[-2:] if isinstance(step, str))
                if name not in alike:
                    alike.add(name)
                    title = f"{kind.gvk.kind}.{kind.gvk.group}/{kind.gvk.version} {'.'.join(map(str, path))}"
                    yield pytest.param(family.name, kind.gvk, path, id=title)


@pytest.mark.parametrize(("family", "gvk", "path"), list(_spots()))
def test_a_list_that_is_twice_as_long_is_twice_the_work(family: str, gvk: GroupVersionKind, path: FieldPath) -> None:
    definition = _DEFINITIONS.get(gvk)
    assert definition is not None
    obj, facts = fullest(gvk, family)
    for phase in (Phase.VALIDATE, Phase.MUTATE):
        # The first run imports, compiles and fills memories.
        _, *counts = [calls(filled(obj, definition.openapi_schema, path, size), facts, phase) for size in (_SIZES[-1], *_SIZES)]
        first, second = (after - before for before, after in pairwise(counts))
        assert second <= _CURVED * first + _LITTLE, (phase, counts)
