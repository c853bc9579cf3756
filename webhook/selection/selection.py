"""Decides what is read of a folder, and says why the rest isn't.

The first of these that matches a path decides: `--exclude` and the configuration's `exclude`, `.weighbridgeignore` and
`.gitignore` (the nearer file first), and usual names of folders that hold other people's files. Ignore files above the folder count up to
the root of its repository, or to the current folder outside of one, and a `.gitignore` doesn't reach into another repository. Git's own
settings of one machine (`.git/info/exclude`, `core.excludesFile`) don't count, so that a tree has one answer everywhere.

As in ruff, a named path is read even if a pattern matches it, and patterns that match a named folder, or one above it, don't count within
it. With `is_forced` they do, for callers that name all changed files.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Final

from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.webhook.cache.inputs import file_was_read, is_there, was_looked_for
from weighbridge.webhook.manifests.documents import PassedOver
from weighbridge.webhook.selection.patterns import Patterns, patterns_of
from weighbridge.webhook.selection.wildmatch import FOLDER
from weighbridge.webhook.texts.streams import as_text, warn

#: The names of ignore files; the first takes precedence.
_FILES: Final = (".weighbridgeignore", ".gitignore")
_GIT: Final = ".git"
_HERE: Final = os.path.join(os.curdir, "")
#: Folders that package managers and compilers fill.
_USUAL: Final = frozenset(
    {"__pycache__", "__pypackages__", "_build", "bower_components", "buck-out", "node_modules", "site-packages", "venv"}
)
#: Files next to a folder `vendor` that say that a package manager wrote it.
_VENDORED_BY: Final = frozenset({"go.mod", "composer.json", "Gemfile", "jsonnetfile.json"})
_LARGEST: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Excluded:
    """Patterns of an option or a setting, in the syntax of `.gitignore`, relative to the folder `base`."""

    base: str
    patterns: tuple[str, ...]
    origin: str = "--exclude"


@dataclass(frozen=True, slots=True)
class _Scope:
    """Patterns and the folder, without links, to which they are relative; `origin` names them, and `rank` is their precedence.

    `texts` are the patterns as they were given, if they don't come from a file.
    """

    base: str
    patterns: Patterns
    origin: str
    rank: int
    texts: tuple[str, ...] = ()

    @property
    def is_gits(self) -> bool:
        """Whether they come from a `.gitignore`."""
        return self.rank == len(_FILES)

    def relative(self, path: str) -> bytes | None:
        """A path relative to the folder; `None` if it isn't below it."""
        start = self.base if self.base.endswith(os.sep) else self.base + os.sep
        return os.fsencode(path[len(start) :]) if path.startswith(start) else None

    def named(self, line: int) -> str:
        """The pattern of a line, as it is named in reasons."""
        return f"{self.origin} {as_text(self.texts[line - 1])}" if self.texts else f"{self.origin}:{line}"


@dataclass(frozen=True, slots=True)
class Level:
    """One folder of a search: its path without links, and the patterns that count within it."""

    real: str
    scopes: tuple[_Scope, ...]

    def reason(self, name: str, *, is_folder: bool) -> str:
        """Why an entry of the folder isn't read; empty if it is."""
        path = os.path.join(self.real, name) if self.scopes else name
        for scope in self.scopes:
            relative = scope.relative(path)
            pattern = scope.patterns.last_match(relative + FOLDER * is_folder) if relative is not None else None
            if pattern is not None:
                return f"{scope.named(pattern.line)} leaves it out" if pattern.leaves_out else ""
        return _usual_reason(self.real, name) if is_folder else ""


def _usual_reason(parent: str, name: str) -> str:
    if name in _USUAL:
        return "folders of this name hold what a tool puts there"
    if name == "vendor":
        for mark in sorted(_VENDORED_BY):
            if is_there(os.path.join(parent, mark)):
                return f"a package manager fills it ({mark})"
    return ""


