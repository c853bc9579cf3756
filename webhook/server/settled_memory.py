"""Settles the process's memory once the cluster has been read: what was read outlives every call, and what reading took is given back."""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress


def settle() -> None:
    """Keep collections off all that is here by now, and give free memory back to the system.

    Reading a cluster frees about as much as it leaves. The C library keeps that in between what is in use until it is asked to trim.
    """
    # The facts may be a hundred thousand objects: a full collection would look at them all while calls wait.
    gc.freeze()
    # Only glibc has it; others give memory back by themselves.
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
