"""The letter that a workload has in a picture."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase
from typing import Final

_LETTERS: Final = ascii_uppercase + ascii_lowercase
#: What runs already, and what is free.
RUNS: Final = "#"
FREE: Final = "."
_ANY_OTHER: Final = "*"


def letter(number: int) -> str:
    """A letter; where there are more workloads than letters, the rest shares a sign."""
    return _LETTERS[number] if number < len(_LETTERS) else _ANY_OTHER
