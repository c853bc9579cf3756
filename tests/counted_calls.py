"""Counts function calls, including those of methods of dictionaries and lists."""

from __future__ import annotations

import gc
from collections.abc import Callable
from cProfile import Profile


def calls_of(work: Callable[[], object]) -> int:
    """The number of functions that `work` calls, without those that finalize the garbage of earlier tests."""
    profile = Profile()
    gc.disable()
    try:
        with profile:
            work()
    finally:
        gc.enable()
    return sum(entry.callcount for entry in profile.getstats())
