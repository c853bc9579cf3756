"""The log of failures inside the engine. `logging` is imported at the first failure, since most runs have none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from logging import Logger

_SET_UP: Final[list[Callable[[], None]]] = []


def before_the_first(set_up: Callable[[], None]) -> None:
    """Register a function that sets up the log; it is called once, before the first failure is written."""
    _SET_UP.append(set_up)


def log() -> Logger:
    """The log."""
    import logging

    while _SET_UP:
        _SET_UP.pop()()
    return logging.getLogger("weighbridge.engine")
