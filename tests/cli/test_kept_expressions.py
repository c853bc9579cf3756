"""Regular expressions come from the cache folder as Python would compile them; anything else in the folder is ignored."""

from __future__ import annotations

import importlib
import marshal
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.architecture.imports import ROOT, modules
from weighbridge.policies.ground.expressions import expression
from weighbridge.webhook.cache.expressions import Kept
from weighbridge.webhook.cache.folder import Folder

_LARGE: Final = 1 << 20


def _kept(path: Path) -> Kept:
    return Kept(Folder(str(path), b"test", suffix=".expressions", largest_file=_LARGE, largest_folder=_LARGE), "name")


def _of_the_program() -> Iterator[tuple[str | bytes, int]]:
    """The expressions of all modules that need only the program."""
    kind: Any = type(expression("a"))
    for name in modules(ROOT):
        if name.startswith("weighbridge.policies."):
            for value in vars(importlib.import_module(name)).values():
                if isinstance(value, kind):
                    yield value._arguments


def test_each_expression_is_as_python_compiles_it(tmp_path: Path) -> None:
    written, found = _kept(tmp_path), sorted(set(_of_the_program()), key=str)
    assert len(found) > 100
    for text, flags in found:
        # Patterns are equal if their texts, flags and compiled forms are.
        assert written.compile(text, flags) == re.compile(text, flags)
    written.save()
    read = _kept(tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(re, "compile", None)
        again = [read.compile(text, flags) for text, flags in found]
    assert again == [re.compile(text, flags) for text, flags in found]


def test_groups_have_their_names(tmp_path: Path) -> None:
    text = r"(?P<year>\d+)-(\d+)-(?P<day>\d+)"
    _save(tmp_path, text)
    match = _kept(tmp_path).compile(text, 0).fullmatch("2026-11-27")
    assert match is not None
    assert (match.groupdict(), match.lastgroup) == ({"year": "2026", "day": "27"}, "day")


def _save(path: Path, text: str) -> Path:
    kept = _kept(path)
    kept.compile(text, 0)
    kept.save()
    return path / "name.expressions"


@pytest.mark.parametrize("damaged", [b"", b"x", b"\x00" * 100])
def test_a_damaged_file_is_none(tmp_path: Path, damaged: bytes) -> None:
    file = _save(tmp_path, "a+")
    file.write_bytes(file.read_bytes()[:40] + damaged)
    assert _kept(tmp_path).compile("a+", 0) == re.compile("a+")


@pytest.mark.parametrize("parts", [(), (b"\xff" * 8, 32, 0, {}, (None,)), (b"abc", 32, 0, {}, (None,)), ("a", 0, 0, {}, ()), None])
def test_what_python_does_not_take_is_compiled(tmp_path: Path, parts: object) -> None:
    _save(tmp_path, "a+")
    folder = Folder(str(tmp_path), b"test", suffix=".expressions", largest_file=_LARGE, largest_folder=_LARGE)
    folder.write({"name": marshal.dumps({("a+", 0): parts})})
    assert _kept(tmp_path).compile("a+", 0) == re.compile("a+")


def test_another_python_compiles_as_usual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "re._compiler", None)
    assert _kept(tmp_path).compile("a+", 0) == re.compile("a+")


def test_a_wrong_expression_is_the_same_error(tmp_path: Path) -> None:
    with pytest.raises(re.error, match="missing \\)"):
        _kept(tmp_path).compile("(a", 0)
