"""One configuration file that is read again whenever it changes: when it is written, replaced, or reached by another link.

A volume of a ConfigMap is a link that is swapped. The bytes of a file are compared, so reading it too often has no effect: a file that has
just been written may be written once more within the same tick of the file system's clock.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from weighbridge.webhook.configuration.reader import ReadConfiguration, bytes_of, read_bytes
from weighbridge.webhook.manifests import STDIN
from weighbridge.webhook.texts.streams import as_text

if TYPE_CHECKING:
    from weighbridge.webhook.configuration.reader import CRDs

#: If a file was last written at least so long ago, a further change also changes its time of modification.
_SETTLED_NANOSECONDS: Final = 2_000_000_000
#: The values that change with a file, or when it may be read again: its times, inode and size; `None` if it doesn't exist.
_Stamp = tuple[int, int, int, int] | None


class ConfigurationFile:
    """A path, and what was last read there."""

    def __init__(self, path: str, clock: Callable[[], int] = time.time_ns, crds: CRDs | None = None) -> None:
        """`crds` gives the CRDs by which the expressions of policies are checked."""
        self._path = path
        self._clock = clock
        self._crds = crds
        self._stamp: _Stamp = None
        self._is_settled = False
        self._digest = ""

    def read(self) -> ReadConfiguration:
        """The configuration of the file. Raises ConfigurationError."""
        return self._parsed(self._data())

    def refresh(self) -> ReadConfiguration | None:
        """The configuration of the file if the file has changed since it was last read.

        Raises ConfigurationError, once for each content.
        """
        stamp = self._look()
        if self._path == STDIN or (stamp == self._stamp and self._is_settled):
            return None
        data = self._data()
        return None if _digest(data) == self._digest else self._parsed(data)

    def _data(self) -> bytes:
        # The stamp is from before the bytes were read, so that a change in between is noticed.
        self._stamp = self._look()
        self._is_settled = self._stamp is None or self._clock() - self._stamp[0] > _SETTLED_NANOSECONDS
        try:
            return bytes_of(self._path, is_watched=True)
        except Exception:
            self._digest = ""
            self._is_settled = True
            raise

    def _parsed(self, data: bytes) -> ReadConfiguration:
        self._digest = _digest(data)
        return read_bytes(as_text(self._path), data, self._crds)

    def _look(self) -> _Stamp:
        try:
            status = os.stat(self._path)
        except OSError:
            return None
        # A path that isn't a file is reported once.
        if not stat.S_ISREG(status.st_mode):
            return 0, 0, 0, 0
        return status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_size


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
