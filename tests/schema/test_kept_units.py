"""Compiled schemas from a cache behave like those just compiled, and are used only for the same schema."""

from __future__ import annotations

import copy
import traceback
from typing import Any

import pytest

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.compiled import CompiledSchema
from weighbridge.policies.schema.emit.validate import ValidateEmitter
from weighbridge.policies.schema.kept_units import KeptUnits
from weighbridge.policies.schema.marks import marks
from weighbridge.policies.schema.node import Schema
from weighbridge.policies.schema.node_paths import node_at, node_paths

QUANTITY = r"^[0-9]+(m|Mi|Gi)?$"
RAW: JSONObject = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": {"type": "string", "format": "uuid", "nullable": True},
                "memory": {"type": "string", "pattern": QUANTITY},
                "path": {"type": "string", "pattern": r"^\p{L}+$"},
                "mode": {"type": "string", "enum": ["a", "b"], "default": "a"},
                "any": {"enum": ["x", 1, None]},
                "size": {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}], "minimum": 2},
                "ports": {
                    "type": "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["port"],
                    "items": {"type": "object", "properties": {"port": {"type": "integer"}, "host": {"type": "string", "default": "h"}}},
                },
                "tags": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string", "maxLength": 2}}},
                "choice": {
                    "type": "object",
                    "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
                    "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
                    "not": {"required": ["c"]},
                },
                **{f"wide{number}": {"type": "object", "properties": {"n": {"type": "integer"}}} for number in range(40)},
            },
        },
        "status": {"type": "object", "properties": {"phase": {"type": "string", "default": "New"}}},
    },
}
OBJECTS: list[JSONObject] = [
    {},
    {"spec": {"name": "123e4567-e89b-12d3-a456-426614174000", "memory": "5Gi", "path": "abc", "any": 1, "size": "2", "status": 1}},
    {"spec": {"name": "no", "memory": "x", "path": "1", "mode": "c", "any": 2, "size": 1, "nothing": {"a": 1}}},
    {"spec": {"ports": [{"port": 1}, {"port": 1, "more": True}], "tags": {"a": ["long"], "b": ["ok", None]}}},
    {"spec": {"name": None, "choice": {"a": "1", "b": "2"}, "wide3": {"n": "text"}, "wide39": {"n": 3, "m": 4}}, "status": {}},
    {"spec": {"choice": {"c": 1}}, "status": {"phase": None}},
]


class Memory(dict[str, bytes]):
    """A cache whose content tests can read."""

    def put(self, key: str, data: bytes) -> None:
        self[key] = data


def _schema(cache: Memory | None, raw: JSONObject = RAW, name: str = "test") -> CompiledSchema:
    schema = Schema(copy.deepcopy(raw))
    return CompiledSchema(schema, name, None if cache is None else KeptUnits(schema, name, cache))


def _everything(schema: CompiledSchema, given: JSONObject) -> tuple[Any, ...]:
    obj = copy.deepcopy(given)
    dropped = schema.prune(obj)
    schema.drop_nulls(obj)
    schema.default(obj)
    errors = [str(error) for error in schema.validate(given) + schema.validate_list_types(given)]
    status = schema.subschema("status")
    assert status is not None
    return obj, dropped, errors, [str(error) for error in status.validate(given.get("status"))]


@pytest.mark.parametrize("obj", OBJECTS, ids=range(len(OBJECTS)))
def test_a_schema_from_the_cache_does_what_a_fresh_one_does(obj: JSONObject) -> None:
    cache = Memory()
    expected = _everything(_schema(None), obj)
    assert _everything(_schema(cache), obj) == expected
    kept = dict(cache)
    assert kept
    assert _everything(_schema(cache), obj) == expected
    assert cache == kept, "nothing had to be compiled again"


def test_what_comes_from_the_cache_is_not_written_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Memory()
    for obj in OBJECTS:
        _everything(_schema(cache), obj)
    monkeypatch.setattr("weighbridge.policies.schema.emit.assembly.compile_unit", None)
    warm = _schema(cache)
    for obj in OBJECTS:
        _everything(warm, obj)


