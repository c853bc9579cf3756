"""The labels of an object that its operator copies to the objects which it creates for it.

A pattern is Go's `filepath.Match` on the key: `*` and `?` stop at a slash. A pattern that can't be read is ignored.

Source: kaiwo dbca1b55, internal/controller/aim/shared/runtime_config.go; aim-engine v0.2.1, internal/controller/utils/apply.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.families.aim.kinds import NEW
from weighbridge.policies.ground.fields import flag, part, text_map, texts
from weighbridge.policies.ground.memory import once_a_text
from weighbridge.policies.ground.objects import JSONObject

#: The longest value of a label.
_LONGEST: Final = 63


def propagated(parent: JSONObject, config: JSONObject, dialect: Dialect) -> dict[str, str]:
    """The labels that are copied from an object to the objects created for it: those that the config names, and aim-engine's own."""
    asked, own = part(config, "labelPropagation"), f"{NEW}/" if dialect.is_aim_engine else ""
    patterns = texts(asked, "match") if flag(asked, "enabled") else ()
    labels = text_map(parent, "metadata", "labels")
    return {key: value for key, value in labels.items() if (own and key.startswith(own)) or matches(key, patterns)}


def labels_of_child(parent: JSONObject, config: JSONObject, dialect: Dialect, own: dict[str, str], added: dict[str, str]) -> dict[str, str]:
    """The labels of an object that aim-engine creates: a label that is copied from the parent replaces one that aim-engine adds to every
    object, but not the object's own ones.
    """
    return {**added, **propagated(parent, config, dialect), **own}


def label_value(text: str) -> str:
    """A text as aim-engine turns it into a valid value of a label."""
    return _trimmed(re.sub(r"[^a-z0-9._-]+", "_", text.lower()))


def kaiwo_label(text: str) -> str:
    """A text as kaiwo turns it into a valid value of a label."""
    return _trimmed(re.sub(r"[^a-zA-Z0-9._-]+", "_", text)) or "unknown"


def _trimmed(text: str) -> str:
    return text.strip("_.-")[:_LONGEST].rstrip("_.-")


def matches(key: str, patterns: Iterable[str]) -> bool:
    """Whether a key fits any of the patterns."""
    return any(compiled.fullmatch(key) for pattern in patterns if (compiled := pattern_of(pattern)) is not None)


@once_a_text(1024)
def pattern_of(pattern: str) -> re.Pattern[str] | None:
    """A pattern as a regular expression; `None` if Go can't read it."""
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
            found = _class(pattern, at)
            if found is None:
                return None
            expression, at = found
            out += expression
        else:
            out += re.escape(char)
    return re.compile(out)


def _class(pattern: str, at: int) -> tuple[str, int] | None:
    """The class that begins at `at`, as a regular expression, and the index of its end; `None` if Go can't read it."""
    negated = pattern[at : at + 1] == "^"
    at += negated
    ranges: list[str] = []
    any_range = False
    while not (any_range and pattern[at : at + 1] == "]"):
        if (lowest := _character(pattern, at)) is None:
            return None
        highest = _character(pattern, lowest[1] + 1) if pattern[lowest[1]] == "-" else lowest
        if highest is None:
            return None
        any_range, at = True, highest[1]
        # A range that runs backwards has no characters, which Go allows.
        if lowest[0] <= highest[0]:
            ranges.append(f"{re.escape(lowest[0])}-{re.escape(highest[0])}")
    if not ranges:
        return (r"[\s\S]" if negated else r"[^\s\S]"), at + 1
    return f"[{'^' if negated else ''}{''.join(ranges)}]", at + 1


def _character(pattern: str, at: int) -> tuple[str, int] | None:
    """One end of a range, and the index after it; the pattern must go on there."""
    if pattern[at : at + 1] == "\\":
        at += 1
    elif pattern[at : at + 1] in ("-", "]"):
        return None
    return (pattern[at], at + 1) if at + 1 < len(pattern) else None
