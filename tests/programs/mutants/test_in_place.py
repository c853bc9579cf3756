"""A change reaches functions that are imported already, wherever they are referred to, and their caches are emptied."""

from __future__ import annotations

import functools
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.programs.mutants.in_place import NotInPlaceError, forget, put_in_place

TEXT = '''"""A module."""

from functools import cache

LIMIT = 3


def doubled(number):
    return number * 2


@cache
def kept(number):
    return number * 2


class Box:
    @property
    def size(self):
        return LIMIT

    @size.setter
    def size(self, value):
        self.kept = value + 1

    def adder(self, by):
        return lambda number: number + by
'''


@pytest.fixture
def module(tmp_path: Path) -> Iterator[ModuleType]:
    """The module, imported."""
    path = tmp_path / "policies_of_a_test.py"
    path.write_text(TEXT)
    spec = importlib.util.spec_from_file_location("weighbridge.of_a_test", path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = found
    spec.loader.exec_module(found)
    yield found
    del sys.modules[spec.name]


def change(module: ModuleType, before: str, after: str) -> None:
    """Put a change in place."""
    assert before in TEXT
    put_in_place(str(module.__file__), TEXT, TEXT.replace(before, after))


def test_a_function_that_others_refer_to_is_changed(module: ModuleType) -> None:
    held = functools.partial(module.doubled, 4)
    change(module, "number * 2", "number * 3")
    assert held() == 12


def test_a_cached_answer_is_forgotten(module: ModuleType) -> None:
    assert module.kept(4) == 8
    change(module, "number * 2", "number * 3")
    assert module.kept(4) == 8
    forget()
    assert module.kept(4) == 12


def test_the_setter_of_a_property_is_told_from_its_getter(module: ModuleType) -> None:
    box = module.Box()
    change(module, "value + 1", "value + 2")
    box.size = 1
    assert (box.size, box.kept) == (3, 3)


def test_a_function_within_another_is_changed_though_it_lives_already(module: ModuleType) -> None:
    add = module.Box().adder(5)
    change(module, "number + by", "number - by")
    assert add(7) == 2
    assert module.Box().adder(5)(7) == 2


def test_what_runs_while_the_module_is_imported_cannot_be_changed(module: ModuleType) -> None:
    with pytest.raises(NotInPlaceError, match="no living function"):
        change(module, "LIMIT = 3", "LIMIT = 4")


def test_a_function_that_needs_other_variables_cannot_be_changed(module: ModuleType) -> None:
    add = module.Box().adder(5)
    with pytest.raises(NotInPlaceError):
        change(module, "number + by", "number")
    assert add(7) == 12
