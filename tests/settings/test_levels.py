"""Which findings make the exit code 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import run
from tests.silence.objects import EXAMPLES
from weighbridge.webhook.settings.values import Failing, FailOn, trouble_with_levels

UNKNOWN = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n"
PARTLY = EXAMPLES[0].written().replace("rocm", "cuda")


@pytest.mark.parametrize("command", ["lint", "dry-run"])
@pytest.mark.parametrize(
    ("level", "unknown", "partly"),
    [
        ("placement", 0, 0),
        ("unknown", 1, 0),
        ("unchecked", 1, 1),
        ("never,unknown", 1, 0),
        ("warning,unchecked", 1, 1),
        ("never", 0, 0),
    ],
)
def test_what_was_not_checked_counts_where_asked(tmp_path: Path, command: str, level: str, unknown: int, partly: int) -> None:
    (tmp_path / "unknown.yaml").write_text(UNKNOWN)
    (tmp_path / "partly.yaml").write_text(PARTLY)
    assert run(command, "unknown.yaml", "--fail-on", level, cwd=tmp_path).returncode == unknown
    assert run(command, "partly.yaml", "--fail-on", level, cwd=tmp_path).returncode == partly


def test_a_built_in_kind_is_none_of_ours_to_check(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n")
    assert run("lint", "m.yaml", "--fail-on", "unchecked", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("level", [*FailOn])
def test_a_level_alone_counts_what_it_did(level: FailOn) -> None:
    failing = Failing.of([level])
    nothing = dict.fromkeys(("refused", "never_runs", "warned", "noted"), 0)
    order = ["refused", "never_runs", "warned", "noted"]
    held = [name for name in order if failing.holds(**{**nothing, name: 1})]
    assert held == ([] if level is FailOn.NEVER else order[: list(FailOn).index(level) + 1])
    assert not failing.holds(**nothing, unknown=1, unchecked=1)


@pytest.mark.parametrize("text", ["error", "warning,unchecked", "unknown, never"])
def test_words_that_are_levels(text: str) -> None:
    assert trouble_with_levels(text) == ""


def test_a_wrong_level_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(UNKNOWN)
    done = run("lint", "m.yaml", "--fail-on", "warnings", cwd=tmp_path)
    assert (done.returncode, "'warnings' isn't a level; did you mean warning?" in done.stderr) == (2, True)


def test_junit_shows_what_failed(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(UNKNOWN)
    assert 'failures="0"' in run("lint", "m.yaml", "-o", "junit", cwd=tmp_path).stdout
    assert 'failures="1"' in run("lint", "m.yaml", "-o", "junit", "--fail-on", "unknown", cwd=tmp_path).stdout


def test_what_was_not_checked_is_one_line_without_v(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(UNKNOWN)
    (tmp_path / "b.yaml").write_text(PARTLY)
    quiet, loud = (run("lint", "a.yaml", "b.yaml", *options, cwd=tmp_path).stdout for options in ([], ["-v"]))
    assert [line for line in quiet.splitlines() if line.startswith("not checked")] == [
        "not checked: 1 kind without a known CRD and 1 check for lack of facts (-v lists them)"
    ]
    assert [line.split(":")[1].strip() for line in loud.splitlines() if line.startswith("not checked")] == [
        "LLMKUBE-008 gpu-not-in-cluster",
        "example.com/v1 Widget",
    ]
