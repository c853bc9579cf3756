"""Matches paths against patterns in the syntax of .gitignore: a folder includes everything below it, and the nearest pattern decides."""

from __future__ import annotations

import os
from functools import lru_cache

from weighbridge.webhook.selection.patterns import Patterns, patterns_of
from weighbridge.webhook.selection.wildmatch import FOLDER


def are_meant(patterns: tuple[str, ...], path: str) -> bool:
    """Whether patterns match a file or a folder above it. The path is relative to the folder of the patterns, with slashes."""
    known = _read(patterns)
    wanted = os.fsencode(path)
    while wanted:
        found = known.last_match(wanted)
        if found is not None:
            return found.leaves_out
        above = wanted.removesuffix(FOLDER).rpartition(b"/")[0]
        wanted = above + FOLDER if above else b""
    return False


@lru_cache(maxsize=256)
def _read(patterns: tuple[str, ...]) -> Patterns:
    return patterns_of("\n".join(patterns).encode("utf-8", "surrogateescape"))
