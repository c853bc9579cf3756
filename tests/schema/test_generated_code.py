"""The generated functions: no text of a schema becomes code, they are generated when needed, and always the same."""

from __future__ import annotations

import ast
import builtins
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from weighbridge.policies.codegen import unit
from weighbridge.policies.schema.compiled import CompiledSchema
from weighbridge.policies.schema.node import MAX_DEPTH, Schema, SchemaTooDeepError

NASTY = [
    "x'); import os; ('", '"""', "'''", "\\", "\n    return True", "\r", "\u2028", "a\x00b", "__class__", "__builtins__", "value",
    "valid_1", "k1", "return", "None", "{value}", "%s", "#", "é", "\ud800", "", " ", "lambda: 0", "*", "is_valid", "f'{1/0}'",
]  # fmt: skip


def nasty_schema() -> dict[str, Any]:
    """Every nasty text as a field, an enum, a default, a required name, a map key and a pattern's literal."""
    properties: dict[str, Any] = {
        text: {"type": "string", "enum": [text], "default": text, "description": text, "pattern": "^[^~]*$"} for text in NASTY
    }
    properties["object"] = {
        "type": "object",
        "properties": dict(properties),
        "required": list(NASTY),
        "default": {text: text for text in NASTY},
    }
    properties["list"] = {
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": list(NASTY),
        "items": {"type": "object", "properties": dict(properties)},
    }
    return {"type": "object", "properties": properties, "required": list(NASTY)}


def test_texts_that_look_like_code_stay_texts() -> None:
    schema = CompiledSchema(Schema(nasty_schema()), 'x\'\n"""#')
    obj: dict[str, Any] = {"list": [{}], "unknown": 1}
    assert schema.prune(obj) == ["unknown"]
    schema.drop_nulls(obj)
    schema.default(obj)
    assert obj["object"] == {text: text for text in NASTY}
    assert all(obj[text] == text and obj["object"][text] == text and obj["list"][0][text] == text for text in NASTY)
    assert schema.validate(obj) == []
    assert schema.validate_list_types(obj) == []
    wrong = {**obj, **dict.fromkeys(NASTY, "~")}
    assert len(schema.validate(wrong)) == 2 * len(NASTY)


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} | {
        node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)
    }


def test_generated_source_names_nothing_but_what_the_emitters_name() -> None:
    source = CompiledSchema(Schema(nasty_schema()), "test").source()
    names = _names(ast.parse(source))
    ours = {
        "value",
        "at",
        "dropped",
        "key",
        "item",
        "index",
        "check",
        "cell",
        "get",
        "keys",
        "items",
        "values",
        "type",
        "len",
        "dict",
        "list",
        "str",
    }
    runtime = {"is_valid", "drop_unknown", "empty", "drop_nulls", "deep_copy", "have_distinct_keys", "enumerate"}
    numbered = {name for name in names if name.rstrip("0123456789") in {"v", "k", "valid_", "prune_", "nulls_", "default_", "lists_"}}
    assert names - numbered <= ours | runtime


def test_generated_code_reaches_few_builtins(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[dict[str, Any]] = []
    real = builtins.exec

    def record(code: Any, namespace: dict[str, Any]) -> None:
        seen.append(namespace)
        real(code, namespace)

    monkeypatch.setattr(unit, "exec", record, raising=False)
    CompiledSchema(Schema({"type": "string"}), "test").validate("a")
    assert seen
    assert all("open" not in namespace["__builtins__"] and "__import__" not in namespace["__builtins__"] for namespace in seen)


def test_the_source_is_the_same_under_another_hash_seed(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "from weighbridge.policies.schema.compiled import CompiledSchema\n"
        "from weighbridge.policies.schema.node import Schema\n"
        "inner = {'type': 'object', 'properties': {c: {'type': 'string', 'enum': [c, 'x', 'y']} for c in 'abcdefgh'}}\n"
        "raw = {'type': 'object', 'properties': {c: inner for c in 'qwertyuiop'}, 'required': ['q', 'w']}\n"
        "print(CompiledSchema(Schema(raw), 'test').source())\n",
    )
    root = Path(__file__).resolve().parents[2]

    def run(seed: str) -> str:
        command = [sys.executable, str(program)]
        return subprocess.run(
            command, env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(root)}, capture_output=True, text=True, check=True
        ).stdout

    assert run("1") == run("2")
    assert "def valid_1(value):" in run("1")


def test_what_ran_before_does_not_change_the_source() -> None:
    raw = {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object", "properties": {"b": {"default": 1}}}}}}
    used, fresh = CompiledSchema(Schema(raw), "test"), CompiledSchema(Schema(raw), "test")
    obj: dict[str, Any] = {"a": [{}]}
    used.default(obj)
    used.validate(obj)
    assert used.source() == fresh.source()


def wide(levels: int) -> dict[str, Any]:
    """A schema whose every level has thirty objects below it."""
    raw: dict[str, Any] = {"type": "string", "maxLength": 1, "default": "d"}
    for _ in range(levels):
        raw = {"type": "object", "properties": {f"f{number}": raw for number in range(30)}}
    return raw


def test_only_the_part_that_an_object_reaches_is_generated(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    real = unit.compile if hasattr(unit, "compile") else compile

    def record(source: str, *rest: Any, **options: Any) -> Any:
        loaded.append(source)
        return real(source, *rest, **options)

    monkeypatch.setattr(unit, "compile", record, raising=False)
    schema = CompiledSchema(Schema(wide(4)), "test")
    obj: dict[str, Any] = {"f1": {"f2": {"f3": {"f4": "xx", "f5": "x"}, "f6": {}}}, "f7": {}}
    assert schema.prune(obj) == []
    assert list(map(str, schema.validate(obj))) == ["f1.f2.f3.f4: Too long: may not be more than 1 byte"]
    schema.default(obj)
    assert obj["f7"] == {}
    assert len(obj["f1"]["f2"]["f6"]) == 30
    assert sum(map(len, loaded)) < 200_000, "the whole schema would be thirty times thirty times that"


def nested(levels: int, keyword: str) -> dict[str, Any]:
    """A schema that nests through fields or items."""
    raw: dict[str, Any] = {"type": "integer"}
    for _ in range(levels):
        raw = {"type": "object", "properties": {"a": raw}} if keyword == "properties" else {"type": "array", "items": raw}
    return raw


@pytest.mark.parametrize("keyword", ["properties", "items"])
def test_a_schema_may_nest_deeply(keyword: str) -> None:
    schema = CompiledSchema(Schema(nested(MAX_DEPTH - 2, keyword)), "test")
    value: Any = "wrong"
    for _ in range(MAX_DEPTH - 2):
        value = {"a": value} if keyword == "properties" else [value]
    assert schema.prune(value) == []
    schema.drop_nulls(value)
    schema.default(value)
    assert len(schema.validate(value)) == 1
    assert schema.validate_update(value, value) == []
    assert schema.validate_list_types(value) == []


@pytest.mark.parametrize("keyword", ["properties", "items"])
def test_a_schema_that_nests_too_deeply_is_refused_once_an_object_gets_there(keyword: str) -> None:
    schema = CompiledSchema(Schema(nested(2_000, keyword)), "test")
    assert schema.validate({} if keyword == "properties" else []) == []
    value: Any = 1
    for _ in range(2_000):
        value = {"a": value} if keyword == "properties" else [value]
    for operation in (schema.prune, schema.drop_nulls, schema.validate):
        with pytest.raises(SchemaTooDeepError):
            operation(value)
