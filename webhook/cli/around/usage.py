"""Whether the options of `dry-run` go together."""

from __future__ import annotations

from collections.abc import Sequence


def check_usage(paths: Sequence[str], reviews: str | None, output: str, *, is_short: bool, names_stored: bool) -> None:
    """Check that the options go together. Raises UsageError."""
    if bool(paths) == bool(reviews):
        raise _usage("give PATH... or --reviews FILE, one of the two")
    if is_short and output not in {"json", "jsonl"}:
        raise _usage(f"--short needs -o json or jsonl, not {output}")
    if reviews and names_stored:
        raise _usage("--operation and --old are for PATH...; a review has its own")


def _usage(text: str) -> Exception:
    from click import UsageError

    return UsageError(text)
