"""Python collects garbage less often than by default. By default that takes a fifth of the time of tests that run in one process.

It never looks at the collected tests: there are tens of thousands of them, and they stay until the end.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from typing import Final

import pytest

#: Allocations before a collection of the youngest generation; then collections of each generation before one of the next.
THRESHOLDS: Final = (20_000, 20, 1_000)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Search for no garbage while tests are collected, and leave what is there by then out of all later searches."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(*THRESHOLDS)
        gc.enable()
