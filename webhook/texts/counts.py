"""Texts for the last lines of reports, which give counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

#: The most files for which the command that rewrites them is written out.
_MOST_FILES: Final = 3


def counted(count: int, noun: str) -> str:
    """A number with its noun."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def partly_checked(count: int, judged: int) -> str:
    """Say for how many of the judged objects some rule lacked facts. These are already counted by their verdicts."""
    return "not fully checked" if judged == 1 else f"{count} of them not fully checked"


def older_form(source: str, what: str, *, is_one: bool = True) -> str:
    """Say which command rewrites the objects of a file that have an older form; the sentence begins with `what`."""
    form, they = ("uses removed kinds or fields", "it") if is_one else ("use removed kinds or fields", "them")
    return f"{what} {form}: weighbridge migrate {source} rewrites {they}"


def older_forms(counts: Mapping[str, int]) -> Iterator[str]:
    """Say which command rewrites the objects that have an older form; `counts` has their number by file."""
    if len(counts) > _MOST_FILES:
        yield (
            f"{sum(counts.values())} objects of {len(counts)} files use removed kinds or fields: weighbridge migrate rewrites"
            " them; give it these files, or the folder that they are in"
        )
        return
    for source, count in counts.items():
        yield older_form(source, f"{counted(count, 'object')} of {source}", is_one=count == 1)


def bundled_releases(names: Iterable[str]) -> str:
    """Say which releases' bundled CRDs were used for findings, and how to use others."""
    return (
        f"findings come from the bundled CRDs of {' and '.join(sorted(names))}; if your cluster runs another release, give its CRDs with"
        " --crds, or a snapshot of it with --cluster"
    )
