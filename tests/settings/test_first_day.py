"""A repository that has never been linted: the first run succeeds, and a pull request gets only the findings that it causes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run
from tests.silence.objects import EXAMPLES

SETTINGS = """\
config: ops/configuration.yaml
namespace: models
fail-on: warning
exclude: [/vendored, "*.tmpl.yaml"]
baseline: ops/baseline.json
overrides:
- paths: [tests]
  ignore: ["*"]
  reason: wrong on purpose
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with faulty objects of every family in 60 files, fixtures, vendored files, and a text that can't be read."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "ops").mkdir()
    for number in range(60):
        example = EXAMPLES[number % len(EXAMPLES)]
        folder = tmp_path / "apps" / f"team-{number % 7}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number:02}.yaml").write_text(
            example.written()
            .replace("  name: ", f"  name: n{number:02}-", 1)
            .replace("app: chat", f"app: n{number}")
            .replace("name: picker", f"name: p{number}")
        )
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "broken.yaml").write_text(EXAMPLES[0].written().replace("source:", "sauce:").replace("phi", "wrong"))
    (tmp_path / "vendored").mkdir()
    (tmp_path / "vendored" / "x.yaml").write_text("a: [\n")
    (tmp_path / "apps" / "chart.tmpl.yaml").write_text("a: [\n")
    (tmp_path / "ops" / "configuration.yaml").write_text("apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\n")
    return tmp_path


def counting(repository: Path) -> tuple[int, list[tuple[str, str]]]:
    """The exit code, and the findings that count, each with its file."""
    done = run("lint", ".", "-o", "json", cwd=repository)
    results = json.loads(done.stdout)["results"]
    found = [(each["rule"], result["source"]) for result in results for each in result["findings"] if each["severity"] != "note"]
    return done.returncode, sorted(found)


def test_the_first_day_is_green_and_a_pull_request_gets_what_it_breaks(repository: Path) -> None:
    assert run("lint", ".", cwd=repository).returncode == 2
    (repository / "weighbridge.yaml").write_text(SETTINGS)
    assert SETTINGS.count("\n") <= 10
    first = run("lint", ".", "--write-baseline", "ops/baseline.json", cwd=repository)
    assert (first.returncode, first.stderr) == (0, "wrote ops/baseline.json: 60 findings\n")
    assert counting(repository) == (0, [])

    for number, example in enumerate(EXAMPLES[:2]):
        (repository / "apps" / f"new-{number}.yaml").write_text(example.written())
    touched = repository / "apps" / "team-0" / "00.yaml"
    touched.write_text("# moved down\n\n" + touched.read_text().replace("count: 1", "count: -1"))
    code, found = counting(repository)
    assert code == 1
    assert found == [("AIM-016", "apps/new-1.yaml"), ("K8S-003", "apps/team-0/00.yaml"), ("LLMKUBE-001", "apps/new-0.yaml")]
