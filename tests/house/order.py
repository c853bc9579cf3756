"""Each run has an order of its own, drawn by pytest-randomly: the modules of a folder, and the tests of a module.

Folders stay together, so what one of them shares among its modules is made once. Slow folders come first: if one began last, its
process would still run after all others have ended. The end of a run prints the seed; `pytest -p no:randomly`
takes the tests as they are written.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

#: Folders of tests that start servers or commands, or go through all cases.
_SLOW: Final = frozenset({"e2e", "installation", "image", "doors", "facts", "families", "webhook", "cli", "control_plane", "scheduler"})


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of a folder side by side, slow folders first, and else in the order in which they were drawn first."""
    drawn: dict[Path, int] = {}
    for item in items:
        drawn.setdefault(item.path.parent, len(drawn))
    items.sort(key=lambda item: (item.path.parent.name not in _SLOW, drawn[item.path.parent]))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say how to have the same order again; a quiet run has no header that does."""
    seed = config.getoption("randomly_seed", None)
    if seed is not None and config.getoption("randomly_reorganize"):
        terminalreporter.write_line(f"the order of this run again: --randomly-seed={seed}")
