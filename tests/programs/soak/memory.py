"""Whether a process grows: a line fitted through its resident memory after it has warmed up.

The memory of a Python process goes up and down by some MiB with its requests, so two samples don't show growth. A line through all samples
does, if it rises by more than that.
"""

from __future__ import annotations

import os
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.programs.benchmarks.processes import usage

#: A rise within both of these limits counts as none.
RISE_SHARE: Final = 0.15
RISE_MIB: Final = 12.0
CRITERION: Final = (
    f"memory grows when the line through the samples after warm-up rises by more than {RISE_SHARE:.0%} and more than {RISE_MIB:.0f} MiB"
)
#: Warm-up ends after this part of a run, and after this many seconds of it at the latest.
_WARM_SHARE: Final = 0.25
_WARM_SECONDS: Final = 300.0
_FEWEST: Final = 3
#: A run shorter than this consists only of warm-up, and doesn't show whether memory grows.
_TELLING_SECONDS: Final = 600.0
#: The default memory limit of a pod (`webhook/installation/settings.yaml`).
POD_MIB: Final = 1024.0


def busy_seconds() -> float:
    """The CPU seconds of the machine so far, of all cores and for all processes."""
    with open("/proc/stat", encoding="ascii") as stat:
        ticks = [int(field) for field in stat.readline().split()[1:]]
    idle, waiting = ticks[3:5]
    return (sum(ticks[:8]) - idle - waiting) / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    """The running child processes of a process."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    except OSError:
        return []


def private_memory(pid: int) -> float:
    """MiB that a process shares with no other; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024


@dataclass(slots=True)
class Memory:
    """Resident memory, open files and seconds of CPU of one process since it was first looked at.

    `samples` are seconds by the clock and MiB. `most` is the peak in MiB, including the private memory of its copies.
    """

    pid: int
    samples: list[tuple[float, float]] = field(default_factory=list)
    files: int = 0
    most_files: int = 0
    most: float = 0.0
    first_cpu: float | None = None
    cpu: float = 0.0

    def sample(self) -> None:
        """Look at the process, unless it has ended."""
        try:
            used, self.files = usage(self.pid), len(os.listdir(Path("/proc", str(self.pid), "fd")))
        except (OSError, KeyError):
            return
        self.first_cpu = used.cpu if self.first_cpu is None else self.first_cpu
        self.cpu, self.most_files = used.cpu - self.first_cpu, max(self.most_files, self.files)
        self.samples.append((time.monotonic(), used.resident))
        self.most = max(self.most, used.peak, used.resident + sum(map(private_memory, children(self.pid))))

    @property
    def start(self) -> float:
        """MiB at the first sample."""
        return self.samples[0][1] if self.samples else 0.0

    @property
    def end(self) -> float:
        """MiB at the last sample."""
        return self.samples[-1][1] if self.samples else 0.0

    @property
    def warm(self) -> list[tuple[float, float]]:
        """The samples after warm-up."""
        if not self.samples:
            return []
        first, last = self.samples[0][0], self.samples[-1][0]
        after = first + min(_WARM_SHARE * (last - first), _WARM_SECONDS)
        return [sample for sample in self.samples if sample[0] >= after]

    @property
    def slope(self) -> float:
        """MiB a second after warm-up; 0 if there are too few samples."""
        warm = self.warm
        return statistics.linear_regression(*zip(*warm, strict=True)).slope if len(warm) >= _FEWEST else 0.0

    @property
    def rise(self) -> float:
        """MiB by which the line rises from warm-up to the end."""
        return self.slope * (self.warm[-1][0] - self.warm[0][0]) if self.warm else 0.0

    @property
    def is_telling(self) -> bool:
        """Whether the run was long enough to distinguish growth from warming up."""
        return bool(self.samples) and self.samples[-1][0] - self.samples[0][0] >= _TELLING_SECONDS

    @property
    def grows(self) -> bool:
        """Whether the rise is more than the usual ups and downs."""
        return self.is_telling and self.rise > max(RISE_MIB, RISE_SHARE * self.warm[0][1])
