"""The letter that a workload has in a picture."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase
from typing import Final

_LETTERS: Final = ascii_uppercase + ascii_lowercase
#: The signs of running pods, and of free devices.
RUNS: Final = "#"
FREE: Final = "."
_ANY_OTHER: Final = "*"


def letter(number: int) -> str:
    """A letter; if there are more workloads than letters, the others share a sign."""
    return _LETTERS[number] if number < len(_LETTERS) else _ANY_OTHER
