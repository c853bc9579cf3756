"""The words of the last lines, which count."""

from __future__ import annotations

from collections.abc import Iterable


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


def bundled_releases(names: Iterable[str]) -> str:
    """Say of which releases the CRDs are that findings come from, and how to be judged by others."""
    return (
        f"findings come from the bundled CRDs of {' and '.join(sorted(names))}; if your cluster runs another release, give its CRDs with"
        " --crds, or a snapshot of it with --cluster"
    )
