"""Which tests reach which lines, measured once and kept in a folder that git ignores. A test that isn't in there is measured."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
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
        #: The seconds of each test; less than 0 if it failed.
        self.seconds: dict[str, float] = {}
        for file in folder.glob("*.json"):
            for test, seconds in json.loads(file.read_text()).items():
                self.seconds[test] = max(seconds, self.seconds.get(test, -1.0))

    def passed(self, test: str) -> bool:
        """Whether a test has been measured and passed."""
        return self.seconds.get(test, -1.0) >= 0

    def new_file(self) -> str:
        """A new file for another measurement."""
        return str(self._folder / uuid.uuid4().hex)

    def by_line(self, modules: Iterable[str], known: Iterable[str]) -> Mapping[str, Mapping[int, Sequence[str]]]:
        """For each module and each of its lines, the known tests that reach it."""
        found: dict[str, dict[int, list[str]]] = {module: defaultdict(list) for module in modules}
        wanted = set(known)
        for file in self._folder.glob("*.json"):
            with closing(sqlite3.connect(file.with_suffix(""))) as data:
                contexts = {number: test for number, test in data.execute("select id, context from context") if test in wanted}
                for number, path in data.execute("select id, path from file"):
                    lines = found.get(path.rpartition(f"/{ROOT.name}/")[2])
                    if lines is not None:
                        for context, bits in data.execute("select context_id, numbits from line_bits where file_id = ?", (number,)):
                            if context in contexts:
                                for line in numbits_to_nums(bits):
                                    lines[line].append(contexts[context])
        return found


def by_file(tests: Iterable[str]) -> dict[str, list[str]]:
    """The ids of tests by their file."""
    found: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        found[test.partition("::")[0]].append(test)
    return found


def in_order(tests: Iterable[str], seconds: Mapping[str, float], responsible: Sequence[str], first: int = 4) -> list[str]:
    """Tests in the order in which they should be run: a few of each file first, with the module's own and the quick ones in front, then all
    others.
    """
    files = by_file(tests)
    for each in files.values():
        each.sort(key=lambda test: seconds.get(test, 0.0))

    def rank(file: str) -> tuple[bool, float]:
        return not any(file == path or file.startswith(f"{path}/") for path in responsible), sum(
            seconds.get(test, 0.0) for test in files[file]
        )

    ranked = sorted(files, key=rank)
    return [test for file in ranked for test in files[file][:first]] + [test for file in ranked for test in files[file][first:]]
