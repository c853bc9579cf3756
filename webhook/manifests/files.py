"""From the arguments of a command to the bytes of files: files, directories, globs and standard input.

A directory is searched completely, in the order of names, without hidden directories and links to directories: files in it are found by
their own paths, and files elsewhere weren't given. A named file is read whatever its name and kind, so that a shell's `<(command)` works; a
named directory is searched even if it is a link. A file that can't be read gives an issue, and the others are still read.

With a `FileSelection`, files that ignore files and patterns exclude aren't read either, and are noted with the reason.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, BinaryIO, Final, Protocol

from weighbridge.certs.regular_file import irregular, too_large
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.cache.inputs import file_was_read, folder_was_read, not_repeatable
from weighbridge.webhook.manifests.documents import InputIssue
from weighbridge.webhook.texts.streams import as_text

#: The name of standard input, as an argument and in output.
STDIN: Final = "-"
EXTENSIONS: Final = (".yaml", ".yml", ".json")
#: kustomize's third name of its file has no extension.
_KUSTOMIZATION: Final = "Kustomization"
DEFAULT_MAX_BYTES: Final = 32 << 20
#: Most files aren't larger.
_MOST_FILES: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Source:
    """One file's name as shown, its bytes, and the path by which it was opened, which isn't always text; empty for standard input.

    If the file was found by a link that leads out of a named directory, `leads_out_of` is that directory; such a file is only read.
    """

    name: str
    data: bytes
    path: str = ""
    leads_out_of: str = ""


class Level(Protocol):
    """One directory of a search, with the entries that aren't read."""

    def reason(self, name: str, *, is_folder: bool) -> str:
        """Why an entry isn't read; empty if it is."""


class FileSelection(Protocol):
    """Decides what is read, and records what isn't; `webhook/selection` has the one that reads ignore files."""

    is_forced: bool

    @property
    def left_out(self) -> Sequence[object]:
        """The entries that weren't read so far."""

    def within(self, folder: str) -> Any:
        """The level of a named directory."""

    def below(self, level: Any, name: str, names: Iterable[str]) -> Any:
        """The level of a directory in another one, which has entries of these names."""

    def reason_below(self, folder: str, path: str) -> str:
        """Why a path that was found by its name below a directory isn't read; empty if it is."""

    def forced_reason(self, path: str) -> str:
        """Why a named path isn't read."""

    def leave_out(self, path: str, reason: str, *, is_folder: bool = False, is_judged: bool = False) -> None:
        """Note a path that isn't read; `is_judged` says that it is read by another path."""


def _issue(name: str, message: str) -> InputIssue:
    return InputIssue(as_text(name), 0, 0, message)


def _problem(error: OSError) -> str:
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]


class _Search:
    """The search of one named directory, or of the directory with which a pattern begins."""

    def __init__(self, directory: str, tell: Callable[[str], None], selection: FileSelection | None) -> None:
        self._named = directory
        self._root = os.path.realpath(directory)
        self._tell = tell
        self._selection = selection
        self._passed: set[str] = set()

    def run(self) -> Iterator[str | InputIssue]:
        """The manifests below it."""
        return self._walk(self._named, "", self._selection.within(self._named) if self._selection is not None else None)

    def _walk(self, directory: str, name: str, above: Level | None) -> Iterator[str | InputIssue]:
        try:
            entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
        except OSError as error:
            yield _issue(directory, _problem(error))
            return
        folder_was_read(directory, entries)
        level = self._selection.below(above, name, [entry.name for entry in entries]) if self._selection and above else None
        for entry in entries:
            try:
                is_directory, is_link = entry.is_dir(), entry.is_symlink()
            except OSError:
                # For example a link to itself; opening it will give the error.
                yield entry.path
                continue
            if is_directory:
                if is_link:
                    self._pass_over(entry.path)
                elif not entry.name.startswith(".") and not self._leave_out(
                    entry, level.reason(entry.name, is_folder=True) if level else ""
                ):
                    yield from self._walk(entry.path, entry.name, level)
            elif not _is_manifest(entry.name) or self._leave_out(entry, _reason(level, entry.name, is_folder=False)):
                continue
            elif is_link and self._finds(os.path.realpath(entry.path)):
                self._leave_out(entry, "a link to a file that has its own path here", is_judged=True)
            else:
                # Most systems say what a file is together with its name.
                yield entry.path if not is_link and entry.is_file() else _found(entry.path)

    def _leave_out(self, entry: os.DirEntry[str], reason: str, *, is_judged: bool = False) -> bool:
        """Note an entry if there is a reason not to read it. Returns whether there is."""
        if reason and self._selection is not None:
            self._selection.leave_out(entry.path, reason, is_folder=entry.is_dir(), is_judged=is_judged)
        return bool(reason)

    def leaves_out(self, path: str) -> bool:
        """Whether a path that a pattern found is left out, which is noted."""
        reason = self._selection.reason_below(self._named, path) if self._selection is not None else ""
        if reason and self._selection is not None:
            self._selection.leave_out(path, reason, is_folder=os.path.isdir(path))
        return bool(reason)

    def passes(self, path: str) -> bool:
        """Whether a path below the directory contains a link to another one."""
        parent = os.path.dirname(path)
        while parent and parent != self._named and parent != os.path.dirname(parent):
            if os.path.islink(parent):
                self._pass_over(parent)
                return True
            parent = os.path.dirname(parent)
        return False

    def _pass_over(self, link: str) -> None:
        """Skip a link to a directory; `tell` is called if that leaves out files."""
        if link in self._passed or os.path.basename(link).startswith("."):
            return
        self._passed.add(link)
        is_outside = not is_within(os.path.realpath(link), self._root)
        if self._selection is not None:
            what = "out of the folder" if is_outside else "to a folder that has its own path here"
            self._selection.leave_out(link, f"a link {what}", is_folder=True, is_judged=not is_outside)
        if is_outside:
            self._tell(f"{as_text(link)}: a link out of {as_text(self._named)}, which isn't followed; name it to read what it leads to")

    def _finds(self, target: str) -> bool:
        """Whether a file is found by its own path."""
        if not (target.endswith(EXTENSIONS) and is_within(target, self._root) and os.path.isfile(target)):
            return False
        below = os.path.relpath(os.path.dirname(target), self._root)
        return below == os.curdir or not any(part.startswith(".") for part in below.split(os.sep))


