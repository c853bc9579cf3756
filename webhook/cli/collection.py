"""Excludes what a command has loaded from garbage collection: it lives until the command ends, and each collection would visit it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loaded_is_frozen() -> Iterator[None]:
    """Within the block, collections don't visit objects that exist already, only new ones. A caller's own freeze stays in force."""
    is_ours = gc.get_freeze_count() == 0
    if is_ours:
        gc.freeze()
    try:
        yield
    finally:
        if is_ours:
            gc.unfreeze()
