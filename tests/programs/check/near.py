"""The order in which files of tests are run: a few in a process, the slow ones alone.

A file that takes longer than ten seconds would keep all others from their turn. So it is put off after ten seconds, and the rest of it is
run when every file has had its turn. One that was slow in an earlier run is run whole then, unless it is among the nearest.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.house.recorded import State
from tests.programs.check.jobs import Done, Job
from tests.programs.check.kept import Kept, record_of

#: A file of tests is slow if it takes this many seconds.
SLOW: Final = 10.0
#: This many of the nearest files have their turn in any case.
NEAREST: Final = 8
#: A process takes a second or two to start, so quick files share one.
_FILES_AT_ONCE: Final = 12
_UNKNOWN: Final = 1.0


class TestJobs:
    """Makes the jobs that run tests, each with a record of its own in a folder."""

    __test__ = False

    def __init__(self, folder: Path, kept: Kept) -> None:
        self._folder, self._kept, self._count = folder, kept, 0

    def job(self, title: str, files: Mapping[str, Sequence[str]], *options: str) -> Job:
        """Tests without the real control plane: all of each file, or those that its words choose."""
        record = self._path("record")
        chosen = [f"--choose={file}: {word}" for file, words in files.items() for word in words]
        usual = ("-q", "-p", "no:randomly", "-m", "not control_plane", "--tb=line", "-r", "fE", "--continue-on-collection-errors")
        command = (sys.executable, "-m", "pytest", *usual, f"--record={record}", *options, *files, *chosen)
        return Job(title, command, passing=(0, 5), files=files, record=record)

    def failed_before(self, files: Mapping[str, Sequence[str]]) -> Iterator[Job]:
        """The tests of these files that failed in the last run."""
        failed = [test for test in sorted(self._kept.failed) if test.partition("::")[0] in files]
        if failed:
            own: dict[str, tuple[str, ...]] = dict.fromkeys((test.partition("::")[0] for test in failed), ())
            yield self.job("failed in the last run", own, self._listed("only", failed))

    def near(self, files: Mapping[str, Sequence[str]]) -> Iterator[Job]:
        """Files in the order of their nearness; the slow ones last, those that were the quickest first."""
        slow = {file: seconds for file in list(files)[NEAREST:] if (seconds := self._kept.seconds.get(file, 0.0)) > SLOW}
        for chunk in self._chunks(file for file in files if file not in slow):
            yield self.job(_title(chunk), {file: files[file] for file in chunk}, f"--most-seconds={SLOW:.0f}")
        for file in sorted(slow, key=lambda file: slow[file]):
            yield self.job(_title([file]), {file: files[file]})

    def rest_of(self, done: Done) -> Iterator[Job]:
        """What a job has put off."""
        for file, state in record_of(done.job).states.items():
            if state is State.PUT_OFF:
                tests = [test for test in record_of(done.job).tests if test.partition("::")[0] == file]
                yield self.job(f"{_title([file])}, the rest", {file: done.job.files[file]}, self._listed("without", tests))

    def _chunks(self, files: Iterable[str]) -> Iterator[list[str]]:
        chunk: list[str] = []
        for file in files:
            if len(chunk) == _FILES_AT_ONCE or (chunk and sum(map(self._expected, [*chunk, file])) > SLOW):
                yield chunk
                chunk = []
            chunk.append(file)
        if chunk:
            yield chunk

    def _expected(self, file: str) -> float:
        return self._kept.seconds.get(file, _UNKNOWN)

    def _listed(self, option: str, tests: Iterable[str]) -> str:
        path = self._path(option)
        path.write_text("\n".join(tests), encoding="utf-8")
        return f"--{option}={path}"

    def _path(self, name: str) -> Path:
        self._count += 1
        return self._folder / f"{self._count}.{name}"


def _title(files: Iterable[str]) -> str:
    return " ".join(file.removeprefix("tests/") for file in files)
