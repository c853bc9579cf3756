"""Version constraints of model sources, as far as the operators understand them.

Operators are `<`, `<=`, `>`, `>=`, `=`, `==`, `!` and `!=`; a blank is "and", `||` is "or"; `x` matches any number, in a version that has
all three parts or follows an operator.

Source: blang/semver v4, range.go; aim-engine v0.2.1 and kaiwo dbca1b55 as observed, for what is padded and what is ignored.
"""

from __future__ import annotations

import re
from typing import Final

from weighbridge.policies.ground.expressions import expression

_OPERATOR: Final = expression(r"(<=|>=|==|!=|[<>=!])?(.*)")
_SUFFIX: Final = r"(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?"
_WHOLE: Final = expression(rf"[0-9]+\.[0-9]+(?:\.[0-9]+{_SUFFIX})?")
_ANY: Final = expression(r"[0-9]+(?:\.[0-9]+)?\.[xX*]")
_FULL_ANY: Final = expression(r"[0-9]+\.[0-9]+\.[xX*]")


def is_constraint(text: str) -> bool:
    """Whether the operators understand a constraint. They ignore others, which for `*` has the same effect."""
    return text.strip() == "*" or all(_all_read(part) for part in text.split("||"))


def _all_read(part: str) -> bool:
    words = re.sub(r"(<=|>=|==|!=|[<>=!])\s+", r"\1", part).split()
    return bool(words) and "-" not in words and all(map(_read, words))


def _read(word: str) -> bool:
    found = _OPERATOR.fullmatch(word)
    if found is None:
        return False
    wild = _ANY if found[1] else _FULL_ANY
    return _WHOLE.fullmatch(found[2]) is not None or wild.fullmatch(found[2]) is not None
