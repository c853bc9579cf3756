"""Texts for the last lines of reports, which give counts."""

from __future__ import annotations

from collections.abc import Iterable


def counted(count: int, noun: str) -> str:
    """A number with its noun."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def partly_checked(count: int, judged: int) -> str:
    """Say for how many of the judged objects some rule lacked facts. These are already counted by their verdicts."""
    return "not fully checked" if judged == 1 else f"{count} of them not fully checked"


def older_form(source: str, what: str, *, is_one: bool = True) -> str:
    """Say which command rewrites the objects of a file that have an older form; the sentence begins with `what`."""
    form, they = ("is of an older form", "it") if is_one else ("are of older forms", "them")
    return f"{what} {form}: weighbridge migrate {source} rewrites {they}"


def bundled_releases(names: Iterable[str]) -> str:
    """Say which releases' bundled CRDs were used for findings, and how to use others."""
    return (
        f"findings come from the bundled CRDs of {' and '.join(sorted(names))}; if your cluster runs another release, give its CRDs with"
        " --crds, or a snapshot of it with --cluster"
    )
