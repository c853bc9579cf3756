"""Reads the configuration file; every mistake names its line, its field and the nearest key or value that would do."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, Final, get_args, get_type_hints

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from policies.config import API_VERSION, KIND, Configuration, parse
from policies.config.sections import key_of
from policies.families import families
from policies.judgement import NO_NODE
from policies.objects import Path, field
from policies.quantity import Quantity, QuantityError
from webhook.errors import InputError
from webhook.manifests import Document, InputIssue, documents, sources

#: What the CRD of Model takes for a resource name, less what no pod can request.
_RESOURCE_NAME: Final = re.compile(r"[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?")


def read_configuration(path: str) -> Configuration:
    """Read one document of kind Configuration. Raises InputError with all of its mistakes, one a line."""
    import sys

    document = _document(path, sys.stdin.buffer)
    value = document.value
    if not isinstance(value, dict):
        raise InputError(f"{path}:1: a configuration is a map with apiVersion, kind and settings")
    for key, expected in (("apiVersion", API_VERSION), ("kind", KIND)):
        if key not in value:
            raise InputError(f"{path}:1: {key}: missing; write {key}: {expected}")
    try:
        config = parse(value)
    except ValidationError as error:
        raise InputError("\n".join(dict.fromkeys(_mistake(document, details) for details in error.errors()))) from None
    mistakes = [_at(document, path, text) for path, text in _contradictions(config)]
    if mistakes:
        raise InputError("\n".join(mistakes))
    return config


def _contradictions(config: Configuration) -> Iterator[tuple[Path, str]]:
    """What has the right form and can't be meant."""
    known = [NO_NODE, *(rule.id for family in families() for rule in family.rules())]
    for rule in config.rules:
        if rule not in known:
            near = difflib.get_close_matches(rule, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else "; weighbridge rules lists them"
            yield ("rules", rule), f"no rule of ours has this id{hint}"
    for name, most in config.expected_resources.items():
        if most < 1:
            yield ("expectedResources", name), f"{most} on one node is none; write at least 1, or leave it out"
    for name, node in config.expected_nodes.items():
        for resource, amount in node.allocatable.items():
            if not _is_amount(amount):
                yield ("expectedNodes", name, "allocatable", resource), f"{amount!r} is no amount; write such as 8, 500m or 64Gi"
    for vendor in ("nvidia", "amd", "intel"):
        given = config.llmkube.resource_names.of(vendor)
        if given is not None and not _RESOURCE_NAME.fullmatch(given):
            yield ("llmkube", "resourceNames", vendor), f"{given!r} is no resource name; write domain/name, such as amd.com/gpu"


def _is_amount(stated: str | float) -> bool:
    try:
        return Quantity.parse(str(stated)).sign() >= 0
    except QuantityError:
        return False


def _document(path: str, stdin: Any) -> Document:
    found: list[Document] = []
    for source in sources([path], stdin=stdin):
        if isinstance(source, InputIssue):
            raise InputError(str(source))
        found += [document for document in documents(source.name, source.data) if document.value is not None]
    if len(found) != 1:
        raise InputError(f"{path}: one document of kind Configuration is wanted, here are {len(found)}")
    if found[0].issues:
        raise InputError("\n".join(map(str, found[0].issues)))
    return found[0]


def _mistake(document: Document, details: ErrorDetails) -> str:
    path: Path = tuple(details["loc"])
    if details["type"] in {"unexpected_keyword_argument", "extra_forbidden"}:
        keys = _keys_at(path[:-1])
        near = difflib.get_close_matches(str(path[-1]), keys, n=1)
        text = f"unknown key; did you mean {near[0]}?" if near else f"unknown key; here may stand {', '.join(sorted(keys))}"
    elif path[-1:] in (("str",), ("int",), ("float",)):
        # Where either would do, each is reported missing.
        path, text = path[:-1], "input should be a text or a number"
    else:
        text = details["msg"][:1].lower() + details["msg"][1:].replace("dictionary", "map")
        if isinstance(details["input"], (str, int, float, bool)):
            text += f", not {details['input']!r}"
    return _at(document, path, text)


def _at(document: Document, path: Path, text: str) -> str:
    place = document.position(path)
    return f"{document.source}:{place.line}:{place.column}: {field(path)}: {text}"


def _keys_at(path: Path) -> list[str]:
    """The keys that a section of the configuration knows; none where the path leads into something that isn't one."""
    section: Any = Configuration
    for step in path:
        section = _below(section, step)
    return [key_of(entry.name) for entry in fields(section)] if is_dataclass(section) else []


def _below(section: Any, step: object) -> Any:
    """The type of what stands under a key of a section, in a map or in a list."""
    if is_dataclass(section):
        return next((hint for name, hint in get_type_hints(section).items() if key_of(name) == step), None)
    held = get_args(section)
    return held[-1] if held else None
