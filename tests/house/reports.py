"""A worker of pytest-xdist reports the outcome of a test, and failures of its setup and teardown.

By default it sends five messages for each test, four of which are never read. They take longer than the shortest tests.
"""

from __future__ import annotations

import pytest

# Plugins that repeat tests import it from here, too, since it has no public name.
from _pytest.runner import runtestprotocol


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a test in a worker. In other processes pytest runs it, and reports each phase."""
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True
