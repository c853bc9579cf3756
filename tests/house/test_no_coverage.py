"""Nothing follows the tests that run without measuring coverage. Measuring makes them twice as slow, in their threads too."""

from __future__ import annotations

import sys
import threading


def test_nothing_traces_this_test() -> None:
    assert sys.gettrace() is None
    assert threading.gettrace() is None
