"""Where compiled units may be kept between runs.

The engine does no I/O: its caller passes a cache. Data under a key was put there by the same version of the
engine on the same interpreter; that is for the cache to see to, since what it hands out is run.
"""

from __future__ import annotations

from typing import Protocol


class Cache(Protocol):
    """A store of bytes by key. Keys are texts of the form ``group/name``; what has one group is used together."""

    def get(self, key: str) -> bytes | None:
        """The data under `key`; `None` where there is none, or where it can't be trusted. Never raises."""

    def put(self, key: str, data: bytes) -> None:
        """Keep `data` under `key`, or don't. Never raises."""
