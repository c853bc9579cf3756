"""Reads the configuration file; every mistake names its line, its field and the nearest key or value that would do."""

from __future__ import annotations

import difflib
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from policies.config import Configuration
from policies.objects import Path, field
from webhook.errors import InputError
from webhook.manifests import Document, InputIssue, documents, sources


def read_configuration(path: str) -> Configuration:
    """Read one document of kind Configuration. Raises InputError with all of its mistakes, one a line."""
    import sys

    document = _document(path, sys.stdin.buffer)
    value = document.value
    if not isinstance(value, dict):
        raise InputError(f"{path}:1: a configuration is a map with apiVersion, kind and settings")
    for key in ("apiVersion", "kind"):
        if key not in value:
            expected = Configuration.model_fields["api_version" if key == "apiVersion" else "kind"].default
            raise InputError(f"{path}:1: {key}: missing; write {key}: {expected}")
    try:
        return Configuration.model_validate(value)
    except ValidationError as error:
        raise InputError("\n".join(_mistake(document, details) for details in error.errors())) from None


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
    if details["type"] == "extra_forbidden":
        keys = _keys_at(path[:-1])
        near = difflib.get_close_matches(str(path[-1]), keys, n=1)
        text = f"unknown key; did you mean {near[0]}?" if near else f"unknown key; here may stand {', '.join(sorted(keys))}"
        place = document.position(path)
    else:
        text, place = details["msg"][:1].lower() + details["msg"][1:], document.position(path)
        if isinstance(details["input"], (str, int, float, bool)):
            text += f", not {details['input']!r}"
    return f"{document.source}:{place.line}:{place.column}: {field(path)}: {text}"


def _keys_at(path: Path) -> list[str]:
    """The keys that a section of the configuration knows."""
    model: type[BaseModel] = Configuration
    for step in path:
        for name, info in model.model_fields.items():
            if step in (info.alias, name) and isinstance(info.annotation, type) and issubclass(info.annotation, BaseModel):
                model = info.annotation
    return [info.alias or name for name, info in model.model_fields.items()]
