"""Finds a folder's repository and its origin, without the program `git`."""

from __future__ import annotations

import os
from configparser import ConfigParser, Error
from typing import Final

from weighbridge.policies.ground.expressions import expression

#: The host of an address such as ``git@HOST:path`` or ``https://user@HOST:port/path``.
_HOST: Final = expression(r"^(?:[a-z+]+://)?(?:[^@/]*@)?([^:/]+)")


def repository_of(folder: str) -> str:
    """The top folder of the repository that a folder is in; the folder itself if it is in none."""
    there = os.path.abspath(folder)
    while not os.path.lexists(os.path.join(there, ".git")):
        above = os.path.dirname(there)
        if above == there:
            return os.path.abspath(folder)
        there = above
    return there


def origin_of(folder: str) -> str:
    """The host of the repository's remote, by its top folder; empty if none is known."""
    config = ConfigParser(strict=False, interpolation=None, allow_no_value=True)
    try:
        config.read(os.path.join(folder, ".git", "config"), encoding="utf-8")
        address = config.get('remote "origin"', "url", fallback="")
    except (Error, OSError, UnicodeDecodeError):
        return ""
    match = _HOST.match(address or "")
    return match[1].lower() if match and (":" in (address or "")) else ""
