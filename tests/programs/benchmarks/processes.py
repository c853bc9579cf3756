"""The usage of a process, as Linux counts it: CPU time, and resident memory now and at its peak."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_TICKS: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Usage:
    """Seconds of CPU so far, and MiB.

    `peak` counts from when the program began, unlike ru_maxrss, which a program inherits from its parent.
    """

    cpu: float
    resident: float
    peak: float


def usage(process: int | str = "self") -> Usage:
    """The usage of a process."""
    folder = Path("/proc", str(process))
    fields = (folder / "stat").read_text().rpartition(") ")[2].split()
    status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
    resident, peak = (int(status[key].split()[0]) / 1024 for key in ("VmRSS", "VmHWM"))
    return Usage((int(fields[11]) + int(fields[12])) / _TICKS, resident, peak)
