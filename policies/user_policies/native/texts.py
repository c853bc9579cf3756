"""Pieces of CEL: texts, lists of texts, and tests of names and labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from weighbridge.policies.config.selection import LabelExpression, LabelSelector, covers, is_pattern
from weighbridge.policies.facts.credentials import RE2_FORMS
from weighbridge.policies.ground.go_text import json_text


class Untranslatable(Exception):  # noqa: N818 - it is an answer
    """A policy can't be translated into one of the server; the text says why."""


def literal(text: str) -> str:
    """A text as a constant."""
    if "'" in text or "\\" in text or not text.isprintable():
        return json_text(text)
    return f"'{text}'"


def listed(texts: Iterable[str]) -> str:
    """A list of texts as a constant."""
    return f"[{', '.join(map(literal, texts))}]"


def discreet(expression: str) -> str:
    """A message that is empty where it would show a credential; the API server then shows the fixed one."""
    return f"[{expression}].map(said, said.matches(r'{RE2_FORMS}') ? '' : said)[0]"


def enclosed(expression: str) -> str:
    """An expression as an operand of another one; a comment at its end must not hide what follows."""
    text = expression.strip()
    return f"({text}\n)" if "//" in text else f"({text})"


def either(tests: Sequence[str]) -> str:
    """The expression that one of the tests is true."""
    return tests[0] if len(tests) == 1 else f"({' || '.join(tests)})"


def is_among(value: str, names: Sequence[str]) -> str:
    """The expression that a text is one of these names and patterns, in which ``*`` means any characters."""
    whole = [name for name in names if not is_pattern(name)]
    found = [f"{value} in {listed(whole)}"] if len(whole) > 1 else [f"{value} == {literal(name)}" for name in whole]
    found += (f"{value}.matches({literal(_expression(name))})" for name in names if is_pattern(name))
    return either(found)


def is_named(value: str, names: Sequence[str]) -> str:
    """The same for a text that may be empty; an empty text matches none of them."""
    found = is_among(value, names)
    return f"{value} != '' && {found}" if any(covers(name, "") for name in names) else found


def _expression(pattern: str) -> str:
    parts = ("".join(char if char.isalnum() or char in "-_" else f"[{char}]" for char in part) for part in pattern.split("*"))
    return f"^{'.*'.join(parts)}$"


def has_labels(selector: LabelSelector, obj: str) -> Iterable[str]:
    """The tests of an object's labels for a selector."""
    yield from (_has(obj, key, "In", [value]) for key, value in selector.match_labels.items())
    yield from (_labelled(obj, entry) for entry in selector.match_expressions)


def _labelled(obj: str, entry: LabelExpression) -> str:
    return _has(obj, entry.key, entry.operator, entry.values)


def _has(obj: str, key: str, operator: str, values: Sequence[str]) -> str:
    there = f"{literal(key)} in {obj}.metadata.?labels.orValue({{}})"
    if operator in ("Exists", "DoesNotExist"):
        return there if operator == "Exists" else f"!({there})"
    found = f"{there} && {is_among(f'{obj}.metadata.labels[{literal(key)}]', values)}"
    return found if operator == "In" else f"!({found})"


def resources(definitions: Iterable[tuple[str, str, str]], operations: Sequence[str]) -> list[Mapping[str, object]]:
    """The rules that match resources, each given by group, version and plural."""
    versions: dict[tuple[str, str], list[str]] = {}
    for group, version, plural in definitions:
        versions.setdefault((group, plural), []).append(version)
    plurals: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (group, plural), served in versions.items():
        plurals.setdefault((group, tuple(served)), []).append(plural)
    return [
        {"apiGroups": [group], "apiVersions": list(served), "operations": list(operations), "resources": names}
        for (group, served), names in plurals.items()
    ]
