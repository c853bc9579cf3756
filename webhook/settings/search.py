"""Where the settings of a run come from: the command line, the environment, a file, the default, in this order.

The nearest source that has a setting counts, and counts whole: lists aren't joined. The file is looked for in the folder that holds all
paths of the command line, and above it up to the root of the repository. What reads it is imported only where there is one.
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
    """The settings of a run. `given` is what the command line has, by key: `None` or nothing where it doesn't have it.

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
    # An empty text says that there is to be none.
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
            # A pipe may never end. What else can't be read says so when it is opened.
            if os.path.exists(found) and not (os.path.isfile(found) or os.path.isdir(found)):
                raise InputError(f"{as_text(found)}: no regular file; name it with --settings to read it all the same")
            return found
        above = os.path.dirname(folder)
        if _is_there(os.path.join(folder, _REPOSITORY)) or above == folder:
            return ""
        folder = above


def _is_there(path: str) -> bool:
    was_looked_for(path, is_there=os.path.exists(path))
    # A link that leads nowhere is meant to be there.
    return os.path.lexists(path)


def _common_folder(here: str, paths: Iterable[str]) -> str:
    """The folder that holds all of the paths; the working folder where there are none, or for standard input."""
    folders = [_folder(os.path.join(here, path)) for path in paths if path and path != "-"]
    return os.path.commonpath(folders) if folders else here


def _folder(path: str) -> str:
    """The nearest folder of a path that is there: a path may be a file, a pattern, or a mistake."""
    path = os.path.abspath(path)
    while not os.path.isdir(path):
        path = os.path.dirname(path)
    return path


def _shown(path: str, here: str) -> str:
    """A path as short as it can be: from the working folder, unless that is further than from the root."""
    relative = os.path.relpath(path, here)
    return relative if len(relative) <= len(path) else path
