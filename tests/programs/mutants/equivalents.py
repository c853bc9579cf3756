"""Surviving mutants that no test can notice, since the code behaves as before; each with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

from tests.programs.mutants.mutations import Mutant

FILE: Final = Path(__file__).with_name("equivalents.yaml")


@dataclass(frozen=True, slots=True)
class Equivalent:
    """An equivalent mutant: the module, its line before and after, and why the behaviour is the same."""

    module: str
    before: str
    after: str
    why: str


def known_equivalents(file: Path = FILE) -> list[Equivalent]:
    """The committed list."""
    return [Equivalent(**entry) for entry in yaml.safe_load(file.read_text(encoding="utf-8")) or []]


def is_equivalent(module: str, mutant: Mutant, known: list[Equivalent]) -> bool:
    """Whether a mutant is on the list. Its text is compared, since line numbers change."""
    return any((each.module, each.before, each.after) == (module, mutant.before, mutant.after) for each in known)
