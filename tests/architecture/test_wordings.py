"""What a stage says against its input is written in the stage's files of texts, and nowhere else in its rooms."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

import pytest

from tests.architecture.wordings import FILES, OTHERS, WRITERS, given_to_errors, modules, sentences
from tests.conftest import ROOT

TEXTS: Final = [f"{room}/{name}" for room, names in FILES.items() for name in names]
PAGE: Final = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
#: Errors of CEL, whose texts are all in one module, however short.
_OF_CEL: Final = ("CelError", "PanicError", "ProgramError")


def test_sentences_are_written_in_the_files_of_texts() -> None:
    found = [
        f"{name}:{line}: {text!r}"
        for name, source in modules()
        if not name.startswith(WRITERS)
        for line, text in sentences(source)
        if text not in OTHERS.get(name, ())
    ]
    assert not found, "\n".join([*found, "write each as a constant or a function of the stage's file of texts:", *TEXTS])


def test_no_error_is_given_a_sentence_as_it_is() -> None:
    found = [
        f"{name}:{line}: {text!r}"
        for name, source in modules()
        for line, text in given_to_errors(source)
        if text not in OTHERS.get(name, ())
    ]
    assert found == []


def test_no_error_of_cel_is_given_any_text_as_it_is() -> None:
    found = []
    for path in sorted((ROOT / "policies" / "cel").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _OF_CEL:
                given = (part for argument in node.args for part in _branches(argument))
                found += [f"{path.relative_to(ROOT)}:{part.lineno}" for part in given if isinstance(part, ast.JoinedStr | ast.Constant)]
    assert found == []


def _branches(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.IfExp):
        yield from _branches(node.body)
        yield from _branches(node.orelse)
    else:
        yield node


def test_every_module_of_a_room_is_held() -> None:
    written = {path.relative_to(ROOT).as_posix() for room in FILES for path in (ROOT / room).rglob("*.py")}
    assert written - {name for name, _ in modules()} == set(TEXTS)


def test_what_is_left_out_is_there() -> None:
    found = {name: {text for _, text in sentences(source)} for name, source in modules()}
    assert [(name, text) for name, texts in OTHERS.items() for text in texts if text not in found.get(name, ())] == []
    assert [writer for writer in WRITERS if not any(name.startswith(writer) for name in found)] == []


@pytest.mark.parametrize("name", TEXTS)
def test_a_file_of_texts_has_texts_and_is_on_the_page(name: str) -> None:
    assert sentences((ROOT / name).read_text(encoding="utf-8"))
    assert f"`{name}`" in PAGE


PLANTED: Final = {
    "an argument": 'yield path.invalid(value, "must be a number")',
    "an f-string": 'raise UrlError(f"invalid port {port}")',
    "a branch": 'raise UrlError("no port" if port is None else WRONG)',
    "a sum": 'return FieldError(INVALID, field, value, "supported values: " + listed)',
    "a keyword": 'yield where.invalid(value=True, detail="must be false here")',
    "an attribute": 'found.append(errors.Violation(name, f"{name} in body is required"))',
    "a finding": 'yield Finding(ID, severity, path, text, hint="remove the others")',
    "a denial": 'found.denials.append(Denial(name, "", f"failed to configure policy: {error}"))',
    "an unknown part": 'metadata["uid"] = NotKnown(f"metadata.{key} of a new object")',
    "an unasked policy": 'return Unchecked(policy, f"it asks for {error}")',
    "advice": 'yield Advice(f"the fields here are {listed(known)}")',
}


@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED)
def test_a_planted_sentence_is_found(planted: str) -> None:
    source = f'def checked(port):\n    """A port must be a number."""\n    {planted}\n'
    assert [line for line, _ in sentences(source)] == [3]
    assert [line for line, _ in given_to_errors(source)] == [3]


def test_a_sentence_is_found_before_it_is_given_to_an_error() -> None:
    source = 'TEXT = "must be a number"\n\n\ndef text(port):\n    detail = f"{port} is no number"\n    return path.invalid(port, detail)\n'
    assert [line for line, _ in sentences(source)] == [1, 5]
    assert given_to_errors(source) == []


@pytest.mark.parametrize(
    "source", ["path.invalid(port, NOT_A_NUMBER)", 'FieldError(TYPE, "spec.port", 1, wordings.wrong(port))', '"""A text."""']
)
def test_names_and_paths_are_no_sentences(source: str) -> None:
    assert sentences(source) == given_to_errors(source) == []
