"""From the arguments of a command to the bytes of files: files, directories, globs and standard input.

A directory is searched to its depths in the order of names, hidden directories and loops of links left out; a file that is named is read
whatever its name and kind, so that a shell's `<(command)` is. What can't be read is an issue, and the rest is read all the same.
"""

from __future__ import annotations

import errno
import glob
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from certs.regular_file import irregular, too_large
from webhook.manifests.documents import InputIssue
from webhook.streams import as_text

#: The name that means standard input, as an argument and in what is shown.
STDIN: Final = "-"
EXTENSIONS: Final = (".yaml", ".yml", ".json")
DEFAULT_MAX_BYTES: Final = 32 << 20


@dataclass(frozen=True, slots=True)
class Source:
    """One file's name as shown, its bytes, and the path by which it was opened, which isn't always text; empty for standard input."""

    name: str
    data: bytes
    path: str = ""


def _issue(name: str, message: str) -> InputIssue:
    return InputIssue(as_text(name), 0, 0, message)


def _problem(error: OSError) -> str:
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]


def _walk(directory: str, seen: set[tuple[int, int]]) -> Iterator[str | InputIssue]:
    """The manifests below a directory; `seen` holds the directories on the way, so that a loop of links ends."""
    try:
        status = os.stat(directory)
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError as error:
        yield _issue(directory, _problem(error))
        return
    identity = status.st_dev, status.st_ino
    if identity in seen:
        return
    seen.add(identity)
    for entry in entries:
        try:
            is_directory = entry.is_dir()
        except OSError:
            # A link to itself, for one: whoever opens it says what is wrong with it.
            yield entry.path
            continue
        if is_directory:
            if not entry.name.startswith("."):
                yield from _walk(entry.path, seen)
        elif entry.name.endswith(EXTENSIONS):
            yield _found(entry.path)


def _found(path: str) -> str | InputIssue:
    """A file that nobody named; others than regular ones may not end, or not even begin to be read."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return path
    what = irregular(mode)
    return _issue(path, f"{what}, which is read only where it is named") if what else path


def _expand(argument: str) -> Iterator[str | InputIssue]:
    """The files that one argument stands for, and why it stands for none."""
    if os.path.isdir(argument):
        found = False
        for item in _walk(argument, set()):
            found = True
            yield item
        if not found:
            yield _issue(argument, f"no manifests in this directory ({', '.join('*' + extension for extension in EXTENSIONS)})")
    elif os.path.lexists(argument) or not glob.has_magic(argument):
        yield argument
    else:
        matches = sorted(glob.glob(argument, recursive=True))
        if not matches:
            yield _issue(argument, "no file matches this pattern")
        for match in matches:
            if os.path.isdir(match):
                yield from _walk(match, set())
            else:
                yield _found(match)


def _read(name: str, stream: BinaryIO, max_bytes: int) -> Source | InputIssue:
    try:
        data = stream.read(max_bytes + 1)
    except OSError as error:
        return _issue(name, "standard input is closed" if name == STDIN and error.errno == errno.EBADF else _problem(error))
    if len(data) > max_bytes:
        return _issue(name, too_large(max_bytes))
    return Source(as_text(name), data, "" if name == STDIN else name)


def sources(arguments: Iterable[str], *, stdin: BinaryIO, max_bytes: int = DEFAULT_MAX_BYTES) -> Iterator[Source | InputIssue]:
    """Read what the arguments of a command name, each file once and when its turn comes.

    A missing or unreadable path, a pattern or directory without manifests and a file beyond `max_bytes` come as issues.
    """
    done: set[str] = set()
    for argument in arguments:
        if argument == STDIN:
            if STDIN not in done:
                done.add(STDIN)
                yield _read(STDIN, stdin, max_bytes)
            continue
        for path in _expand(argument):
            if isinstance(path, InputIssue):
                yield path
                continue
            identity = os.path.realpath(path)
            if identity in done:
                continue
            done.add(identity)
            try:
                with open(path, "rb") as stream:
                    yield _read(path, stream, max_bytes)
            except OSError as error:
                yield _issue(path, _problem(error))
