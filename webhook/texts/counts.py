"""The words of the last lines, which count."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """A number with its noun."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def partly_checked(count: int, judged: int) -> str:
    """How many of the objects that were judged lack the verdict of some rule; each of them counts by its verdict already."""
    return "not fully checked" if judged == 1 else f"{count} of them not fully checked"


def older_form(source: str, what: str, *, is_one: bool = True) -> str:
    """Say which command rewrites the objects of a file that have an older form; the sentence begins with `what`."""
    form, they = ("is of an older form", "it") if is_one else ("are of older forms", "them")
    return f"{what} {form}: weighbridge migrate {source} rewrites {they}"
