"""Tests that run without measuring coverage have no trace function, and neither have their threads, since tracing makes them twice as
slow.
"""

from __future__ import annotations

import sys
import threading


def test_nothing_traces_this_test() -> None:
    assert sys.gettrace() is None
    assert threading.gettrace() is None
