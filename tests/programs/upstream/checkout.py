"""A checkout of an upstream project: its files as they are at a commit, and what has changed since a release.

A folder without git has files and no history; in one with git uncommitted changes don't count.
"""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_FUNCTION: Final = re.compile(r"^@@ [^@]*@@ func (?:\([^)]*\) ?)?(\w+)", re.MULTILINE)


class CheckoutError(Exception):
    """A folder that can't be read."""


@dataclass(slots=True)
class Changed:
    """The change of a file since a release: git's letter (M, D, R), its new name, and its commits, the newest first."""

    status: str
    now: str = ""
    commits: list[str] = field(default_factory=list)


class Checkout:
    """The files of a folder, and their history if it has git; at the checked out commit unless another one is given."""

    def __init__(self, folder: Path, commit: str = "") -> None:
        if not folder.is_dir():
            raise CheckoutError(f"{folder}: no folder; give a checkout of the project, or its git directory")
        self._folder = folder
        self._files: dict[str, frozenset[str]] = {}
        found = self._asked("rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit or 'HEAD'}^{{commit}}")
        self.has_history = found is not None
        self._commit = (found or "").strip()
        if commit and not self.has_history:
            raise CheckoutError(f"{folder}: no commit {commit} is there")

    def __str__(self) -> str:
        if not self.has_history:
            return f"{self._folder} (without git)"
        described = self._git("describe", "--tags", "--always", self._commit).strip()
        return f"{described} of {self._git('log', '-1', '--format=%cs', self._commit).strip()}"

    @property
    def files(self) -> frozenset[str]:
        """The paths of all files, by the root of the checkout."""
        return self.files_at(self._commit)

    def files_at(self, revision: str) -> frozenset[str]:
        """The paths of all files at a revision."""
        if revision not in self._files:
            self._files[revision] = frozenset(self._listed(revision))
        return self._files[revision]

    def _listed(self, revision: str) -> Iterator[str]:
        if self.has_history:
            yield from filter(None, self._git("ls-tree", "-r", "-z", "--name-only", revision).split("\0"))
            return
        for path in self._folder.rglob("*"):
            if path.is_file() and not path.is_symlink():
                yield path.relative_to(self._folder).as_posix()

    def text(self, path: str, revision: str = "") -> str:
        """The text of a file."""
        if self.has_history:
            return self._git("show", f"{revision or self._commit}:{path}")
        return (self._folder / path).read_text(encoding="utf-8", errors="replace")

    def texts(self, folder: str, suffix: str, revision: str = "") -> Iterator[tuple[str, str]]:
        """The files directly in a folder whose names have this suffix, with their texts."""
        for path in sorted(self.files_at(revision or self._commit)):
            if path.endswith(suffix) and (not folder or path.rpartition("/")[0] == folder):
                yield path, self.text(path, revision)

    def paths_with(self, pattern: str, suffix: str, revision: str = "") -> Sequence[str]:
        """The files whose names have this suffix and that have a line with a pattern, in the extended syntax that Python and git share."""
        if self.has_history:
            found = self._asked("grep", "-lzE", pattern, revision or self._commit, "--", f"*{suffix}") or ""
            return [path.partition(":")[2] for path in found.split("\0") if path]
        wanted = re.compile(pattern)
        return [path for path, text in self.texts("", suffix) if any(map(wanted.search, text.splitlines()))]

    def revision(self, version: str) -> str:
        """The commit of a version, which is a tag or a commit; empty if the history doesn't have it."""
        names = (version, f"v{version}") if self.has_history else ()
        found = (self._asked("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}") for name in names)
        return next((commit.strip() for commit in found if commit), "")

    def changed_since(self, revision: str) -> Mapping[str, Changed]:
        """The files of a revision that have changed since, by their names at that time."""
        found: dict[str, Changed] = {}
        entries = iter(self._git("diff", "-M", "-z", "--name-status", revision, self._commit).split("\0"))
        for status in filter(None, entries):
            path = next(entries)
            now = next(entries) if status[0] in "RC" else ""
            if status[0] in "MDRT":
                found[path] = Changed(status[0], now)
        for path, subjects in self._commits_since(revision).items():
            if path in found:
                found[path].commits += subjects
        return found

    def _commits_since(self, revision: str) -> Mapping[str, Sequence[str]]:
        out: defaultdict[str, list[str]] = defaultdict(list)
        log = self._git("log", "--no-merges", "--format=%x01%h %s", "--name-only", f"{revision}..{self._commit}")
        for commit in log.split("\x01")[1:]:
            subject, _, paths = commit.partition("\n")
            for path in filter(None, paths.splitlines()):
                out[path].append(subject)
        return out

    def functions_changed(self, revision: str, path: str) -> Sequence[str]:
        """The functions of a Go file in which, or right after which, something has changed since a revision."""
        return list(dict.fromkeys(_FUNCTION.findall(self._git("diff", "-U0", revision, self._commit, "--", path))))

    def lines_changed(self, revision: str, path: str) -> Sequence[str]:
        """The lines that were removed from a file and added to it since a revision, each with git's sign."""
        found = self._git("diff", "-U0", "-w", revision, self._commit, "--", path).splitlines()
        return [" ".join(line.split()) for line in found if line[:1] in ("+", "-") and line[:3] not in ("+++", "---")]

    def _git(self, *arguments: str) -> str:
        found = self._asked(*arguments)
        if found is None:
            raise CheckoutError(f"{self._folder}: git {' '.join(arguments[:2])} fails")
        return found

    def _asked(self, *arguments: str) -> str | None:
        """The output of git; `None` if it fails."""
        command = ["git", "-c", "safe.directory=*", "-c", "core.quotePath=false", *arguments]
        done = subprocess.run(command, cwd=self._folder, capture_output=True, check=False)
        return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None
