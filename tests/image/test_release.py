"""The signature of a release: a list of checksums, and a signature that anyone with the public key can verify."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

_MISSING = [tool for tool in ("ssh-keygen", "sha256sum") if shutil.which(tool) is None]
pytestmark = pytest.mark.skipif(bool(_MISSING), reason=f"no {' and no '.join(_MISSING)}")

_IDENTITY, _PURPOSE = "release@weighbridge", "weighbridge-release"


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A signed folder of two files; the key and the list of signers are next to it."""
    folder = tmp_path / "dist"
    folder.mkdir()
    (folder / "a.whl").write_bytes(b"a wheel")
    (folder / "an image.tar").write_bytes(b"an image")
    key = _key(tmp_path / "key")
    (tmp_path / "signers").write_text(f"{_IDENTITY} {key.with_suffix('.pub').read_text()}")
    subprocess.run(["sh", ".ci/sign.sh", str(folder), str(key)], cwd=ROOT, check=True, capture_output=True)
    return folder


def _key(path: Path) -> Path:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
    return path


def _verifies(folder: Path) -> bool:
    """The commands of docs/releasing.md."""
    who = ["-f", str(folder.parent / "signers"), "-I", _IDENTITY, "-n", _PURPOSE, "-s", "SHA256SUMS.sig"]
    with (folder / "SHA256SUMS").open() as listed:
        signed = subprocess.run(["ssh-keygen", "-Y", "verify", *who], cwd=folder, stdin=listed, capture_output=True)
    if signed.returncode != 0:
        return False
    return subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=folder, capture_output=True).returncode == 0


def test_what_was_signed_verifies(release: Path) -> None:
    assert _verifies(release)
    listed = (release / "SHA256SUMS").read_text().splitlines()
    assert [line.split(None, 1)[1] for line in listed] == ["a.whl", "an image.tar"]


def test_a_changed_file_does_not(release: Path) -> None:
    (release / "a.whl").write_bytes(b"another")
    assert not _verifies(release)


def test_a_changed_list_does_not(release: Path) -> None:
    (release / "SHA256SUMS").write_text((release / "SHA256SUMS").read_text().replace("a.whl", "b.whl"))
    assert not _verifies(release)


def test_another_key_does_not(release: Path) -> None:
    other = _key(release.parent / "other")
    subprocess.run(["sh", ".ci/sign.sh", str(release), str(other)], cwd=ROOT, check=True, capture_output=True)
    assert not _verifies(release)


def test_without_a_key_nothing_is_begun() -> None:
    done = subprocess.run(["sh", ".ci/release.sh", "bin", "/nonexistent/key"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert "make release KEY=" in done.stderr
