"""Regular expressions for CEL: RE2, searched, not anchored.

It uses `weighbridge.policies.schema.patterns`, as the schema's ``pattern`` does. Here an invalid pattern is a run-time error, and matches
are listed as Go lists them.
"""

from __future__ import annotations

from weighbridge.policies.cel.values.values import CelError
from weighbridge.policies.schema.patterns import compile_pattern, matched_texts


def syntax_error(pattern: str) -> str:
    """Go's error for an invalid pattern, or the empty string."""
    return compile_pattern(pattern).error


def search(pattern: str, text: str) -> bool:
    """Whether the pattern is found in `text`; raises CelError for one that doesn't compile."""
    compiled = compile_pattern(pattern)
    if compiled.error:
        raise CelError(compiled.error)
    return bool(compiled.matches(text))


def find_all(pattern: str, text: str, limit: int = -1) -> list[str]:
    """The matches in `text` from the left, at most `limit` if that isn't negative; raises CelError for one that doesn't compile."""
    problem = syntax_error(pattern)
    if problem:
        raise CelError(problem)
    return matched_texts(pattern, text, limit)
