"""Which tests reach which lines, measured once and kept in a folder that git ignores. A test that isn't in there is measured."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from coverage.numbits import numbits_to_nums

from tests.conftest import ROOT

FOLDER: Final = ROOT / ".mutants"


class Reached:
    """What tests reach, by the measurements in a folder."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        folder.mkdir(exist_ok=True)
        self.seconds: dict[str, float] = {}
        for file in folder.glob("*.json"):
            self.seconds |= json.loads(file.read_text())

    def new_file(self) -> str:
        """Where to write another measurement."""
        return str(self._folder / uuid.uuid4().hex)

    def by_line(self, module: str, known: Iterable[str]) -> Mapping[int, set[str]]:
        """The tests, of those that are known, that reach each line of a module."""
        found: dict[int, set[str]] = defaultdict(set)
        wanted = set(known)
        for file in self._folder.glob("*.json"):
            with sqlite3.connect(file.with_suffix("")) as data:
                query = (
                    "select context.context, numbits from line_bits join file on file.id = file_id join context on context.id = context_id "
                    "where file.path like ?"
                )
                for test, bits in data.execute(query, (f"%/{ROOT.name}/{module}",)):
                    if test in wanted:
                        for line in numbits_to_nums(bits):
                            found[line].add(test)
        return found


def in_order(tests: Iterable[str], seconds: Mapping[str, float], responsible: Sequence[str], first: int = 4) -> list[str]:
    """Tests in the order in which to ask them: a few of each file, the module's own and the quick ones first, then all others."""
    files: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        files[test.partition("::")[0]].append(test)
    for each in files.values():
        each.sort(key=lambda test: seconds.get(test, 0.0))

    def rank(file: str) -> tuple[bool, float]:
        return not any(file == path or file.startswith(f"{path}/") for path in responsible), sum(seconds.get(test, 0.0) for test in files[file])

    ranked = sorted(files, key=rank)
    return [test for file in ranked for test in files[file][:first]] + [test for file in ranked for test in files[file][first:]]
