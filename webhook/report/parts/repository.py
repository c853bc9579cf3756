"""Files as a forge names them: by their path in the repository, whatever folder the command runs in."""

from __future__ import annotations

import os
from typing import Final

from weighbridge.webhook.cache.inputs import not_repeatable

_GIT: Final = ".git"


class Repository:
    """The repository that the working folder is in; without one, paths stay as they were given."""

    def __init__(self) -> None:
        # The repository is found by what is there, which a later run doesn't compare.
        not_repeatable()
        self._folder = os.getcwd()
        self._root = _root_of(self._folder)

    def path(self, source: str) -> str:
        """The path of a file in the repository; as it was given where it lies elsewhere, or is standard input."""
        if source == "-" or not self._root:
            return source
        whole = os.path.normpath(os.path.join(self._folder, source))
        below = os.path.join(self._root, "")
        return whole.removeprefix(below) if whole.startswith(below) else source


def _root_of(folder: str) -> str:
    """The nearest folder that Git keeps; empty if there is none."""
    while not os.path.lexists(os.path.join(folder, _GIT)):
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent
    return folder
