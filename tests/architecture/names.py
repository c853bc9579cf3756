"""Finds the names that code uses, for the test that no other code names a family."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path


def names_in(path: Path, words: frozenset[str]) -> Iterator[str]:
    """The places where a file names one of the words: as a name, an attribute, an argument, a part of an import, or a whole text."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        found: tuple[str, ...] = ()
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)) | ast.arg(arg=name):
                found = (name,)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found = (name,)
            case ast.Constant(value=str(text)):
                found = (text,)
            case ast.Import(names=names):
                found = tuple(step for alias in names for step in alias.name.split("."))
            case ast.ImportFrom(module=module, names=names):
                found = (*(module or "").split("."), *(alias.name for alias in names))
        yield from (f"{path.name}:{getattr(node, 'lineno', 0)}: {word}" for word in found if word in words)