class Selection:
    """Decides what is read, and remembers what isn't."""

    def __init__(self, excluded: Sequence[Excluded] = (), *, is_forced: bool = False) -> None:
        self.is_forced = is_forced
        self.left_out: list[PassedOver] = []
        self._given = tuple(
            _Scope(os.path.realpath(one.base), patterns_of(os.fsencode("\n".join(one.patterns))), one.origin, 0, one.patterns)
            for one in excluded
        )
        self._levels: dict[tuple[str, str], tuple[Level, str]] = {}

    def within(self, folder: str) -> Level:
        """The level of a named folder; its own ignore files are added by `below`."""
        real = os.path.realpath(folder)
        scopes = self._given
        for parent in reversed(_parents(real, _repository(real))[1:]):
            scopes = self._with_files(scopes, parent, _marks(parent))
        counting = []
        for scope in scopes:
            above = [relative + FOLDER for path in _parents(real, scope.base) if (relative := scope.relative(path)) is not None]
            counting.append(replace(scope, patterns=scope.patterns.without_those_of(above)))
        return Level(real, tuple(counting))

    def below(self, level: Level, name: str, names: Iterable[str]) -> Level:
        """The level of a folder in a level, or the level itself without a name; `names` are the folder's entries."""
        real = os.path.join(level.real, name) if name else level.real
        return Level(real, self._with_files(level.scopes, real, names))

    def reason_below(self, folder: str, path: str) -> str:
        """Why a path that was found by its name below a folder isn't read; empty if it is."""
        top, real = os.path.realpath(folder), _without_links(path)
        level, reason = self._level(top, os.path.dirname(real))
        return reason or level.reason(os.path.basename(real), is_folder=os.path.isdir(path))

    def forced_reason(self, path: str) -> str:
        """Why a named path isn't read, if patterns count for it."""
        return self.reason_below(_repository(_without_links(path)), path) if self.is_forced else ""

    def leave_out(self, path: str, reason: str, *, is_folder: bool = False, is_judged: bool = False) -> None:
        """Note a path that isn't read; `is_judged` says that it is read by another path."""
        self.left_out.append(PassedOver(as_text(path.removeprefix(_HERE)) + "/" * is_folder, reason, is_judged=is_judged))

    def _level(self, top: str, folder: str) -> tuple[Level, str]:
        """A folder below another one, and why it isn't read."""
        known = self._levels.get((top, folder))
        if known is None:
            if folder == top or not folder.startswith(top) or folder == os.path.dirname(folder):
                known = self.below(self.within(folder), "", _marks(folder)), ""
            else:
                parent, reason = self._level(top, os.path.dirname(folder))
                name = os.path.basename(folder)
                reason = reason or ("a hidden folder" if name.startswith(".") else parent.reason(name, is_folder=True))
                known = self.below(parent, name, _marks(folder)), reason
            self._levels[top, folder] = known
        return known

    def _with_files(self, scopes: tuple[_Scope, ...], folder: str, names: Iterable[str]) -> tuple[_Scope, ...]:
        there = set(names)
        if any(scope.is_gits for scope in scopes):
            was_looked_for(os.path.join(folder, _GIT), is_there=_GIT in there)
        if _GIT in there:
            scopes = tuple(scope for scope in scopes if not scope.is_gits)
        found = [_scope_of(folder, name, rank) for rank, name in enumerate(_FILES, 1) if name in there]
        return tuple(sorted([*found, *scopes], key=lambda scope: scope.rank)) if found else scopes


def _scope_of(folder: str, name: str, rank: int) -> _Scope:
    path = os.path.join(folder, name)
    return _Scope(folder, patterns_of(_content(path)), as_text(os.path.relpath(path)), rank)


def _content(path: str) -> bytes:
    """The bytes of an ignore file; as in Git, an unreadable one counts as empty, with a warning."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(_LARGEST)
            file_was_read(path, data, stream.fileno())
    except OSError as error:
        if not isinstance(error, IsADirectoryError):
            name, why = as_text(os.path.relpath(path)), error.strerror or str(error)
            warn(f"{name}: can't be read ({why}), so it has no effect; let this user read it")
        return b""
    return data


def _repository(path: str) -> str:
    """The root of the repository of a path without links; outside of one, the current folder or the path's own."""
    start = path if os.path.isdir(path) else os.path.dirname(path)
    root = next((folder for folder in _parents(start, os.sep) if is_there(os.path.join(folder, _GIT))), "")
    here = os.path.realpath(os.curdir)
    return root or (here if here in _parents(start, here) else start)


def _parents(folder: str, base: str) -> list[str]:
    """A folder and those above it, up to a given one."""
    found = [folder]
    while folder != base and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        found.append(folder)
    return found


def _without_links(path: str) -> str:
    """A path whose folders are without links."""
    folder, name = os.path.split(path)
    return os.path.join(os.path.realpath(folder or os.curdir), name) if name not in {"", os.curdir, os.pardir} else os.path.realpath(path)


def _marks(folder: str) -> list[str]:
    """The entries of a folder that say something about the others."""
    return [name for name in (*_FILES, _GIT) if is_there(os.path.join(folder, name))]
