"""`weighbridge lint --jobs`: several processes write the same as one, and leave nothing behind, however they end."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

import pytest

from tests.command_line import run
from weighbridge.webhook.cli.processes import shares
from weighbridge.webhook.report import FORMATS

#: Runs the command a number of times, in a process without other threads, and prints the output of each run.
_PROGRAM: Final = """\
import json, os, signal, sys, time
from tests.command_line import run
from weighbridge.policies.verdict import engine
this, fork, decide, made = os.getpid(), os.fork, engine.decide, []

def copied():
    made.append(1)
    return fork()

def decided(request, *given, **how):
    if os.getpid() != this and request.name in {names!r}:
        {action}
    return decide(request, *given, **how)

os.fork, engine.decide = copied, decided
for arguments, text in json.loads(sys.argv[1]):
    made.clear()
    done = run(*arguments, text=text)
    try:
        left = os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        left = None
    print(json.dumps([done.returncode, done.stdout, done.stderr, len(made), left]), flush=True)
"""
_KIND: Final = "apiVersion: inference.llmkube.dev/v1alpha1\nkind: {0}\nmetadata: {{name: {1}, namespace: {2}}}\nspec: {{{3}}}\n"


def _model(number: int, namespace: int, source: str) -> str:
    return _KIND.format("Model", f"m{number}", f"ns{namespace}", f"source: {source}")


def _command(action: str, *names: str) -> list[str]:
    return [sys.executable, "-c", _PROGRAM.format(names=names, action=action)]


def _runs(*asked: tuple[list[str], str], action: str = "pass", names: tuple[str, ...] = (), **env: str) -> list[list[Any]]:
    """The output of each run, and the number of its copies, none of which is left."""
    done = subprocess.run([*_command(action, *names), json.dumps(asked)], capture_output=True, text=True, env={**os.environ, **env})
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(asked), done.stderr
    assert [left for *_, left in found] == [None] * len(asked)
    return [written for *written, _ in found]


@pytest.fixture
def manifests(tmp_path: Path) -> str:
    """A folder of models and services in several namespaces, good and bad, with a file that can't be read and a list."""
    for number in range(24):
        source = "pvc://models" if number % 5 == 0 else f"hf://org/model-{number}"
        service = _KIND.format("InferenceService", f"s{number}", f"ns{number % 3}", f"modelRef: m{number}")
        (tmp_path / f"{number:02}.yaml").write_text(f"{_model(number, number % 3, source)}---\n{service}")
    items = "".join(f"- {_model(100 + number, 1, 'pvc://models').replace(chr(10), chr(10) + '  ').rstrip()}\n" for number in range(3))
    twice = f"apiVersion: v1\nkind: List\nitems:\n{items}kind: List\n"
    (tmp_path / "a-list.yaml").write_text(twice)
    (tmp_path / "unreadable.yaml").write_text("a: [\n")
    return str(tmp_path)


def _without_times(written: list[Any]) -> list[Any]:
    """The output without the times of JUnit, which differ from run to run."""
    return [re.sub(r' time="[0-9.]+"', "", text) if isinstance(text, str) else text for text in written]


def test_several_processes_write_what_one_does_in_every_format(manifests: str) -> None:
    ways = [["lint", "-v", "-o", name, manifests, "--jobs", jobs] for name in FORMATS for jobs in ("1", "4")]
    found = _runs(*((way, "") for way in ways))
    for one, four in zip(found[::2], found[1::2], strict=True):
        assert _without_times(four[:3]) == _without_times(one[:3])
        assert (one[0], one[3], four[3]) == (2, 0, 4)


def test_standard_input_is_shared_too() -> None:
    text = "---\n".join(f"{_model(number, 0, 'pvc://models')}spec: {{source: hf://org/m}}\n" for number in range(9))
    one, three = _runs((["lint", "-", "-j1"], text), (["lint", "-", "-j3"], text))
    assert three[:3] == one[:3]
    assert one[1].count("duplicate") == 9


