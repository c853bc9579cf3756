"""The number of functions that a command calls with inputs of size n, 2n and 4n; counted, not timed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import run
from tests.counted_calls import calls_of
from tests.programs.benchmarks.command_worlds import COMMANDS, MATCHING

_SIZE = 8
#: The greatest allowed ratio of the calls added by the second doubling to those added by the first. It is 2 for linear growth, and 4 for
#: quadratic growth.
_CURVED, _WHERE_PAIRS_ARE_MATCHED = 2.1, 2.3


def _calls(name: str, folder: Path, size: int) -> int:
    _, command = COMMANDS[name]
    folder.mkdir()
    arguments = command(folder, size)

    def done() -> None:
        answer = run(*arguments, cwd=folder)
        assert answer.returncode in (0, 1), answer.stderr

    return calls_of(done)


@pytest.mark.parametrize("name", COMMANDS)
def test_twice_as_much_is_twice_the_work(name: str, tmp_path: Path) -> None:
    sizes = (_SIZE, 2 * _SIZE, 4 * _SIZE)
    # The first run imports and compiles all that the largest one needs.
    _calls(name, tmp_path / "first", sizes[-1])
    least, less, more = (_calls(name, tmp_path / str(size), size) for size in sizes)
    assert more - less <= (_WHERE_PAIRS_ARE_MATCHED if name in MATCHING else _CURVED) * (less - least)
