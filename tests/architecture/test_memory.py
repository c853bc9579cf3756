"""The memory of the process is bounded, or has one entry for each thing that ships. It never has an object of a request or of a state."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

import pytest

from tests.architecture.imports import ROOT, modules

#: Functions whose arguments come from what ships with the program, so that the number of entries is limited.
CLOSED: Final = {
    "_atom": "a release, and a type that ships",
    "adapter": "a class of the configuration",
    "_environment": "a version that brought something to CEL",
    "_definition": "a file that ships",
    "_discover": "a folder of rules",
    "_fields_of": "a class of reported values, or a release and a type that ships",
    "_filled_fields": "a release, and a type that ships",
    "_is_there": "a file that would ship",
    "_load": "a family",
    "_modules": "a folder of rules",
    "_names_of": "a class of an operator's settings",
    "_needs": "the kinds of a family",
    "_patching_environment": "a version that brought something to CEL, and a release",
    "_reader": "a reader of devices, and a release",
    "_shape": "a release, and a type that ships",
    "_shipped_examples": "a family",
    "type_schema": "a type that ships",
    "types_of": "a release",
    "_unset": "a class of the configuration",
}
#: Types of plain values, which refer to no other objects.
VALUES: Final = {
    "str",
    "bytes",
    "int",
    "float",
    "bool",
    "tuple",
    "frozenset",
    "None",
    "GroupVersionKind",
    "Operator",
    "Release",
    "ServerRelease",
}


def remembering(source: str) -> Iterator[tuple[ast.FunctionDef, ast.expr]]:
    """The functions of a module or a class whose results the process keeps, each with its decorator."""
    tree = ast.parse(source)
    for body in (tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))):
        for node in (node for node in body if isinstance(node, ast.FunctionDef)):
            for decorator in node.decorator_list:
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                if ast.unparse(called).rpartition(".")[2] in {"cache", "lru_cache", "once_a_text"}:
                    yield node, decorator


def complaint(function: ast.FunctionDef, decorator: ast.expr) -> str:
    """Why a function's results must not be remembered for the life of the process; empty if they may be."""
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    if not arguments or (not isinstance(decorator, ast.Call) and function.name in CLOSED):
        return ""
    if not isinstance(decorator, ast.Call):
        return f"{function.name} has no bound"
    if any(ast.unparse(keyword) == "maxsize=None" for keyword in decorator.keywords):
        return f"{function.name} has no bound"
    for argument in arguments:
        named = {node.id for node in ast.walk(argument.annotation or ast.Name("nothing")) if isinstance(node, ast.Name)}
        if named - VALUES:
            return f"{function.name} remembers by {', '.join(sorted(named - VALUES))}"
    return ""


def test_the_process_remembers_no_request_and_no_state() -> None:
    found = {name: [*remembering(path.read_text(encoding="utf-8"))] for name, path in modules(ROOT).items()}
    assert [f"{name}: {said}" for name, each in found.items() for one in each if (said := complaint(*one))] == []


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("@cache\ndef f(): ...", ""),
        ("@cache\ndef f(name: str): ...", "f has no bound"),
        ("@lru_cache(maxsize=None)\ndef f(name: str): ...", "f has no bound"),
        ("@functools.lru_cache(maxsize=2)\ndef f(store: ObjectStore): ...", "f remembers by ObjectStore"),
        ("@lru_cache(maxsize=2)\ndef f(name: tuple[str, ...]): ...", ""),
        ("@once_a_text(2)\ndef f(name: str): ...", ""),
        ("class A:\n    @cache\n    def f(self): ...", "f has no bound"),
    ],
)
def test_what_must_not_be_remembered_is_noticed(source: str, said: str) -> None:
    assert [complaint(*found) for found in remembering(source)] == [said]


def test_every_exception_is_still_one() -> None:
    found = {function.name for path in modules(ROOT).values() for function, _ in remembering(path.read_text(encoding="utf-8"))}
    assert set(CLOSED) - found == set()
