"""Python doesn't search the collected tests for garbage: there are tens of thousands of them, and they stay until the end."""

from __future__ import annotations

import gc
from collections.abc import Generator

import pytest


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Search for no garbage while tests are collected, and leave what is there by then out of all later searches."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