@pytest.mark.parametrize(
    ("action", "how"),
    [("os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL"), ("os._exit(3)", "exit code 3"), ("raise RuntimeError('boom')", "exit code 1")],
)
def test_what_a_process_had_begun_when_it_died_is_an_error(manifests: str, action: str, how: str) -> None:
    ways = [["lint", "-v", "-o", name, manifests, "-j2"] for name in ("json", "junit", "text")]
    (code, out, _, _), junit, text = _runs(*((way, "") for way in ways), action=action, names=("s7",))
    results = json.loads(out)["results"]
    lost = [result for result in results if result["status"] == "error" and result["object"]]
    message = f"not judged: its process ended early ({how}); run it again with --jobs 1"
    assert code == junit[0] == text[0] == 2
    assert "InferenceService ns1/s7" in {result["object"] for result in lost}
    assert {issue["message"] for result in lost for issue in result["issues"]} == {message}
    assert f"{Path(manifests, '07.yaml')}:6:1: error: {message}" in text[1]
    assert 'name="InferenceService ns1/s7: judged"' in junit[1]
    # The results of the other processes are there, and every object is counted.
    assert "passed" in {result["status"] for result in results}
    assert sum(bool(result["object"]) for result in results) == 51


def test_one_process_does_it_where_no_copy_can_be_made(manifests: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = run("lint", manifests, "--jobs", "1")
    monkeypatch.delattr(os, "fork")
    assert run("lint", manifests, "--jobs", "4").stdout == expected.stdout


def test_one_process_does_it_where_the_system_gives_no_other(manifests: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    expected = run("lint", manifests, "--jobs", "1")
    monkeypatch.setattr(os, "fork", refused)
    assert run("lint", manifests, "--jobs", "4").stdout == expected.stdout


def test_what_copies_compile_is_kept(manifests: str, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    _runs((["lint", manifests, "-j3"], ""), WEIGHBRIDGE_CACHE=str(cache))
    kept = {file: file.stat().st_mtime_ns for file in cache.iterdir()}
    assert kept
    _runs((["lint", manifests, "-j1"], ""), WEIGHBRIDGE_CACHE=str(cache))
    assert {file: file.stat().st_mtime_ns for file in cache.iterdir()} == kept


def test_few_objects_are_judged_by_one_process_and_many_by_several(manifests: str, tmp_path: Path) -> None:
    many = tmp_path / "many.txt"
    many.write_text("---\n".join(_model(number, number % 9, "hf://org/m") for number in range(4 * shares._WORTH_A_PROCESS)))
    few, more = _runs((["lint", manifests], ""), (["lint", str(many)], ""))
    assert few[3] == 0
    assert more[3] == (min(shares._processors(), 4) if shares._processors() > 1 else 0)


def test_a_number_of_processes_is_at_least_one(manifests: str) -> None:
    done = run("lint", manifests, "--jobs", "0")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--jobs" in done.stderr


def _is_there(group: int) -> bool:
    """Whether a process of the group is running."""
    return any(fields[2] == str(group) and fields[0] != "Z" for stat in Path("/proc").glob("[0-9]*/stat") if (fields := _stat(stat)))


def _stat(path: Path) -> list[str]:
    try:
        return path.read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


@pytest.mark.parametrize("is_for_all", [True, False])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_all_processes(manifests: str, number: signal.Signals, is_for_all: bool) -> None:
    program = _command("os.write(1, b'begun'); time.sleep(0.2)", *(f"s{index}" for index in range(24)))
    # If a shell starts the tests in the background, they ignore SIGINT.
    heeds = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    program[2] = f"{heeds}import weighbridge.webhook.cli.main\n{program[2]}"
    asked = json.dumps([(["lint", manifests, "-j2"], "")])
    with subprocess.Popen([*program, asked], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stdout.read(5) == b"begun"
        (os.killpg if is_for_all else os.kill)(process.pid, number)
        assert process.wait(timeout=60) == -number
        deadline = time.monotonic() + 30
        while _is_there(process.pid) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not _is_there(process.pid)
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_copies_end_with_the_reader_of_the_output(manifests: str) -> None:
    program = [sys.executable, "-m", "weighbridge.webhook.cli.main", "lint", "-o", "json", "-j2", *[manifests] * 2]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(timeout=60) == 128 + signal.SIGPIPE
        assert not _is_there(process.pid)
