"""How the cost of a command grows with its input and with the cluster: like `growth`, but for whole commands in one process."""

from __future__ import annotations

import gc
import math
import os
import tempfile
import time
from pathlib import Path
from typing import Final
from unittest.mock import patch

from tests.command_line import run
from tests.programs.benchmarks.command_worlds import COMMANDS, Command
from tests.programs.benchmarks.growth_table import exponent

_DOUBLINGS: Final = 4
_ROUNDS: Final = 2


def seconds(command: Command, count: int) -> float:
    """The CPU time of a command from its arguments to its exit code."""
    best = math.inf
    with tempfile.TemporaryDirectory() as folder:
        arguments = command(Path(folder), count)
        for _ in range(_ROUNDS):
            gc.collect()
            start = time.process_time()
            run(*arguments, cwd=Path(folder))
            best = min(best, time.process_time() - start)
    return best


def main() -> None:
    """Print the table."""
    print("Growth of commands: exponents of the time over a number that is doubled four times (all sizes, the last three)")
    with tempfile.TemporaryDirectory() as cache, patch.dict(os.environ, {"WEIGHBRIDGE_CACHE": cache}):
        for name, (first, command) in COMMANDS.items():
            sizes = [first << doubling for doubling in range(_DOUBLINGS + 1)]
            seconds(command, first)
            times = [seconds(command, size) for size in sizes]
            told = f"{exponent(sizes, times):5.2f} {exponent(sizes[-3:], times[-3:]):5.2f}"
            print(f"  {name:48} {told}   {sizes[0]}: {times[0]:.3f} s, {sizes[-1]}: {times[-1]:.3f} s", flush=True)
