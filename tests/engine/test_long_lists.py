"""If a list in an object is twice as long, the work doubles, counted and not timed, for every field of every kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
#: For kinds with so many long fields that all of them together would take minutes.
_SMALL_SIZES: Final = (10, 20, 40)
_MANY: Final = 100
_WARMING: Final = 6
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


def fill(obj: JSONObject, schema: JSONObject, path: FieldPath, count: int) -> None:
    """Put that many entries into a field of an object, and add the parents of the field that are missing."""
    node: Any = obj
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


def filled(obj: JSONObject, schema: JSONObject, paths: Iterable[FieldPath], count: int) -> JSONObject:
    """A copy of the object with so many entries in some fields."""
    out: JSONObject = deepcopy(obj)
    for path in paths:
        fill(out, schema, path, count)
    return out


def calls(obj: JSONObject, facts: Facts, phase: Phase) -> int:
    """The number of functions that a decision calls."""
    request = request_of(obj, _DEFINITIONS, uid="d", namespace="default")
    return calls_of(lambda: decide(request, facts, DEFAULT, phase))


def assert_twice_the_work(family: str, gvk: GroupVersionKind, paths: Sequence[FieldPath], sizes: Sequence[int]) -> None:
    """Each doubling of some fields adds twice what the one before it adds, in both phases."""
    definition = _DEFINITIONS.get(gvk)
    assert definition is not None
    obj, facts = fullest(gvk, family)
    for phase in (Phase.VALIDATE, Phase.MUTATE):
        # The first ones import, compile and remember; a method of a record is compiled at its seventh call.
        warming = (sizes[-1], *[_SMALL_SIZES[0]] * _WARMING)
        counts = [calls(filled(obj, definition.openapi_schema, paths, size), facts, phase) for size in (*warming, *sizes)][-len(sizes) :]
        first, second = (after - before for before, after in pairwise(counts))
        assert second <= _CURVED * first + _LITTLE, (phase, counts)


def _kinds() -> Iterator[tuple[str, GroupVersionKind, JSONObject]]:
    """The served kinds with their families and schemas."""
    for family in families():
        for kind in family.kinds:
            definition = _DEFINITIONS.get(kind.gvk)
            if definition is not None and definition.served:
                yield family.name, kind.gvk, definition.openapi_schema


def _spots() -> Iterator[Any]:
    """Every long field of the kinds; fields that are declared alike in one kind, as those of each container, once."""
    for family, gvk, schema in _kinds():
        alike = set[str]()
        for path, _ in long_fields(schema):
            name = ".".join(step for step in path[-2:] if isinstance(step, str))
            if name not in alike:
                alike.add(name)
                yield pytest.param(family, gvk, path, id=f"{gvk.kind}.{gvk.group}/{gvk.version} {'.'.join(map(str, path))}")


@pytest.mark.parametrize(("family", "gvk", "path"), list(_spots()))
def test_a_list_that_is_twice_as_long_is_twice_the_work(family: str, gvk: GroupVersionKind, path: FieldPath) -> None:
    assert_twice_the_work(family, gvk, [path], _SIZES)


@pytest.mark.parametrize(
    ("family", "gvk", "paths"),
    [
        pytest.param(family, gvk, [path for path, _ in long_fields(schema)], id=f"{gvk.kind}.{gvk.group}/{gvk.version}")
        for family, gvk, schema in _kinds()
    ],
)
def test_lists_that_grow_together_are_twice_the_work(family: str, gvk: GroupVersionKind, paths: list[FieldPath]) -> None:
    # Thousands of fields are full at once in the largest kinds.
    assert_twice_the_work(family, gvk, paths, _SIZES if len(paths) < _MANY else _SMALL_SIZES)
