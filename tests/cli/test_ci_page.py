"""The page on CI shows the program's output for changes and formats."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.test_changed_since import Repository
from tests.command_line import run
from tests.programs.formats import with_formats
from tests.settings.test_page import PAGE, commands, section


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """The repository of the page, on the branch that it names."""
    made = Repository(tmp_path / "repository")
    (made.folder / "apps").mkdir(parents=True)
    for file, text in re.findall(r"```yaml\n# (apps/\S+\.yaml)\n(.*?)```", section("Only what changed"), re.DOTALL):
        (made.folder / file).write_text(text)
    made.git("init", "-q", "-b", "main")
    made.commit()
    made.git("checkout", "-q", "-b", "change")
    model = made.folder / "apps/model.yaml"
    model.write_text("".join(line for line in model.read_text().splitlines(keepends=True) if "files:" not in line))
    return made


@pytest.mark.parametrize("name", ["Only what changed", "GitHub Actions"])
def test_commands_write_what_the_page_shows(repository: Repository, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    shown = commands(section(name))
    assert shown
    for command, output in shown:
        program, *arguments = command.split()
        assert program == "weighbridge"
        assert run(*arguments, cwd=repository.folder).stdout == output


def test_every_form_is_on_the_page_as_the_table_has_it() -> None:
    assert with_formats(PAGE) == PAGE, "run make schemas"


def test_the_page_names_files_that_are_there() -> None:
    named = set(re.findall(r"deploy/(?:github-action|gitlab|tekton|argocd)[a-z/.-]*", PAGE))
    assert len(named) == 4
    root = Path(__file__).parents[2]
    assert all((root / name).exists() for name in named), named
