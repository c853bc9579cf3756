"""Fixtures for the tests of rendering."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.rendering.trees import BUILT, no_programs

__all__ = ["no_programs"]


@pytest.fixture(scope="session")
def _built_programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the programs that the test control plane has and PATH lacks."""
    folder = tmp_path_factory.mktemp("programs")
    for name, place in BUILT.items():
        (folder / name).symlink_to(place)
    return folder


@pytest.fixture(autouse=True)
def _programs_on_path(_built_programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts them at the end of PATH."""
    monkeypatch.setenv("PATH", f"{os.environ.get('PATH', '')}{os.pathsep}{_built_programs}")
