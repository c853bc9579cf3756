"""How many functions a command calls with n, 2n and 4n of what it is given, counted and not timed."""

from __future__ import annotations

from cProfile import Profile
from pathlib import Path

import pytest

from tests.command_line import run
from tests.programs.benchmarks.command_worlds import COMMANDS, MATCHING

_SIZE = 8
#: What the second doubling may add, of what the first one adds. In a straight line it is 2, and 4 where each looks at each other.
_CURVED, _WHERE_PAIRS_ARE_MATCHED = 2.1, 2.3


def _calls(name: str, folder: Path, size: int) -> int:
    _, command = COMMANDS[name]
    folder.mkdir()
    arguments, profile = command(folder, size), Profile()
    with profile:
        done = run(*arguments, cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize("name", COMMANDS)
def test_twice_as_much_is_twice_the_work(name: str, tmp_path: Path) -> None:
    sizes = (_SIZE, 2 * _SIZE, 4 * _SIZE)
    # The first one imports and compiles.
    _calls(name, tmp_path / "first", _SIZE)
    least, less, more = (_calls(name, tmp_path / str(size), size) for size in sizes)
    assert more - less <= (_WHERE_PAIRS_ARE_MATCHED if name in MATCHING else _CURVED) * (less - least)
