"""A worker of pytest-xdist reports how a test ended, and what of its setup and teardown failed.

By default it sends five messages for each test, four of which are never read. They take longer than the shortest tests.
"""

from __future__ import annotations

import pytest

# Plugins that run a test again take it from here, too: there is no public name for it.
from _pytest.runner import runtestprotocol


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a test in a worker. In other processes pytest runs it, and reports each phase."""
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True
