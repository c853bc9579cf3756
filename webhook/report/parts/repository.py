"""Files under the names that GitHub and GitLab use: by their path in the repository, whatever folder the command runs in."""

from __future__ import annotations

import os
from typing import Final

from weighbridge.webhook.cache.inputs import not_repeatable

_GIT: Final = ".git"


class Repository:
    """The repository around the working folder; without one, paths stay as given."""

    def __init__(self) -> None:
        # The repository is found by looking for files, whose absence a later run doesn't compare.
        not_repeatable()
        self._folder = os.getcwd()
        self._root = _root_of(self._folder)

    def path(self, source: str) -> str:
        """The path of a file in the repository; as given if the file is elsewhere or is standard input."""
        if source == "-" or not self._root:
            return source
        whole = os.path.normpath(os.path.join(self._folder, source))
        below = os.path.join(self._root, "")
        return whole.removeprefix(below) if whole.startswith(below) else source


def _root_of(folder: str) -> str:
    """The nearest folder with a Git repository; empty if there is none."""
    while not os.path.lexists(os.path.join(folder, _GIT)):
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent
    return folder
