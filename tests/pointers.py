"""Reads JSON Pointers (RFC 6901): the inverse of `weighbridge.policies.ground.objects.pointer`."""

from __future__ import annotations


def from_pointer(text: str) -> tuple[str, ...]:
    """The unescaped steps of a JSON Pointer; list indexes stay text, since only the document distinguishes them from keys.

    Raises ValueError if a non-empty pointer doesn't begin with a slash.
    """
    if not text:
        return ()
    if not text.startswith("/"):
        raise ValueError(f"a JSON pointer begins with '/': {text!r}")
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in text[1:].split("/"))