def test_a_schema_is_known_by_the_digest_of_its_crd_and_the_name_of_its_version() -> None:
    cache, given = Memory(), {"spec": {"mode": "c"}}
    for name, digest in (("v1", "one"), ("v1", "two"), ("v2", "one")):
        before = len(cache)
        for _ in range(2):
            schema = Schema(copy.deepcopy(RAW))
            assert not CompiledSchema(schema, name, KeptUnits(schema, name, cache, digest)).holds(given)
        assert len(cache) > before, "units of another CRD or version aren't used"
    assert len({key.partition("/")[0] for key in cache}) == 3


def test_the_extensions_of_a_schema_are_kept() -> None:
    embedded: JSONObject = {"type": "object", "properties": {"a": {"type": "object", "x-kubernetes-embedded-resource": True}}}
    ruled = embedded | {"x-kubernetes-validations": [{"rule": "true"}]}
    deep: JSONObject = {}
    for _ in range(3000):
        deep = {"type": "object", "properties": {"a": deep}}
    cache = Memory()
    for raw in (RAW, embedded, ruled, deep, {**RAW, "properties": {"a": deep}}):
        for _ in range(2):
            assert KeptUnits(Schema(raw), "test", cache).marks == marks(raw)
    assert len(cache) == 3, "a schema that is too deep for the cache has no place in it"


@pytest.mark.parametrize(
    ("change", "value"),
    [(("properties", "spec", "required"), []), (("properties", "status", "properties", "phase", "default"), 1), (("nullable",), False)],
)
def test_another_schema_takes_nothing_of_this_one(change: tuple[str, ...], value: object) -> None:
    cache = Memory()
    _everything(_schema(cache), OBJECTS[1])
    other = copy.deepcopy(RAW)
    node = other
    for step in change[:-1]:
        node = node[step]
    node[change[-1]] = value
    before = set(cache)
    _everything(_schema(cache, other), OBJECTS[1])
    assert before.isdisjoint(set(cache) - before)
    assert len(cache) > len(before)


def test_numbers_and_booleans_that_python_finds_equal_are_different_schemas() -> None:
    cache = Memory()
    for default in (1, 1.0, True):
        raw: JSONObject = {"type": "object", "properties": {"f": {"default": default}}}
        obj: JSONObject = {}
        _schema(cache, raw).default(obj)
        assert obj["f"] is default or repr(obj["f"]) == repr(default)


@pytest.mark.parametrize("spoiled", [b"", b"\x00", b"N", b"(\x01\x00\x00\x00N"])
def test_a_unit_that_can_not_be_read_is_compiled_anew(spoiled: bytes) -> None:
    cache = Memory()
    expected = _everything(_schema(cache), OBJECTS[2])
    for key in cache:
        cache[key] = spoiled
    assert _everything(_schema(cache), OBJECTS[2]) == expected


def test_a_schema_too_deep_to_be_told_from_others_is_not_kept() -> None:
    raw: JSONObject = {"type": "object"}
    for _ in range(3_000):
        raw = {"type": "object", "properties": {"a": raw}}
    cache, schema = Memory(), Schema(raw)
    deep = CompiledSchema(schema, "deep", KeptUnits(schema, "deep", cache))
    assert deep.validate({"a": {}}) == []
    assert not cache


def test_a_traceback_through_code_from_the_cache_shows_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    def defect(value: object, enum: object) -> bool:
        raise ZeroDivisionError

    monkeypatch.setattr(ValidateEmitter, "environment", {**ValidateEmitter.environment, "in_enum": defect})
    cache, obj = Memory(), {"spec": {"name": None, "any": 5}}
    for _ in ("fresh", "from the cache"):
        with pytest.raises(ZeroDivisionError) as caught:
            _schema(cache).validate(obj)
        assert " in_enum(v" in "".join(traceback.format_exception(caught.value))


def test_every_node_has_a_path_that_leads_to_it() -> None:
    paths = node_paths(RAW)
    root = Schema(RAW)
    for identity, path in paths.items():
        assert id(node_at(root, path).raw) == identity
    assert ("properties", "spec", "properties", "choice", "oneOf", 1) in paths.values()
    for wrong in (("properties", "none"), ("items",), ("items", "items"), ("oneOf", 0), ("other",)):
        with pytest.raises((LookupError, TypeError, ValueError)):
            node_at(root, wrong)
