"""The files that differ from the commit where the branch began."""

from __future__ import annotations

import hashlib
import subprocess
from dataclasses import dataclass
from pathlib import Path


class GitError(Exception):
    """Git can't answer."""


@dataclass(frozen=True, slots=True)
class Changes:
    """The files that changed `since` a commit: their paths, each with a digest of the content, which is empty for a deleted file."""

    since: str
    digests: dict[str, str]


def changes(root: Path, since: str = "") -> Changes:
    """The changes since a revision, or since where the branch began: committed, uncommitted and new files. Raises GitError."""
    start = _git(root, "rev-parse", "--verify", "--quiet", f"{since}^{{commit}}") if since else _start(root)
    tracked = _git(root, "diff", "--name-only", "--no-renames", "-z", start)
    new = _git(root, "ls-files", "--others", "--exclude-standard", "-z")
    paths = sorted(filter(None, (tracked + "\0" + new).split("\0")))
    return Changes(_git(root, "log", "-1", "--format=%h (%s)", start), {path: _digest(root / path) for path in paths})


def _start(root: Path) -> str:
    """Where the branch left its upstream, or else `main`; HEAD where there is neither."""
    for other in ("@{upstream}", "main"):
        try:
            return _git(root, "merge-base", "HEAD", other)
        except GitError:
            continue
    return "HEAD"


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise GitError(f"git {' '.join(arguments)}: {done.stderr.strip() or 'no such revision'}")
    return done.stdout.strip()


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
