"""A run: stage the CRDs, draw cases, send them to both sides, and collect the disagreements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from tests.programs.differential import stage
from tests.programs.differential.both import Comparison, compare
from tests.programs.differential.cases import Case, Shelf, cases, stored_bodies
from tests.programs.differential.connection import Connections
from tests.programs.differential.generate import examples
from tests.programs.differential.resources import Crd, editions
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import Facts

_THREADS: Final = 6
_BATCH: Final = 400


@dataclass(slots=True)
class Tally:
    """How often both agreed, by CRD and by broken keyword."""

    sent: Counter[str] = field(default_factory=Counter)
    differed: Counter[str] = field(default_factory=Counter)

    def add(self, key: str, *, agrees: bool) -> None:
        """Count one comparison."""
        self.sent[key] += 1
        self.differed[key] += not agrees


@dataclass(slots=True)
class Result:
    """The result of a run."""

    by_crd: Tally = field(default_factory=Tally)
    by_keyword: Tally = field(default_factory=Tally)
    by_code: Counter[int] = field(default_factory=Counter)
    by_chance: int = 0
    differences: list[Comparison] = field(default_factory=list)

    @property
    def requests(self) -> int:
        """How many were sent."""
        return self.by_crd.sent.total()

    def add(self, comparison: Comparison) -> None:
        """Count one comparison, and keep it if the two disagree."""
        case = comparison.case
        self.by_crd.add(case.edition.crd.name, agrees=comparison.agrees)
        self.by_code[comparison.theirs.code] += 1
        self.by_chance += comparison.by_chance
        for keyword in dict.fromkeys(case.broken):
            self.by_keyword.add(keyword, agrees=comparison.agrees)
        if not comparison.agrees:
            self.differences.append(comparison)


@dataclass(slots=True)
class Scene:
    """A server with everything in place, and the engine's facts of the same."""

    connections: Connections
    facts: Facts
    shelves: list[Shelf]

    def compare(self, case: Case) -> Comparison:
        """Ask both."""
        return compare(self.connections, self.facts, case)


def set_up(connections: Connections, crds: Sequence[Crd], *, seed: int, stored: int = 12) -> Scene:
    """Install the CRDs and store a number of objects of each edition, valid and invalid ones."""
    served = [edition for crd in crds for edition in editions(crd)]
    stage.install(connections, crds)
    names = {}
    for number, edition in enumerate(served):
        bodies = examples(stored_bodies(edition), stored, seed * 1000 + number)
        names[edition] = stage.store(connections, edition, bodies, f"{edition.definition.gvk.version}-stored")
    stage.narrow(connections, crds, served)
    fetched = {edition: [stage.fetch(connections, edition, name) for name in names[edition]] for edition in served}
    shelves = [Shelf(edition, [obj for obj in fetched[edition] if obj is not None]) for edition in served]
    definitions = Definitions.from_manifests([crd.manifest for crd in crds], server=connections.release())
    return Scene(connections, Facts(definitions), shelves)


def drawn(shelves: Sequence[Shelf], count: int, seed: int) -> Iterator[list[Case]]:
    """A number of cases in batches."""
    for number, left in enumerate(range(count, 0, -_BATCH)):
        yield examples(cases(shelves), min(left, _BATCH), seed * 1_000_000 + number)


def run(scene: Scene, count: int, seed: int, tell: Callable[[Result], None] = lambda _: None) -> Result:
    """Send a number of cases; `tell` is called after each batch."""
    result = Result()
    with ThreadPoolExecutor(_THREADS) as pool:
        for batch in drawn(scene.shelves, count, seed):
            for comparison in pool.map(scene.compare, batch):
                result.add(comparison)
            tell(result)
    return result
