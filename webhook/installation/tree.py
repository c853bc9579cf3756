"""Manifests with places that depend on values, and their two renderings: with values, or as Helm templates.

Both come from one tree, so that the chart and the plain files can't drift apart.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass

#: The values of a chart, by section and name.
Values: TypeAlias = Mapping[str, Any]
#: A part of a manifest: a JSON value of which any part may depend on a value.
Node: TypeAlias = Any

#: A text that needs no quotes in YAML, for any reader.
_PLAIN: Final = expression(r"[A-Za-z][-A-Za-z0-9_./]*[A-Za-z0-9]")
_WORDS: Final = frozenset({"true", "false", "yes", "no", "on", "off", "null"})


@dataclass(frozen=True, slots=True)
class Computed:
    """A value that Helm computes by an expression, and the plain manifests by a function."""

    expression: str
    plain: Callable[[Values], JSONValue]


@dataclass(frozen=True, slots=True)
class Text:
    """A text of several lines."""

    expression: str
    plain: Callable[[Values], str]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on the values, as an expression of the template and as a function."""

    expression: str
    holds: Callable[[Values], bool]


@dataclass(frozen=True, slots=True)
class When:
    """An item of a list, or the value of a key, that exists only on a condition."""

    condition: Condition
    content: Node


def value_at(values: Values, path: str) -> Any:
    """The value at a path such as ``image.tag``."""
    found: Any = values
    for key in path.split("."):
        found = found[key]
    return found


def setting(path: str) -> Computed:
    """A value as the user gives it; JSON is YAML too, so maps and lists need no indentation."""
    return Computed(f".Values.{path} | toJson", lambda values: value_at(values, path))


def formatted(pattern: str, path: str) -> Computed:
    """A text with a value for %s."""
    return Computed(f'printf "{pattern}" .Values.{path}', lambda values: pattern % value_at(values, path))


def is_set(path: str) -> Condition:
    """The condition that a value is neither empty nor false."""
    return Condition(f".Values.{path}", lambda values: bool(value_at(values, path)))


def equals(path: str, wanted: str) -> Condition:
    """The condition that a value is a certain text."""
    return Condition(f'eq .Values.{path} "{wanted}"', lambda values: bool(value_at(values, path) == wanted))


def differs(path: str, other: str) -> Condition:
    """The condition that a value isn't a certain text."""
    return Condition(f'ne .Values.{path} "{other}"', lambda values: bool(value_at(values, path) != other))


def begins(path: str, start: str) -> Condition:
    """The condition that a value begins with a text."""
    return Condition(f'hasPrefix "{start}" .Values.{path}', lambda values: value_at(values, path).startswith(start))


def both(one: Condition, other: Condition) -> Condition:
    """The condition that both conditions are met."""
    return Condition(f"and {_operand(one)} {_operand(other)}", lambda values: one.holds(values) and other.holds(values))


def either(one: Condition, other: Condition) -> Condition:
    """The condition that at least one of two conditions is met."""
    return Condition(f"or {_operand(one)} {_operand(other)}", lambda values: one.holds(values) or other.holds(values))


def _operand(condition: Condition) -> str:
    return f"({condition.expression})" if " " in condition.expression else condition.expression


def resolve(node: Node, values: Values) -> JSONValue:
    """The manifest with values."""
    match node:
        case Computed() | Text():
            return node.plain(values)
        case When():
            return resolve(node.content, values)
        case dict():
            return {key: resolve(value, values) for key, value in node.items() if _is_there(value, values)}
        case list():
            return [resolve(item, values) for item in node if _is_there(item, values)]
        case _:
            plain: JSONValue = node
            return plain


def _is_there(node: Node, values: Values) -> bool:
    return not isinstance(node, When) or node.condition.holds(values)


def template(node: JSONObject) -> str:
    """The manifest as a Helm template."""
    return "".join(f"{line}\n" for line in _map(node, 0))


def _map(node: Mapping[str, Node], depth: int) -> Iterator[str]:
    for key, value in node.items():
        yield from _guarded(value, partial(_entry, f"{'  ' * depth}{_scalar(key)}:", depth=depth))


def _list(node: Sequence[Node], depth: int) -> Iterator[str]:
    for item in node:
        yield from _guarded(item, partial(_item, depth=depth))


def _guarded(node: Node, write: Callable[[Node], Iterator[str]]) -> Iterator[str]:
    if not isinstance(node, When):
        yield from write(node)
        return
    yield f"{{{{- if {node.condition.expression} }}}}"
    yield from write(node.content)
    yield "{{- end }}"


def _entry(key: str, content: Node, *, depth: int) -> Iterator[str]:
    match content:
        case Text():
            yield f"{key} |"
            yield f"{{{{ {content.expression} | indent {2 * depth + 2} }}}}"
        case dict() if content:
            yield key
            yield from _map(content, depth + 1)
        case list() if content:
            yield key
            yield from _list(content, depth)
        case _:
            yield f"{key} {_scalar(content)}"


def _item(content: Node, *, depth: int) -> Iterator[str]:
    indent = "  " * depth
    if not isinstance(content, dict) or not content:
        yield f"{indent}- {_scalar(content)}"
        return
    first, *others = _map(content, depth + 1)
    if first.startswith("{{"):
        raise ValueError("the first key of an item must be there on no condition")
    yield f"{indent}- {first.lstrip()}"
    yield from others


def _scalar(value: Node) -> str:
    if isinstance(value, Computed):
        return f"{{{{ {value.expression} }}}}"
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)
