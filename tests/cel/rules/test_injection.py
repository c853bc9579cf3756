"""No text of a rule, a schema or an object becomes code: text that looks like code stays text."""

from __future__ import annotations

import ast
import builtins
from typing import Any

import pytest

from tests.cel.rules.crds import nodes_with_rules
from weighbridge.policies.cel.rules.evaluation import CompiledRules
from weighbridge.policies.codegen import load
from weighbridge.policies.schema.node import Schema

_HOSTILE = [
    "__import__('os').system('true')",
    "'); raise SystemExit(1) #",
    '"""\nraise SystemExit(1)\n"""',
    "a\nraise SystemExit(1)",
    "a\r\n\tb",
    "\\'; exit()",
    "{0.__class__}",
    "%(x)s",
    "__class__",
    "__builtins__",
    "x1",
    "cost",
    "None",
    "lambda: 0",
    "\u2028\u0000\u202e",
    "\\N{DOLLAR SIGN}",
]
_KEYWORDS = ["in", "if", "for", "while", "return", "import", "true", "null", "const", "namespace"]
_IDENTIFIERS = ["__class__", "__dict__", "__builtins__", "lambda", "def", "exec", "self", "oldSelf", "limit", "tracked", "direct", "walk"]


def _string(text: str) -> str:
    """A CEL string literal."""
    return '"' + "".join(char if char.isalnum() else f"\\U{ord(char):08x}" for char in text) + '"'


def _rules(schema: dict[str, Any]) -> CompiledRules:
    return CompiledRules(Schema(schema), "vector '); raise SystemExit(1) #\nraise SystemExit(2)")


def _object(fields: dict[str, Any], rule: str, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "x-kubernetes-validations": [{"rule": rule} | more]}


#: The names that hostile text would need to do anything.
_TELLING = {"SystemExit", "system", "exit", "os", "eval", "exec", "open", "getattr", "setattr", "compile", "vars", "globals", "locals"}


def _assert_clean(rules: CompiledRules) -> None:
    """Checks that generated source parses, imports nothing, and has none of the names that only hostile text has."""
    for node in ast.walk(ast.parse(rules.source())):
        assert not isinstance(node, (ast.Import, ast.ImportFrom, ast.Lambda, ast.Global, ast.Nonlocal))
        if isinstance(node, ast.Name):
            assert not node.id.startswith("__")
            assert node.id not in _TELLING
        if isinstance(node, ast.Attribute):
            assert node.attr == "__class__" or not node.attr.startswith("__")
            assert node.attr not in _TELLING


def _details(rules: CompiledRules, obj: Any) -> list[str]:
    return [error.detail for error in rules.validate(obj, has_old=False).errors]


@pytest.mark.parametrize("text", _HOSTILE)
def test_a_string_that_looks_like_code_stays_a_string(text: str) -> None:
    rules = _rules(_object({"a": {"type": "string"}}, f"self.a == {_string(text)} || self.a in [{_string(text)}, 'b']"))
    assert _details(rules, {"a": text}) == []
    assert len(_details(rules, {"a": text + "."})) == 1
    _assert_clean(rules)


@pytest.mark.parametrize("text", _HOSTILE)
def test_a_message_that_looks_like_code_stays_a_message(text: str) -> None:
    rules = _rules(_object({"a": {"type": "string"}}, "false", message=text, messageExpression="self.a + '!'"))
    assert _details(rules, {"a": text}) == [text.strip() if "\n" in text else f"{text}!".strip()]
    _assert_clean(rules)


@pytest.mark.parametrize("text", _HOSTILE)
def test_a_key_that_looks_like_code_stays_a_key(text: str) -> None:
    values = {"type": "integer", "x-kubernetes-validations": [{"rule": "self > 0"}]}
    schema = {"type": "object", "properties": {text: {"type": "object", "additionalProperties": values}}}
    rules = _rules(schema)
    result = rules.validate({text: {text: 0}}, has_old=False)
    assert [(error.field, error.detail) for error in result.errors] == [(f"{text}[{text}]", "failed rule: self > 0")]
    _assert_clean(rules)


@pytest.mark.parametrize("name", _KEYWORDS)
def test_a_keyword_as_field_is_read_under_its_escaped_name(name: str) -> None:
    rules = _rules(_object({name: {"type": "integer"}}, f"self.__{name}__ == 1"))
    assert _details(rules, {name: 1}) == []
    assert len(_details(rules, {name: 2})) == 1
    _assert_clean(rules)


@pytest.mark.parametrize("name", _IDENTIFIERS)
def test_a_field_named_as_the_interpreters_own_is_a_field(name: str) -> None:
    identifier = name.replace("__", "__underscores__")
    rules = _rules(_object({name: {"type": "integer"}}, f"self.{identifier} == 1 && has(self.{identifier})"))
    assert _details(rules, {name: 1}) == []
    assert len(_details(rules, {name: 2})) == 1
    _assert_clean(rules)


@pytest.mark.parametrize("name", ["__class__", "__import__", "__globals__", "__subclasses__"])
def test_no_rule_reaches_an_attribute_of_pythons(name: str) -> None:
    for rule in (f"self.{name} == 1", f"{name} == 1", f"self.a.{name}() == 1", f"{name}('os') == 1"):
        (detail,) = _details(_rules(_object({"a": {"type": "string"}}, rule)), {"a": "b"})
        assert detail.startswith("rule compile error: compilation failed: ERROR: <input>:1:"), rule


def test_an_object_of_six_hundred_levels_is_compared_and_not_recursed_into() -> None:
    deep: Any = 1
    for _ in range(600):
        deep = {"a": deep}
    rules = _rules(_object({"a": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}, "self.a == self.a"))
    assert _details(rules, {"a": deep}) == []


def test_generated_code_reaches_few_builtins() -> None:
    rules = _rules(_object({"a": {"type": "string"}}, "self.a.size() > 1 && self.a.matches('b+')"))
    _details(rules, {"a": "bb"})
    (node,) = nodes_with_rules(rules.tree)
    (rule,) = node.rules
    assert rule.program is not None
    reachable = load(rule.program._written(rule.program._write_tracked), {}).function("__builtins__")
    assert not {"eval", "exec", "open", "__import__", "getattr", "compile"} & set(dict(reachable))  # type: ignore[call-overload]
    assert {"eval", "exec"} < set(vars(builtins))
