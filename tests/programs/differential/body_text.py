"""JSON bodies as text, with things that no Python value can have: duplicate fields, and numbers beyond every type.

Keys are sorted and nothing is indented, as kubectl writes; floats keep their point, which kubectl would drop.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from weighbridge.policies.ground.objects import JSONObject, JSONValue


@dataclass(frozen=True, slots=True)
class Literally:
    """A value that is written as this text."""

    text: str


@dataclass(frozen=True, slots=True)
class Twice:
    """A field's value that is written after another value of the same field."""

    first: JSONValue
    second: JSONValue


def body_text(value: JSONValue) -> str:
    """The value as JSON; it may have `Literally` and `Twice` in it."""
    return written(value, _leaf)


def _leaf(value: JSONValue) -> str:
    return value.text if isinstance(value, Literally) else json.dumps(value, ensure_ascii=False)


def written(value: JSONValue, leaf: Callable[[JSONValue], str]) -> str:
    """The value as JSON with sorted keys, however deep it is; `leaf` writes what is neither map nor list."""
    out: list[str] = []
    pending: list[tuple[bool, JSONValue]] = [(True, value)]
    while pending:
        is_value, item = pending.pop()
        if not is_value:
            out.append(item)
        elif isinstance(item, dict):
            out.append("{")
            pending += reversed([*_between(list(_fields(item, leaf))), (False, "}")])
        elif isinstance(item, list):
            out.append("[")
            pending += reversed([*_between([("", inner) for inner in item]), (False, "]")])
        else:
            out.append(leaf(item))
    return "".join(out)


def _fields(value: JSONObject, leaf: Callable[[JSONValue], str]) -> Iterator[tuple[str, JSONValue]]:
    for key in sorted(value):
        name, inner = f"{leaf(key)}:", value[key]
        if isinstance(inner, Twice):
            yield name, inner.first
            inner = inner.second
        yield name, inner


def _between(members: list[tuple[str, JSONValue]]) -> Iterator[tuple[bool, JSONValue]]:
    for index, (name, value) in enumerate(members):
        yield False, f",{name}" if index else name
        yield True, value


def repeats_fields(value: JSONValue) -> bool:
    """Whether it has a duplicate field."""
    values = [value]
    while values:
        inner = values.pop()
        if isinstance(inner, Twice):
            return True
        if isinstance(inner, dict):
            values.extend(inner.values())
        elif isinstance(inner, list):
            values.extend(inner)
    return False
