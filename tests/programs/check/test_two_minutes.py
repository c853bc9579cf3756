"""`make check` runs first what failed before, then what is near, and last what is slow."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.house.recorded import State
from tests.programs.check import __main__ as program
from tests.programs.check.jobs import Done, Job, Outcome, run, run_all
from tests.programs.check.kept import Kept, record_of
from tests.programs.check.near import NEAREST, SLOW, TestJobs

#: Three tests: the first takes its time, the second fails where the environment says so.
SLOW_FILE = "import os, time\ndef test_a(): time.sleep(0.3)\ndef test_b(): assert 'FAILS' not in os.environ\ndef test_c(): pass\n"
#: A command that is run in the test's process ends with an error of its own.
TAKEN = """
    try: time.sleep(600)
    except KeyboardInterrupt: raise ValueError from None
"""
LONG = "import time\ndef test_a(): pass\ndef test_b(): time.sleep(600)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of tests that the plugin can be tried on."""
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = control_plane\n")
    (tmp_path / "test_slow.py").write_text(SLOW_FILE)
    (tmp_path / "test_quick.py").write_text("def test_d(): pass\n")
    (tmp_path / "test_long.py").write_text(LONG)
    (tmp_path / "records").mkdir()
    return tmp_path


def in_folder(job: Job, folder: Path) -> Job:
    """The job with the plugins of the project's tests, but of the folder's own configuration."""
    at = job.command.index("pytest") + 1
    plugins = ("-p", "tests.house.chosen", "-p", "tests.house.recorded", "-c", str(folder / "pytest.ini"), "--rootdir", str(folder))
    command = ("env", f"PYTHONPATH={ROOT}", *job.command[:at], *plugins, "-p", "no:cacheprovider", *job.command[at:])
    return Job(job.title, command, job.passing, job.files, job.record)


