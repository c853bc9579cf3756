"""The one exception for input that can't be used."""

from __future__ import annotations


class InputError(Exception):
    """Input that can't be used; the text names the file, the line, the field and what would be right."""
