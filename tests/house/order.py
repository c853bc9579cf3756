"""Each run has a random order from pytest-randomly: of the modules in a folder, and of the tests in a module.

Folders stay together, so fixtures that the modules of a folder share are set up once. Slow folders come first: if one began last, its
process would still run after all others have ended. The end of a run prints the seed; `pytest -p no:randomly` runs the tests in the order
in which they are written.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

#: Slow folders: their tests start servers or commands, or go through all cases.
_SLOW: Final = frozenset({"e2e", "installation", "image", "doors", "facts", "families", "webhook", "cli", "control_plane", "scheduler"})


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Group the tests by folders, slow folders first, and the others in their random order."""
    drawn: dict[Path, int] = {}
    for item in items:
        drawn.setdefault(item.path.parent, len(drawn))
    items.sort(key=lambda item: (item.path.parent.name not in _SLOW, drawn[item.path.parent]))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print how to get the same order again, since a quiet run has no header with it."""
    seed = config.getoption("randomly_seed", None)
    if seed is not None and config.getoption("randomly_reorganize"):
        terminalreporter.write_line(f"the order of this run again: --randomly-seed={seed}")
