"""What is kept of a run for the next one: how long each file of tests took, and which tests failed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.house.recorded import State, read
from tests.programs.check.jobs import Job

#: Git ignores pytest's folder.
_PATH = Path(".pytest_cache") / "check.json"


@dataclass(slots=True)
class Record:
    """The results of a job's tests: which were run, which failed, and how each file ended, with its seconds."""

    tests: list[str] = field(default_factory=list)
    failed: set[str] = field(default_factory=set)
    states: dict[str, State] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def count(self, file: str) -> int:
        """How many tests of a file were run."""
        return sum(test.partition("::")[0] == file for test in self.tests)


def record_of(job: Job) -> Record:
    """The results that a job has recorded, even if it was interrupted."""
    record = Record()
    for line in read(job.record) if job.record else ():
        if "test" in line:
            record.tests.append(str(line["test"]))
            if line["failed"]:
                record.failed.add(str(line["test"]))
        else:
            record.states[str(line["file"])] = State(str(line["state"]))
            record.seconds[str(line["file"])] = float(str(line["seconds"]))
    return record


@dataclass(slots=True)
class Kept:
    """The seconds of each file of tests in its last run, and the tests that failed in the last run."""

    seconds: dict[str, float] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, root: Path) -> Kept:
        """What was kept in a checkout; nothing if that can't be read."""
        try:
            content = json.loads((root / _PATH).read_text(encoding="utf-8"))
            return cls(dict(content["seconds"]), set(content["failed"]))
        except (OSError, ValueError, KeyError, TypeError):
            return cls()

    def keep(self, root: Path, jobs: Iterable[Job]) -> None:
        """Write what is known after these jobs. A test that failed before still counts as failed if its file wasn't run."""
        records = [record_of(job) for job in jobs]
        seconds = Counter[str]()
        for record in records:
            seconds.update(record.seconds)
        run = {test for record in records for test in record.tests}
        ended = {file for record in records for file, state in record.states.items() if state is State.DONE}
        left = {test for test in self.failed - run if test.partition("::")[0] not in ended}
        failed = left | {test for record in records for test in record.failed}
        (root / _PATH).parent.mkdir(exist_ok=True)
        content = {"seconds": {**self.seconds, **seconds}, "failed": sorted(failed)}
        (root / _PATH).write_text(json.dumps(content, indent=1), encoding="utf-8")
