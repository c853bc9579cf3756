"""The one exception that a command raises for input it can't use."""

from __future__ import annotations


class InputError(Exception):
    """Input that can't be used; the text names the file, the line, the field and what would be right."""
