"""The packages in the image have the versions and the hashes of the lock file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from deploy.image import wheels
from deploy.image.build import PROJECT
from deploy.image.debian import ImageError

pytestmark = pytest.mark.timeout(600)

_PROJECT: Final = """
[project]
name = "small"
version = "1.0"
requires-python = ">=3.11"
dependencies = ["click>=8"]

[project.optional-dependencies]
server = ["h11>=0.14"]
tracing = []
"""


def small_project(folder: Path, *, lock: str) -> Path:
    """A project that needs two packages."""
    (folder / "pyproject.toml").write_text(_PROJECT)
    (folder / "requirements.lock").write_text(lock)
    return folder


def falsified(lock: str, package: str) -> str:
    """The lock with other hashes of one package."""
    before = wheels._locked(lock)
    (entry,) = (entry for name, entry in before.items() if name.startswith(f"{package}=="))
    return lock.replace(entry, re.sub(r"sha256:[0-9a-f]{64}", f"sha256:{'0' * 64}", entry))


def test_a_wheel_that_has_another_hash_than_the_lock_says_stops_the_build(tmp_path: Path) -> None:
    lock = (PROJECT / "requirements.lock").read_text()
    site = tmp_path / "root" / "site"
    site.mkdir(parents=True)
    wheels._install_locked(site, small_project(tmp_path, lock=lock))
    assert {"click", "h11"} <= {path.name for path in site.iterdir()}
    for package in ("click", "h11"):
        other = tmp_path / package / "site"
        other.mkdir(parents=True)
        with pytest.raises(ImageError, match=f"Hash mismatch for `{package}=="):
            wheels._install_locked(other, small_project(tmp_path, lock=falsified(lock, package)))
        assert not (other / package).exists()


def test_a_package_that_the_lock_lacks_stops_the_build(tmp_path: Path) -> None:
    lock = "".join(entry for name, entry in wheels._locked((PROJECT / "requirements.lock").read_text()).items() if "h11" not in name)
    with pytest.raises(ImageError, match=r"requirements.lock lacks h11==[0-9.]+; write it anew with make lock"):
        wheels._install_locked(tmp_path / "site", small_project(tmp_path, lock=lock))


def test_every_entry_of_the_lock_is_found_with_all_of_its_hashes() -> None:
    lock = (PROJECT / "requirements.lock").read_text()
    entries = wheels._locked(lock)
    assert "".join(entries.values()) == lock
    assert all("--hash=sha256:" in entry for entry in entries.values())
