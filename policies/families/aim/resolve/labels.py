"""Which labels of a service are copied to what the operator makes for it.

A pattern is Go's `filepath.Match` on the key: `*` and `?` stop at a slash. One that can't be read is passed over.
Sources: kaiwo dbca1b55, internal/controller/aim/shared/labels.go; aim-engine v0.2.1, internal/utils/labels.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from policies.families.aim.dialect import Dialect
from policies.families.aim.kinds import NEW
from policies.fields import flag, part, text_map, texts
from policies.objects import JSONObject


def propagated(service: JSONObject, config: JSONObject, dialect: Dialect) -> dict[str, str]:
    """The labels that go from a service to its InferenceService; kaiwo copies all of them, whatever the config says."""
    labels = text_map(service, "metadata", "labels")
    if not dialect.merges_deeply:
        return labels
    asked = part(config, "labelPropagation")
    patterns = texts(asked, "match") if flag(asked, "enabled") else ()
    return {key: value for key, value in labels.items() if key.startswith(f"{NEW}/") or matches(key, patterns)}


def matches(key: str, patterns: Iterable[str]) -> bool:
    """Whether a key fits any of the patterns."""
    return any(compiled.fullmatch(key) for pattern in patterns if (compiled := pattern_of(pattern)) is not None)


@lru_cache(maxsize=1024)
def pattern_of(pattern: str) -> re.Pattern[str] | None:
    """A pattern as an expression; `None` where Go says that it is none."""
    out, at = "", 0
    while at < len(pattern):
        char = pattern[at]
        at += 1
        if char == "*":
            out += "[^/]*"
        elif char == "?":
            out += "[^/]"
        elif char == "\\":
            if at == len(pattern):
                return None
            out, at = out + re.escape(pattern[at]), at + 1
        elif char == "[":
            end = _end_of_class(pattern, at)
            if end is None:
                return None
            negated = pattern[at] == "^"
            inner = pattern[at + negated : end]
            out, at = f"{out}[{'^' if negated else ''}{_class(inner)}]", end + 1
        else:
            out += re.escape(char)
    try:
        return re.compile(out)
    except re.error:
        return None


def _end_of_class(pattern: str, at: int) -> int | None:
    """Where a class ends that begins at `at`; `None` where it doesn't, or is empty."""
    start = at + (pattern[at : at + 1] == "^")
    end = start
    while end < len(pattern) and pattern[end] != "]":
        end += 2 if pattern[end] == "\\" else 1
    return end if start < end < len(pattern) else None


def _class(inner: str) -> str:
    return "".join(char if char in "\\-" else re.escape(char) for char in inner)
