"""The files that commands write."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import weighbridge.webhook.cluster.snapshot
from tests.command_line import run
from weighbridge.policies.facts.document import SnapshotHeader

#: `weighbridge` with an empty cluster.
_EMPTY_CLUSTER = """\
import weighbridge.webhook.cluster.snapshot
from weighbridge.policies.facts.document import SnapshotHeader
from weighbridge.webhook.cli.main import main

async def take_snapshot(*_, **__):
    return SnapshotHeader("v1.36.3").document([]), SnapshotHeader("v1.36.3")

weighbridge.webhook.cluster.snapshot.take_snapshot = take_snapshot
main()
"""


def _snapshot(path: object, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _EMPTY_CLUSTER, "snapshot", "-o", "json", "--file", str(path)]
    return subprocess.run(command, text=True, timeout=60, stderr=subprocess.PIPE, **options)  # type: ignore[call-overload,no-any-return]


@pytest.fixture
def empty_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    """Snapshots that are taken in this process are of an empty cluster."""

    async def take_snapshot(*_: object, **__: object) -> tuple[object, SnapshotHeader]:
        return SnapshotHeader("v1.36.3").document([]), SnapshotHeader("v1.36.3")

    monkeypatch.setattr(weighbridge.webhook.cluster.snapshot, "take_snapshot", take_snapshot)


@pytest.mark.usefixtures("empty_cluster")
def test_a_snapshot_keeps_the_mode_of_its_file_and_follows_no_link_laid_beside_it(tmp_path: Path) -> None:
    path, victim = tmp_path / "cluster.json", tmp_path / "victim"
    path.write_text("old")
    path.chmod(0o600)
    victim.write_text("mine")
    (tmp_path / ".cluster.json.new").symlink_to(victim)
    assert run("snapshot", "-o", "json", "--file", str(path)).returncode == 0
    assert json.loads(path.read_text())["server"] == "v1.36.3"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert victim.read_text() == "mine"


def test_a_snapshot_goes_into_standard_output_where_that_is_its_file(tmp_path: Path) -> None:
    piped = _snapshot("/dev/stdout", stdout=subprocess.PIPE)
    assert json.loads(piped.stdout)["kind"] == "Snapshot"
    out = tmp_path / "out"
    out.write_text("# before\n")
    with out.open("a") as file:
        assert _snapshot("/dev/stdout", stdout=file).returncode == 0
    assert out.read_text() == f"# before\n{piped.stdout}"


@pytest.mark.usefixtures("empty_cluster")
@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("missing/cluster.json", "there is no directory TMP/missing; make it first"),
        ("file/cluster.json", "there is no directory TMP/file; make it first"),
        ("loop", "can't be written (Too many levels of symbolic links)"),
    ],
)
def test_a_place_that_cannot_be_written_to_is_one_error_and_two(tmp_path: Path, place: str, said: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "loop").symlink_to("loop")
    done = run("snapshot", "-o", "json", "--file", str(tmp_path / place))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith(f"Error: {tmp_path / place}: {said.replace('TMP', str(tmp_path))}")


def test_a_full_device_is_one_error_and_two() -> None:
    done = _snapshot("/dev/full")
    assert (done.returncode, done.stderr) == (2, "Error: /dev/full: can't be written whole (No space left on device); make room\n")


@pytest.mark.usefixtures("empty_cluster")
def test_a_directory_is_one_error_and_two(tmp_path: Path) -> None:
    done = run("snapshot", "-o", "json", "--file", str(tmp_path))
    assert done.returncode == 2
    assert "is a directory" in done.stderr


@pytest.mark.parametrize("command", [("schema",), ("rules",)])
def test_pages_are_written_with_care_too(tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "file").write_text("")
    done = run(*command, "--write", str(tmp_path / "file" / "below"))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "this directory can't be made (Not a directory)" in done.stderr
    folder = tmp_path / "folder"
    assert run(*command, "--write", str(folder)).returncode == 0
    (written, *_) = sorted(path for path in folder.rglob("*") if path.is_file())
    before = written.read_text()
    written.write_text("old")
    written.chmod(0o640)
    os.symlink(tmp_path / "file", written.with_name(f".{written.name}.new"))
    assert run(*command, "--write", str(folder)).returncode == 0
    assert (written.read_text(), stat.S_IMODE(written.stat().st_mode)) == (before, 0o640)
    assert (tmp_path / "file").read_text() == ""
