"""Functions generated for the places of a schema, each when an object first reaches it.

An `Assembly` serves one concern (validate, prune, ...). A unit of source holds the function that was asked for and those of the nearest
places below it, up to a budget; places further down are called through a cell, a list of one function. At first that function generates the
next unit; then the generated function takes its place. So the size of a schema doesn't matter, only the part that objects use.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any, Final, Protocol

from weighbridge.policies.codegen import CompiledUnit, SourceWriter, load
from weighbridge.policies.codegen.frozen import FrozenUnit
from weighbridge.policies.codegen.unit import compile_unit
from weighbridge.policies.codegen.writer import Origin, comment_text
from weighbridge.policies.ground.records import replace
from weighbridge.policies.schema.kept_units import KeptUnits
from weighbridge.policies.schema.node import MAX_DEPTH, SchemaTooDeepError
from weighbridge.policies.schema.node_paths import NodePath
from weighbridge.policies.schema.structure import Place

#: Functions in one unit. Fewer mean more units, which cost about as much as three functions each.
_BUDGET: Final = 16

#: The words of origins that an assembly restores: the cell of a place, and a table of cells.
_CELL: Final = "cell"
_CELLS: Final = "cells"

#: A list of exactly one function.
Cell = list[Callable[..., Any]]


class Emitter(Protocol):
    """One concern: it writes the function of a place."""

    @property
    def environment(self) -> Mapping[str, object]:
        """The run-time functions that the source calls."""

    def emit(self, unit: Unit, name: str, place: Place) -> None:
        """Write the function `name` for `place`."""


class Unit:
    """A unit of source while it is written."""

    def __init__(self, assembly: Assembly) -> None:
        self.writer = SourceWriter()
        self._assembly = assembly
        self._names: dict[tuple[int, str], str] = {}
        self._pending: deque[tuple[str, Place]] = deque()

    def callee(self, place: Place) -> str:
        """An expression for the function of `place`: a name in this unit, or a cell's content."""
        key = (id(place.schema), place.mode)
        if key not in self._names:
            if len(self._names) >= _BUDGET or place.depth > MAX_DEPTH:
                return f"{self.writer.constant(self._assembly.cell(place))}[0]"
            self._names[key] = self.writer.fresh(f"{self._assembly.word}_")
            self._pending.append((self._names[key], place))
        return self._names[key]

    def cells(self, places: Mapping[str, Place]) -> str:
        """The name of a table from keys to cells, by which the function is chosen at run time."""
        return self.writer.constant({key: self._assembly.cell(place) for key, place in places.items()})

    def write(self, place: Place) -> str:
        """Write the function of `place` and all that are queued on the way. Returns the name of the first."""
        name = self.callee(place)
        while self._pending:
            self._assembly.emitter.emit(self, *self._pending.popleft())
            self.writer.line("")
        return name


class Assembly:
    """The generated functions of one concern for one schema; `name` is shown in tracebacks, `kept` has the units of other runs.

    `word` begins the functions' names, before their number; `make` makes the emitter when it is first needed.
    """

    def __init__(self, word: str, make: Callable[[], Emitter], name: str, kept: KeptUnits | None = None) -> None:
        self.word = word
        self._make = make
        self._name = name
        self._kept = kept
        self._cells: dict[tuple[int, str], tuple[Cell, Place]] = {}
        self._places: dict[int, Place] = {}
        self._units: list[CompiledUnit] = []

    @cached_property
    def emitter(self) -> Emitter:
        """The emitter that writes the functions."""
        return self._make()

    def cell(self, place: Place) -> Cell:
        """The cell of a place: call its content with the concern's arguments."""
        key = (id(place.schema), place.mode)
        known = self._cells.get(key)
        if known is None:
            cell: Cell = []
            cell.append(partial(self._first_call, cell, place))
            known = self._cells[key] = (cell, place)
            self._places[id(cell)] = place
        return known[0]

    def _first_call(self, cell: Cell, place: Place, *arguments: object) -> object:
        function = self._function(place)
        cell[0] = function
        return function(*arguments)

    def _function(self, place: Place) -> Callable[..., Any]:
        if place.depth > MAX_DEPTH:
            raise SchemaTooDeepError
        path = None if self._kept is None else self._kept.path(place.schema)
        if self._kept is None or path is None:
            return self._load(self._generate(place))
        key = (self.word, place.mode, path, place.depth)
        found = self._kept.find(key, self)
        if found is None:
            found = self._generate(place)
            self._kept.keep(key, found, self)
        return self._load(found)

    def _generate(self, place: Place) -> FrozenUnit:
        """Write and compile a unit; its facts are the name of the function that was asked for.

        The functions that it calls are among its constants, so that it can be loaded without what wrote it.
        """
        writing = Unit(self)
        name = writing.write(place)
        unit = writing.writer.unit(comment_text(f"{self._name} {self.word} {place.label}".rstrip()))
        called = {each: function for each, function in self.emitter.environment.items() if f"{each}(" in unit.source}
        unit = replace(unit, constants={**unit.constants, **called})
        return FrozenUnit(unit, compile_unit(unit), name)

    def _load(self, found: FrozenUnit) -> Callable[..., Any]:
        compiled = load(found.unit, {}, found.code)
        self._units.append(compiled)
        return compiled.function(str(found.facts))

    def origin_of(self, value: object) -> Origin | None:
        """The origin of a cell, a table of cells or a node of the schema, as a kept unit has it."""
        if isinstance(value, list) and id(value) in self._places:
            return (_CELL, self._address(value))
        if isinstance(value, dict) and all(id(cell) in self._places for cell in value.values()):
            return (_CELLS, {key: self._address(cell) for key, cell in value.items()})
        return None if self._kept is None else self._kept.origin_of(value)

    def _address(self, cell: Cell) -> tuple[object, ...]:
        place = self._places[id(cell)]
        return (self._kept and self._kept.path(place.schema), place.label, place.depth, place.mode)

    def restore(self, origin: Origin) -> object:
        """The constant that an origin names."""
        word, argument = origin
        if word == _CELL:
            return self._cell_at(*argument)
        if word == _CELLS:
            return {key: self._cell_at(*address) for key, address in argument.items()}
        if self._kept is None:
            raise KeyError(word)
        return self._kept.restore(origin)

    def _cell_at(self, path: NodePath, label: str, depth: int, mode: str) -> Cell:
        if self._kept is None:
            raise KeyError(path)
        return self.cell(Place(self._kept.node(path), label, depth, mode))

    def source(self, place: Place) -> str:
        """The source for `place` and everything below it, whether it was generated before or not."""
        fresh = Assembly(self.word, lambda: self.emitter, self._name)
        pending, known, sources = deque([place]), {(id(place.schema), place.mode)}, []
        while pending:
            current = pending.popleft()
            if current.depth > MAX_DEPTH:
                continue
            unit = Unit(fresh)
            unit.write(current)
            title = comment_text(f"{self._name} {current.label}".rstrip())
            sources.append(f"# {title}\n{unit.writer.unit(title).source}")
            for key, (_, reached) in fresh._cells.items():
                if key not in known:
                    known.add(key)
                    pending.append(reached)
        return "\n".join(sources)