class _Identities:
    """The paths of files without links; each directory is looked up only once."""

    def __init__(self) -> None:
        self._directories: dict[str, str] = {}

    def of(self, path: str) -> str:
        """The path of a file without links."""
        directory, name = os.path.split(path)
        if name in {"", os.curdir, os.pardir} or os.path.islink(path):
            return os.path.realpath(path)
        real = self._directories.get(directory)
        if real is None:
            real = self._directories[directory] = os.path.realpath(directory)
        return os.path.join(real, name)


def is_within(path: str, directory: str) -> bool:
    """Whether a path without links is in a directory without links."""
    return path == directory or path.startswith(os.path.join(directory, ""))


def _found(path: str) -> str | InputIssue:
    """A file that was found, not named. One that isn't regular is refused, since it may never end or may block when it is opened."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return path
    what = irregular(mode)
    return _issue(path, f"{what}, which is read only where it is named") if what else path


def _reason(level: Level | None, name: str, *, is_folder: bool) -> str:
    return level.reason(name, is_folder=is_folder) if level is not None else ""


def _is_manifest(name: str) -> bool:
    return name.endswith(EXTENSIONS) or name == _KUSTOMIZATION


def _expand(argument: str, tell: Callable[[str], None], selection: FileSelection | None) -> Iterator[str | InputIssue]:
    """The files of one argument, or the issue why it has none."""
    if selection is not None and selection.is_forced and os.path.lexists(argument):
        reason = selection.forced_reason(argument)
        if reason:
            selection.leave_out(argument, reason, is_folder=os.path.isdir(argument))
            return
    if os.path.isdir(argument):
        found, left_out = False, selection.left_out if selection is not None else []
        before = len(left_out)
        for item in _Search(argument, tell, selection).run():
            found = True
            yield item
        if not found and len(left_out) == before:
            yield _issue(argument, f"no manifests in this directory ({', '.join('*' + extension for extension in EXTENSIONS)})")
    elif not _is_pattern(argument):
        yield argument
    else:
        import glob

        not_repeatable()
        matches = sorted(glob.glob(argument, recursive=True))
        if not matches:
            yield _issue(argument, "no file matches this pattern")
        search = _Search(_fixed(argument), tell, selection)
        for match in matches:
            if search.passes(match) or search.leaves_out(match):
                continue
            if os.path.isdir(match):
                yield from _Search(match, tell, selection).run()
            else:
                yield _found(match)


def _fixed(argument: str) -> str:
    """The directory with which a pattern begins, or the named path itself."""
    while _is_pattern(argument):
        argument = os.path.dirname(argument)
    return argument or os.curdir


def _is_pattern(argument: str) -> bool:
    """Whether a text is a pattern: no file has that name, and it could match others."""
    if os.path.lexists(argument):
        return False
    import glob

    return glob.has_magic(argument)


def _read(name: str, stream: BinaryIO, max_bytes: int, leads_out_of: str = "", shown: str = "") -> Source | InputIssue:
    try:
        # Python allocates all of the requested size, and most files are small.
        data = stream.read(min(_MOST_FILES, max_bytes) + 1)
        if len(data) > _MOST_FILES:
            data += stream.read(max_bytes + 1 - len(data))
    except OSError as error:
        return _issue(name, "standard input is closed" if name == STDIN and error.errno == errno.EBADF else _problem(error))
    if len(data) > max_bytes:
        return _issue(name, too_large(max_bytes))
    if name == STDIN:
        not_repeatable()
    else:
        file_was_read(name, data, stream.fileno())
    return Source(as_text(shown or name), data, "" if name == STDIN else name, leads_out_of)


def _say_nothing(_: str) -> None:
    pass


def sources(
    arguments: Iterable[str],
    *,
    stdin: BinaryIO,
    max_bytes: int = DEFAULT_MAX_BYTES,
    tell: Callable[[str], None] = _say_nothing,
    selection: FileSelection | None = None,
) -> Iterator[Source | InputIssue]:
    """Read the files that the arguments of a command name, each once and one after the other.

    A missing or unreadable path, a pattern or directory without manifests and a file beyond `max_bytes` become issues; `tell` is called
    with omissions that a user may not expect.
    """
    done: set[str] = set()
    identify = _Identities()
    for argument in arguments:
        if argument == STDIN:
            if STDIN not in done:
                done.add(STDIN)
                yield _read(STDIN, stdin, max_bytes)
            continue
        named = _fixed(argument)
        root = os.path.realpath(named)
        for path in _expand(argument, tell, selection):
            if isinstance(path, InputIssue):
                yield path
                continue
            identity = identify.of(path)
            if identity in done:
                continue
            done.add(identity)
            leads_out = path != argument and not is_within(identity, root) and os.path.isdir(root)
            try:
                with open(path, "rb") as stream:
                    # Found files are shown in Git's form.
                    shown = path if path == argument else path.removeprefix(os.path.join(os.curdir, ""))
                    yield _read(path, stream, max_bytes, named if leads_out else "", shown)
            except OSError as error:
                yield _issue(path, _problem(error))
