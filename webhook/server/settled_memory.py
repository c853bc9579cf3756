"""Tidies the process's memory after reading the cluster: facts are exempt from garbage collection, free memory is given back."""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress


def settle() -> None:
    """Exempt all present objects from garbage collection, and give free memory back to the system.

    Reading a cluster frees about as much memory as it keeps. The C library holds the free memory, scattered among the used, until it is
    asked to trim.
    """
    # The facts may be a hundred thousand objects: a full collection would visit all of them while calls wait.
    gc.freeze()
    # Only glibc has this function; other libraries give memory back by themselves.
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
