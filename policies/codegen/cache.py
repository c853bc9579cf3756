"""A cache in which compiled units can be kept between runs.

The engine does no I/O: its caller passes a cache. Data under a key must come from the same version of the engine on the same interpreter.
The cache has to ensure that, since its data is executed.
"""

from __future__ import annotations

from typing import Protocol


class Cache(Protocol):
    """A store of bytes by key. Keys have the form ``group/name``; entries of one group are used together."""

    def get(self, key: str) -> bytes | None:
        """The data under `key`; `None` if there is none or it can't be trusted. Never raises."""

    def put(self, key: str, data: bytes) -> None:
        """Keep `data` under `key`, if possible. Never raises."""
