"""Runs a command with fewer collections of garbage: nearly all that it makes lives to its end, and each collection would visit it again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

#: So many more containers are made than let go before a collection; Python's own default is 700.
_THRESHOLDS: Final = (20_000, 10, 10)


@contextmanager
def collected_rarely() -> Iterator[None]:
    """Within it, what is there already is never visited, and what is new is visited seldom; what refers to itself is still let go."""
    before, is_ours = gc.get_threshold(), gc.get_freeze_count() == 0
    if is_ours:
        gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if is_ours:
            gc.unfreeze()
