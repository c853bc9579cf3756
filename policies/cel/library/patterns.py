"""Regular expressions for CEL: RE2, searched, not anchored.

Whether a text matches is asked of `policies.schema.patterns`, which the schema's ``pattern`` goes through too; where a match stands and what
it spans is asked of RE2 itself. Compiled patterns are cached.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import re2

from policies.cel.values import CelError
from policies.schema.patterns import compile_pattern

_OPTIONS: Final = re2.Options()
_OPTIONS.log_errors = False


def syntax_error(pattern: str) -> str:
    """Go's words on what is wrong with a pattern, or the empty string."""
    return compile_pattern(pattern).error


def search(pattern: str, text: str) -> bool:
    """Whether the pattern is found in `text`; raises CelError for one that doesn't compile."""
    compiled = compile_pattern(pattern)
    if compiled.error:
        raise CelError(compiled.error)
    return bool(compiled.matches(text))


@lru_cache(maxsize=512)
def _finder(pattern: str) -> Any:
    return re2.compile(pattern, _OPTIONS)


def find_all(pattern: str, text: str, limit: int = -1) -> list[str]:
    """The matches in `text` from the left, at most `limit` if that isn't negative; raises CelError for one that doesn't compile."""
    problem = syntax_error(pattern)
    if problem:
        raise CelError(problem)
    found: list[str] = []
    end_of_last = -1
    for match in _finder(pattern).finditer(text):
        if len(found) == limit:
            break
        # Go leaves out an empty match that touches the one before it.
        if match.start() == match.end() == end_of_last:
            continue
        found.append(match.group())
        end_of_last = match.end()
    return found
