"""Debian's packages: downloaded with the machine's own sources and keys, and unpacked without running anything of theirs."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: What of them no webhook reads; the licences stay.
UNUSED: Final = (
    "usr/share/man", "usr/share/lintian", "usr/share/bug", "usr/sbin", "usr/share/doc-base", "usr/share/pixmaps", "usr/share/applications",
)  # fmt: skip
_FORMAT: Final = "${Package}\t${Version}\t${Architecture}"


class ImageError(RuntimeError):
    """The image can't be built; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Package:
    """A package as it was unpacked."""

    name: str
    version: str
    architecture: str


def missing_tools() -> list[str]:
    """The tools that a build needs and this machine lacks."""
    return [tool for tool in ("apt-get", "dpkg-deb") if shutil.which(tool) is None]


def unpack(root: Path, work: Path, wanted: Sequence[str]) -> list[Package]:
    """Download the wanted packages into `work` and unpack them into `root`. Raises ImageError."""
    if missing := missing_tools():
        raise ImageError(f"building the image needs {' and '.join(missing)}; build on Debian 12 (bookworm)")
    _download(work, wanted)
    found = []
    for archive in sorted(work.glob("*.deb")):
        name, version, architecture = _run("dpkg-deb", "--show", "--showformat", _FORMAT, str(archive)).split("\t")
        _run("dpkg-deb", "--extract", str(archive), str(root))
        found.append(Package(name, version, architecture))
    if lacking := sorted(set(wanted) - {package.name for package in found}):
        raise ImageError(f"apt-get downloaded no {', '.join(lacking)}; build on Debian 12 (bookworm)")
    for path in UNUSED:
        shutil.rmtree(root / path, ignore_errors=True)
    for unused in root.glob("usr/share/doc/*/*"):
        if unused.name != "copyright" and not unused.is_symlink():
            shutil.rmtree(unused) if unused.is_dir() else unused.unlink()
    return found


def _download(work: Path, wanted: Sequence[str]) -> None:
    """Into `work`, by lists of its own, so that the machine's stay as they are."""
    lists, cache = work / "lists", work / "cache"
    (lists / "partial").mkdir(parents=True)
    (cache / "archives" / "partial").mkdir(parents=True)
    # The build may run as root, whose files the user of apt's sandbox can't write to.
    own = ("-o", f"Dir::State::lists={lists}", "-o", f"Dir::Cache={cache}", "-o", "APT::Sandbox::User=")
    _run("apt-get", "-qq", *own, "update")
    _run("apt-get", "-qq", *own, "download", *wanted, cwd=work)


def _run(*command: str, cwd: Path | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise ImageError(f"{command[0]} failed: {lines[-1]}")
    return done.stdout
