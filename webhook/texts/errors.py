"""The one exception for input that can't be used."""

from __future__ import annotations


class InputError(Exception):
    """Input can't be used. The text names the file, the line, the field and what is expected."""
