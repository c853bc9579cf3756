"""A configuration file is read again whenever its content changes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.configuration.objects import HEAD
from weighbridge.webhook.configuration.file import ConfigurationFile
from weighbridge.webhook.configuration.mistake import ConfigurationError

HOUR = 3_600_000_000_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A configuration."""
    found = tmp_path / "config.yaml"
    found.write_text(HEAD + "references: deny\n")
    return found


def opened(path: Path, hours_later: int = 1) -> ConfigurationFile:
    """The file, read, as long after it was written."""
    file = ConfigurationFile(str(path), lambda: path.stat().st_mtime_ns + hours_later * HOUR if path.exists() else 0)
    assert file.read().config.references == "deny"
    return file


@pytest.mark.parametrize("hours_later", [0, 1])
def test_as_long_as_it_says_the_same_nothing_is_read(path: Path, hours_later: int) -> None:
    file = opened(path, hours_later)
    assert file.refresh() is None
    os.utime(path, (1, 1))
    assert file.refresh() is None


def test_what_is_written_within_the_same_tick_is_not_missed(path: Path) -> None:
    file = opened(path, hours_later=0)
    before = path.stat()
    path.write_text(HEAD + "references: warn\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    read = file.refresh()
    assert read is not None
    assert read.config.references == "warn"


def test_a_link_that_is_swapped_is_noticed(tmp_path: Path) -> None:
    for name, action in (("one", "deny"), ("two", "audit")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.yaml").write_text(HEAD + f"references: {action}\n")
    (tmp_path / "..data").symlink_to("one")
    (tmp_path / "config.yaml").symlink_to("..data/config.yaml")
    file = opened(tmp_path / "config.yaml")
    (tmp_path / "..new").symlink_to("two")
    os.replace(tmp_path / "..new", tmp_path / "..data")
    read = file.refresh()
    assert read is not None
    assert read.config.references == "audit"
    assert file.refresh() is None


def test_a_mistake_is_told_once_and_mended_once(path: Path) -> None:
    file = opened(path)
    path.write_text(HEAD + "references: maybe\n")
    with pytest.raises(ConfigurationError, match="not 'maybe'"):
        file.refresh()
    assert file.refresh() is None
    path.write_text(HEAD + "references: deny\n# mended\n")
    assert file.refresh() is not None
    assert file.refresh() is None


def test_one_that_goes_away_is_told_once_and_counts_again_when_it_is_back(path: Path) -> None:
    file = opened(path)
    path.rename(path.with_suffix(".old"))
    with pytest.raises(ConfigurationError, match="no such file"):
        file.refresh()
    assert file.refresh() is None
    path.with_suffix(".old").rename(path)
    assert file.refresh() is not None


def test_one_that_becomes_a_directory_is_told_once(path: Path) -> None:
    file = opened(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(ConfigurationError, match="is a directory"):
        file.refresh()
    assert file.refresh() is None


def test_standard_input_is_read_once() -> None:
    assert ConfigurationFile("-").refresh() is None
