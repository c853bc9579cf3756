"""The outputs about settings, ignores and baselines on the page on CI are those that the program writes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.command_line import run
from tests.conftest import ROOT
from weighbridge.webhook.settings.keys import KEYS

PAGE: Final = (ROOT / "docs" / "ci.md").read_text()
SECTIONS: Final = ("Settings", "Ignore a finding", "A baseline")
MODEL: Final = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata:
  name: phi
spec:
  source: hf://org/phi
  hardware:
    accelerator: rocm
    gpu: {count: 1, vendor: nvidia}
"""


def section(name: str) -> str:
    found = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def commands(text: str) -> list[tuple[str, str]]:
    """The commands of a section, each with its output."""
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    return [(command, output) for block in blocks for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The repository of the page, with the files that it shows."""
    (tmp_path / ".git").mkdir()
    for name in ("apps/model.yaml", "tests/broken.yaml"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(MODEL.replace("name: phi", "name: broken") if name.startswith("tests/") else MODEL)
    return tmp_path


@pytest.mark.parametrize("name", SECTIONS)
def test_commands_write_what_the_page_shows(repository: Path, name: str) -> None:
    for title in dict.fromkeys(("Settings", name)):
        for file, text in re.findall(r"```yaml\n# (\S+\.yaml)\n(.*?)```", section(title), re.DOTALL):
            (repository / file).write_text(f"# {file}\n{text}")
    found = commands(section(name))
    assert found
    for command, output in found:
        words = command.split()
        if words[0] == "cat":
            assert (repository / words[1]).read_text() == output
            continue
        env = dict(word.split("=") for word in words[: words.index("weighbridge")])
        done = run(*words[words.index("weighbridge") + 1 :], cwd=repository, env=env)
        assert done.stderr + done.stdout == output


def test_every_setting_is_on_the_page() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \|", section("Settings"), re.MULTILINE)
    assert set(KEYS) <= set(rows)
