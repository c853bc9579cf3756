"""The clock of the replicas, which an incident sets: Debian's libfaketime replaces the machine's clock.

Timeouts and the age of facts are counted with the monotonic clock, which no one can set on a real machine either.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Final

#: Where Debian's package `libfaketime` puts it.
LIBRARY: Final = Path(f"/usr/lib/{platform.machine()}-linux-gnu/faketime/libfaketimeMT.so.1")
#: How long a process may still use the clock's old setting.
SECONDS_KEPT: Final = 1


class Clock:
    """The replicas' clock, as a file that each of them reads."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "clock"
        self.set(0)

    def set(self, seconds: int) -> None:
        """Set the replicas' clock that many seconds ahead of the machine's, or behind it if they are negative."""
        self._file.write_text(f"{seconds:+d}\n")

    def environ(self) -> Mapping[str, str]:
        """The environment that gives a process this clock."""
        return {
            "LD_PRELOAD": str(LIBRARY),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_CACHE_DURATION": str(SECONDS_KEPT),
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
