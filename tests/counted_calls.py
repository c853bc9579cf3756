"""How many functions are called, those of dictionaries and lists too."""

from __future__ import annotations

import gc
from collections.abc import Callable
from cProfile import Profile


def calls_of(work: Callable[[], object]) -> int:
    """How many functions `work` calls, without those that finalize the garbage of earlier tests."""
    profile = Profile()
    gc.disable()
    try:
        with profile:
            work()
    finally:
        gc.enable()
    return sum(entry.callcount for entry in profile.getstats())
