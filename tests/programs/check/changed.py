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
    """The changes since a revision, or since the beginning of the branch: committed, uncommitted and new files. Raises GitError."""
    start = _git(root, "rev-parse", "--verify", "--quiet", f"{since}^{{commit}}") if since else _start(root)
    tracked = _git(root, "diff", "--name-only", "--no-renames", "-z", start)
    new = _git(root, "ls-files", "--others", "--exclude-standard", "-z")
    paths = sorted(filter(None, (tracked + "\0" + new).split("\0")))
    return Changes(_git(root, "log", "-1", "--format=%h (%s)", start), {path: _digest(root / path) for path in paths})


def _start(root: Path) -> str:
    """The commit where the branch left `main`, the remote's default branch or its upstream, whichever is nearest; HEAD if none of them
    exists.

    On `main` the branch `main` doesn't count, and neither does the remote's copy of a pushed branch, since a branch has commits that these
    lack.
    """
    branch = _answer(root, "symbolic-ref", "--short", "HEAD")
    upstream = _answer(root, "rev-parse", "--abbrev-ref", "@{upstream}")
    is_pushed = branch != "main" and upstream.partition("/")[2] == branch
    others = ["main" if branch != "main" else "", "origin/HEAD", "" if is_pushed else upstream]
    bases = [base for other in filter(None, others) if (base := _answer(root, "merge-base", "HEAD", other))]
    return min(bases, key=lambda base: int(_git(root, "rev-list", "--count", f"{base}..HEAD")), default="HEAD")


def _answer(root: Path, *arguments: str) -> str:
    """What git answers; nothing if it can't."""
    try:
        return _git(root, *arguments)
    except GitError:
        return ""


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise GitError(f"git {' '.join(arguments)}: {done.stderr.strip() or 'no such revision'}")
    return done.stdout.strip()


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
