"""Finds the settings of a run: from the command line, the environment, a file, or the default, in this order.

The first source that has a setting counts completely: lists aren't joined. The file is searched in the common folder of all paths of the
command line, and above it up to the root of the repository. Its reader is imported only if there is a file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Final

from weighbridge.webhook.cache.inputs import was_looked_for
from weighbridge.webhook.settings.values import COMMAND_LINE, PREFIX, VARIABLE, OptionSetting, Settings
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import as_text

#: The names that a file of settings may have.
NAMES: Final = ("weighbridge.yaml", ".weighbridge.yaml")
_REPOSITORY: Final = ".git"
#: Variables that aren't in the table of settings.
_OTHERS: Final = frozenset({VARIABLE, f"{PREFIX}CACHE"})


def settled(
    given: Mapping[str, str | tuple[str, ...] | None],
    paths: Iterable[str] = (),
    *,
    file: str | None = None,
    isolated: bool = False,
    environ: Mapping[str, str] = os.environ,
) -> Settings:
    """The settings of a run. `given` has the values of the command line, by key; `None` or empty for missing ones.

    `file` is named on the command line. With `isolated` neither file nor environment counts. Raises InputError.
    """
    if isolated and file:
        raise InputError("--settings and --isolated can't be given together: --isolated reads no file of settings")
    named = {key: _given(value) for key, value in given.items() if value is not None and value != ()}
    if isolated:
        return Settings(named)
    path = file or environ.get(VARIABLE) or found_above(paths)
    below: Settings | None = None
    if path:
        from weighbridge.webhook.settings.file import read_settings

        below = read_settings(path)
    if any(name.startswith(PREFIX) and name not in _OTHERS for name in environ):
        from weighbridge.webhook.settings.environment import from_environment

        named = {**from_environment(environ), **named}
    return Settings(named) if below is None else Settings({**below.named, **named}, below.overrides, below.file)


def _given(value: str | tuple[str, ...]) -> OptionSetting:
    # An empty text means that there is no file.
    return OptionSetting(tuple(filter(None, (value,) if isinstance(value, str) else value)), COMMAND_LINE)


def found_above(paths: Iterable[str]) -> str:
    """The file of settings that is nearest to the paths, as it is shown; empty if there is none. Raises InputError for two in a folder."""
    try:
        here = os.getcwd()
    except OSError:
        return ""
    folder = _common_folder(here, paths)
    while True:
        there = [path for name in NAMES if _is_there(path := os.path.join(folder, name))]
        if len(there) > 1:
            raise InputError(f"{as_text(_shown(there[1], here))}: {NAMES[0]} is in the same folder; keep one of the two")
        if there:
            found = _shown(there[0], here)
            # A pipe may never end. Another unreadable file gives an error when it is opened.
            if os.path.exists(found) and not (os.path.isfile(found) or os.path.isdir(found)):
                raise InputError(f"{as_text(found)}: no regular file; name it with --settings to read it all the same")
            return found
        above = os.path.dirname(folder)
        if _is_there(os.path.join(folder, _REPOSITORY)) or above == folder:
            return ""
        folder = above


def _is_there(path: str) -> bool:
    was_looked_for(path, is_there=os.path.exists(path))
    # A broken link counts, so that its error is reported.
    return os.path.lexists(path)


def _common_folder(here: str, paths: Iterable[str]) -> str:
    """The common folder of all paths; the working folder without paths, or for standard input."""
    folders = [_folder(os.path.join(here, path)) for path in paths if path and path != "-"]
    return os.path.commonpath(folders) if folders else here


def _folder(path: str) -> str:
    """The nearest existing folder of a path, which may be a file, a pattern, or a mistake."""
    path = os.path.abspath(path)
    while not os.path.isdir(path):
        path = os.path.dirname(path)
    return path


def _shown(path: str, here: str) -> str:
    """The shortest form of a path: relative to the working folder, unless the absolute one is shorter."""
    relative = os.path.relpath(path, here)
    return relative if len(relative) <= len(path) else path
