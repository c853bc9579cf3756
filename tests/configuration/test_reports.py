"""Every report lists the findings that an exception changed, and those that don't count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run
from tests.configuration.objects import HEAD, config_map

MODEL = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: legacy, namespace: team-a}
spec:
  source: https://example.com/m.gguf
  hardware: {accelerator: rocm, gpu: {count: 1, vendor: nvidia}}
"""
EXCEPTION = "exceptions:\n- {rules: [LLMKUBE-001], match: {names: [legacy]}, reason: moves in June, expires: %s}\n"
SAID = '"rocm" contradicts gpu.vendor "nvidia"; the pod will request nvidia.com/gpu'


@pytest.fixture
def options(tmp_path: Path) -> list[str]:
    """A manifest and a configuration that makes an exception of it."""
    (tmp_path / "model.yaml").write_text(MODEL)
    (tmp_path / "config.yaml").write_text(HEAD + EXCEPTION % "2999-12-31")
    return [str(tmp_path / "model.yaml"), "--config", str(tmp_path / "config.yaml")]


def test_lint_counts_it_and_lists_it_with_the_reason_where_asked(options: list[str]) -> None:
    counted = "checked 1 object in 1 file: 0 failed, 0 warned, not fully checked, 1 excepted"
    quiet = run("lint", *options)
    assert "LLMKUBE-001" not in quiet.stdout
    assert quiet.stdout.splitlines()[-1] == counted
    done = run("lint", *options, "-v")
    label = json.loads(run("lint", *options, "-o", "json").stdout)["results"][0]["object"]
    first, *_, last = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert first == f"{options[0]}:6:27: note[LLMKUBE-001] spec.hardware.accelerator: {SAID} (exempted: moves in June) ({label})"
    assert last == counted


def test_lint_has_it_in_json(options: list[str]) -> None:
    record = json.loads(run("lint", *options, "-o", "json").stdout)
    (found,) = record["results"][0]["findings"]
    assert (found["rule"], found["severity"], found["exempted"]) == ("LLMKUBE-001", "note", "moves in June")
    assert (record["summary"]["excepted"], record["summary"]["failed"]) == (1, 0)


def test_a_dry_run_shows_it(options: list[str]) -> None:
    assert "exempted: moves in June" in run("dry-run", *options, "-v").stdout
    quiet = run("dry-run", *options).stdout
    assert "LLMKUBE-001" not in quiet
    assert quiet.splitlines()[-1] == "1 allowed, 0 refused, not fully checked, 1 excepted"
    verdict = json.loads(run("dry-run", *options, "-o", "jsonl").stdout)
    (found,) = verdict["findings"]
    assert (verdict["allowed"], verdict["warnings"]) == (True, [])
    assert (found["rule"], found["severity"], found["exempted"]) == ("LLMKUBE-001", "note", "moves in June")


def test_one_that_has_ended_refuses_again_and_says_why(options: list[str]) -> None:
    Path(options[2]).write_text(HEAD + EXCEPTION % "2020-12-31")
    done = run("lint", *options)
    assert done.returncode == 1
    assert "error[LLMKUBE-001]" in done.stdout
    assert done.stderr == "Warning: exceptions[0] from LLMKUBE-001 ended: 2020-12-31 (moves in June)\n"
    (found,) = json.loads(run("dry-run", *options, "-o", "jsonl").stdout)["findings"]
    assert found["hint"].endswith("; an exception from this rule ended on 2020-12-31 (moves in June)")


def test_a_section_beside_the_manifest_narrows_and_one_that_widens_is_told_of(options: list[str], tmp_path: Path) -> None:
    Path(options[2]).write_text(HEAD + "rules: {LLMKUBE-001: warn}\n")
    assert run("lint", *options).returncode == 0
    section = tmp_path / "section.json"
    section.write_text(json.dumps(config_map("rules: {LLMKUBE-001: deny}")))
    assert run("lint", *options, str(section)).returncode == 1
    assert run("lint", *options, "--cluster", str(section)).returncode == 1
    section.write_text(json.dumps(config_map("rules: {LLMKUBE-001: off}")))
    done = run("lint", *options, "--cluster", str(section))
    assert (done.returncode, done.stdout.count("warning[LLMKUBE-001]")) == (0, 1)
    assert done.stderr == (
        "Warning: ConfigMap team-a/weighbridge is not used: configuration.yaml:1:22: rules.LLMKUBE-001: "
        "LLMKUBE-001 is warn cluster-wide; a namespace may make it stricter only, not off\n"
    )