def interrupted(job: Job, folder: Path) -> Done:
    """The job as it is when the time is over while its last test runs."""
    record = job.record
    assert record is not None
    with subprocess.Popen(job.command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        while process.poll() is None and not (record.exists() and "test_long.py::test_a" in record.read_text()):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate()
    return Done(job, Outcome.CUT, output)


def titles(jobs: Sequence[Job]) -> list[str]:
    """The titles of the jobs."""
    return [job.title for job in jobs]


def test_a_slow_file_is_put_off_and_the_rest_of_it_is_run_last(folder: Path) -> None:
    make = TestJobs(folder / "records", Kept())
    first = in_folder(make.job("files", {"test_slow.py": (), "test_quick.py": ()}, "--most-seconds=0.1"), folder)
    rests: list[Job] = []

    def following(done: Done) -> list[Job]:
        found = [in_folder(job, folder) for job in make.rest_of(done)]
        rests.extend(found)
        return found

    done = list(run_all([first], folder, time.monotonic() + 60, following=following))
    assert [each.outcome for each in done] == [Outcome.PASSED, Outcome.PASSED], [each.output for each in done]
    assert record_of(first).tests == ["test_slow.py::test_a", "test_slow.py::test_b", "test_quick.py::test_d"]
    assert record_of(first).states == {"test_slow.py": State.PUT_OFF, "test_quick.py": State.DONE}
    assert titles(rests) == ["test_slow.py, the rest"]
    assert record_of(rests[0]).tests == ["test_slow.py::test_c"]


def test_a_file_of_which_no_test_is_chosen_passes(folder: Path) -> None:
    (folder / "test_server.py").write_text("import pytest\npytestmark = pytest.mark.control_plane\ndef test_e(): pass\n")
    job = in_folder(TestJobs(folder / "records", Kept()).job("files", {"test_server.py": ()}), folder)
    (done,) = run_all([job], folder, time.monotonic() + 60)
    assert done.outcome is Outcome.PASSED, done.output
    assert "1 deselected" in done.output


def test_what_had_ended_before_an_interruption_counts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make = TestJobs(folder / "records", Kept())
    job = in_folder(make.job("files", {"test_quick.py": (), "test_long.py": (), "test_slow.py": ()}), folder)
    assert program._told(interrupted(job, folder)).outcome is Outcome.CUT
    assert capsys.readouterr().out == "cut      files: interrupted; 1 of 3 files ran, and 1 test of test_long.py\n"
    kept = Kept()
    kept.keep(folder, [job])
    assert list(Kept.of(folder).seconds) == ["test_quick.py"]


def test_a_test_that_takes_an_interruption_for_something_else_has_not_failed(folder: Path) -> None:
    (folder / "test_long.py").write_text(LONG.replace("time.sleep(600)", TAKEN))
    make = TestJobs(folder / "records", Kept())
    job = in_folder(make.job("files", {"test_long.py": (), "test_quick.py": ()}), folder)
    assert program._told(interrupted(job, folder)).outcome is Outcome.CUT
    assert record_of(job).tests == ["test_long.py::test_a"]


def test_a_failure_before_an_interruption_is_a_failure(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAILS", "1")
    make = TestJobs(folder / "records", Kept())
    job = in_folder(make.job("files", {"test_slow.py": (), "test_long.py": ()}), folder)
    assert program._told(interrupted(job, folder)).outcome is Outcome.FAILED
    said = capsys.readouterr().out
    assert said.startswith("FAILED   files: interrupted; 1 of 2 files ran, and 1 test of test_long.py\n")
    assert "test_slow.py::test_b" in said


def test_what_failed_is_run_first_until_it_passes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"test_slow.py": (), "test_quick.py": ()}
    monkeypatch.setenv("FAILS", "1")
    make = TestJobs(folder / "records", Kept.of(folder))
    assert list(make.failed_before(files)) == []
    job = in_folder(make.job("files", files), folder)
    assert run(job, folder, time.monotonic() + 60).outcome is Outcome.FAILED
    Kept.of(folder).keep(folder, [job])
    assert Kept.of(folder).failed == {"test_slow.py::test_b"}
    monkeypatch.delenv("FAILS")
    (first,) = TestJobs(folder / "records", Kept.of(folder)).failed_before(files)
    again = in_folder(first, folder)
    assert run(again, folder, time.monotonic() + 60).outcome is Outcome.PASSED
    assert record_of(again).tests == ["test_slow.py::test_b"]
    Kept.of(folder).keep(folder, [again])
    assert Kept.of(folder).failed == set()


def test_a_failure_whose_file_was_not_run_is_kept(folder: Path) -> None:
    kept = Kept(failed={"test_other.py::test_x"})
    kept.keep(folder, [])
    assert Kept.of(folder).failed == {"test_other.py::test_x"}
    assert list(TestJobs(folder / "records", kept).failed_before({"test_slow.py": ()})) == []


def test_a_file_that_cannot_be_imported_has_failed_and_the_others_are_run(folder: Path) -> None:
    (folder / "test_broken.py").write_text("import nothing_of_this_name\n")
    make = TestJobs(folder / "records", Kept())
    job = in_folder(make.job("files", {"test_broken.py": (), "test_quick.py": ()}), folder)
    assert run(job, folder, time.monotonic() + 60).outcome is Outcome.FAILED
    assert record_of(job).failed == {"test_broken.py"}
    assert record_of(job).states == {"test_quick.py": State.DONE}


def test_slow_files_are_last_and_alone_unless_they_are_among_the_nearest(tmp_path: Path) -> None:
    names = [f"tests/{name}.py" for name in "abcdefghijkl"]
    slow = {names[1]: 2 * SLOW, names[NEAREST]: 3 * SLOW, names[NEAREST + 1]: 2 * SLOW}
    jobs = list(TestJobs(tmp_path, Kept(slow)).near(dict.fromkeys(names, ())))
    assert titles(jobs) == ["a.py", "b.py", "c.py d.py e.py f.py g.py h.py k.py l.py", "j.py", "i.py"]
    assert ["--most-seconds=10" in job.command for job in jobs] == [True, True, True, False, False]


def test_files_share_a_process_for_ten_seconds(tmp_path: Path) -> None:
    kept = Kept({"tests/b.py": SLOW - 1.5, "tests/c.py": 0.1})
    jobs = TestJobs(tmp_path, kept).near(dict.fromkeys((f"tests/{name}.py" for name in "abcd"), ()))
    assert titles(list(jobs)) == ["a.py b.py c.py", "d.py"]


@pytest.mark.parametrize("content", [None, "{", "[]", '{"seconds": 1, "failed": []}'])
def test_what_was_kept_may_be_unreadable(tmp_path: Path, content: str | None) -> None:
    Kept().keep(tmp_path, [])
    (file,) = (tmp_path / ".pytest_cache").iterdir()
    if content is None:
        file.unlink()
    else:
        file.write_text(content)
    assert Kept.of(tmp_path) == Kept()


def test_two_jobs_run_at_once_and_what_follows_comes_last(tmp_path: Path) -> None:
    waits = "import pathlib, time\nwhile not pathlib.Path('there').exists(): time.sleep(0.01)"
    jobs = [Job("waits", (sys.executable, "-c", waits)), Job("writes", ("touch", "there")), Job("third", ("true",))]
    done = run_all(
        jobs, tmp_path, time.monotonic() + 60, following=lambda each: [Job("after", ("true",))] if each.job.title == "third" else ()
    )
    ended = titles([each.job for each in done])
    assert sorted(ended) == ["after", "third", "waits", "writes"]
    assert ended.index("after") > ended.index("third")


@pytest.mark.parametrize(
    ("outcomes", "said"),
    [
        (["ok"] * 3, []),
        (
            ["ok", "ok", "cut", "not run"],
            [
                "not run  3",
                'Not complete: 2 of 4 steps ran in 120 seconds. Nothing failed. To run the rest: make check ARGS="--seconds 600"',
            ],
        ),
        (
            ["ok", "FAILED", "not run"],
            [
                "not run  2",
                'Not complete: 2 of 3 steps ran in 120 seconds. 1 step failed. To run the rest: make check ARGS="--seconds 600"',
            ],
        ),
    ],
)
def test_the_end_says_how_far_it_came(outcomes: list[str], said: list[str]) -> None:
    done = [Done(Job(str(index), ()), Outcome(outcome), "") for index, outcome in enumerate(outcomes)]
    assert list(program._ending(done, 120.0)) == said


def test_the_end_counts_the_files_that_were_not_run_by_folder() -> None:
    files = [("aim/test_a.py", "aim/test_b.py"), ("aim/test_b.py",), ("webhook/server/test_c.py", "test_d.py")]
    jobs = [Job(" ".join(names), (), files={f"tests/{name}": () for name in names}) for names in files]
    said = list(program._ending([Done(job, Outcome.LATE, "") for job in jobs], 120.0))
    assert said[:-1] == ["not run  4 files of tests: . (1), aim (2), webhook/server (1)"]


def test_a_record_is_lines_of_json(folder: Path) -> None:
    make = TestJobs(folder / "records", Kept())
    job = in_folder(make.job("files", {"test_quick.py": ()}), folder)
    run(job, folder, time.monotonic() + 60)
    assert job.record is not None
    test, file = map(json.loads, job.record.read_text().splitlines())
    assert test == {"test": "test_quick.py::test_d", "failed": False}
    assert {key: file[key] for key in ("file", "state")} == {"file": "test_quick.py", "state": "done"}


def test_files_are_run_in_the_order_in_which_they_are_given(folder: Path) -> None:
    make = TestJobs(folder / "records", Kept())
    job = in_folder(make.job("files", {"test_slow.py": (), "test_quick.py": ()}), folder)
    run(job, folder, time.monotonic() + 60)
    assert list(record_of(job).states) == ["test_slow.py", "test_quick.py"]
