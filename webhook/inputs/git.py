"""Reads from Git which files of the working folder's repository have changed since a commit, and their earlier content.

The program `git` is called, only for reading. If it fails, that gives an `InputError`.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.cache.inputs import not_repeatable
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import as_text

#: The modes of executable and plain files; links and submodules have others.
_FILES: Final = ("100644", "100755")
#: The user's settings that change the output are overridden.
_DIFF: Final = ("diff", "--raw", "-z", "--no-abbrev", "--find-renames", "--no-relative", "--no-ext-diff", "--ignore-submodules=all")


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file that has changed: its present path, empty if it was removed; and its earlier path and content, empty if it is new."""

    path: str
    old_path: str
    old_data: bytes


@dataclass(frozen=True, slots=True)
class History:
    """The repository's folder, its tracked files, and the changes since a commit; paths are relative to the folder."""

    root: str
    followed: frozenset[str]
    changes: tuple[FileChange, ...]


def changes_since(ref: str, folder: str) -> History:
    """The changes in the repository of a folder since its branch and `ref` diverged, including uncommitted ones. Raises InputError."""
    # Git's output depends on more than the files that are read.
    not_repeatable()
    option = f"--changed-since {as_text(ref)}"
    root = _line(("rev-parse", "--show-toplevel"), folder, f"{option}: {as_text(folder)} is in no Git repository")
    commit = _line(
        ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}"),
        root,
        f"{option}: no such branch, tag or commit here; fetch it first (in CI: the whole history, as with fetch-depth: 0)",
    )
    base = _line(
        ("merge-base", commit, "HEAD"),
        root,
        f"{option}: it has no commit in common with HEAD here; fetch the whole history (as with fetch-depth: 0)",
    )
    found = list(_raw(_asked((*_DIFF, base, "--"), option, root)))
    contents = _contents([blob for _, _, blob in found], option, root)
    followed = _asked(("ls-files", "-z", "--full-name"), option, root).split(b"\0")
    changes = (FileChange(path, old, data) for (path, old, _), data in zip(found, contents, strict=True))
    return History(root, frozenset(map(os.fsdecode, filter(None, followed))), tuple(changes))


def _raw(output: bytes) -> Iterator[tuple[str, str, str]]:
    """For each change its present path, its earlier path, and the name of the earlier content, from the output of ``git diff --raw -z``."""
    parts = iter(output.split(b"\0"))
    for part in parts:
        if not part.startswith(b":"):
            continue
        old_mode, new_mode, blob, _, status = part[1:].decode().split()
        first = os.fsdecode(next(parts))
        second = os.fsdecode(next(parts)) if status.startswith("R") else first
        was_file, is_file = old_mode in _FILES, new_mode in _FILES
        if was_file or is_file:
            yield second if is_file else "", first if was_file else "", blob if was_file else ""


def _contents(blobs: Sequence[str], option: str, root: str) -> Iterator[bytes]:
    """The contents by their names, in order; empty if there is none."""
    asked = "".join(f"{blob}\n" for blob in blobs if blob)
    output = _asked(("cat-file", "--batch"), option, root, asked.encode()) if asked else b""
    at = 0
    for blob in blobs:
        if not blob:
            yield b""
            continue
        end = output.index(b"\n", at)
        *_, size = output[at:end].split()
        if not size.isdigit():
            raise InputError(f"{option}: Git has lost {blob}; run git fsck")
        yield output[end + 1 : end + 1 + int(size)]
        at = end + 2 + int(size)


def _line(arguments: Sequence[str], folder: str, otherwise: str) -> str:
    """The only line of an answer. Raises InputError with `otherwise` if there is none."""
    done = _run(arguments, folder, b"")
    if done.returncode:
        if b"dubious ownership" in done.stderr:
            raise InputError(f"{otherwise.partition(':')[0]}: {_last(done.stderr)}")
        raise InputError(otherwise)
    return os.fsdecode(done.stdout.removesuffix(b"\n"))


def _asked(arguments: Sequence[str], option: str, root: str, given: bytes = b"") -> bytes:
    done = _run(arguments, root, given)
    if done.returncode:
        raise InputError(f"{option}: git {arguments[0]} failed: {_last(done.stderr)}")
    return done.stdout


def _run(arguments: Sequence[str], folder: str, given: bytes) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(["git", *arguments], cwd=folder, input=given, capture_output=True, check=False)  # noqa: S603, S607 - the user's own
    except OSError as error:
        raise InputError(f"--changed-since asks the program git, which can't be run ({error.strerror}); install it") from None


def _last(errors: bytes) -> str:
    lines = errors.decode(errors="replace").splitlines()
    return next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[-1] if lines else "no reason given")
