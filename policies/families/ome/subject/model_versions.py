"""Versions of model formats and frameworks, as OME reads and compares them.

A version has up to three parts. Only the third may have a suffix for a build, a candidate or a development version, of which no part may be
empty. A version with such a suffix equals only itself. With GreaterThan the runtime's version must be the greater one, so it is the upper
bound of the versions that a runtime supports. A version that can't be read matches nothing, not even itself.

Source: OME v0.1.5, pkg/modelver/util.go.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.memory import once_a_text
from weighbridge.policies.ground.records import dataclass

EQUAL: Final = "Equal"
GREATER: Final = "GreaterThan"
GREATER_OR_EQUAL: Final = "GreaterThanOrEqual"
#: The operators that OME knows; any other word means Equal.
OPERATORS: Final = (EQUAL, GREATER, GREATER_OR_EQUAL)
_NUMBER: Final = expression(r"0|[1-9][0-9]*")
_LARGEST: Final = 2**64 - 1
_MOST_DIGITS: Final = 20


@dataclass(frozen=True, slots=True)
class ModelVersion:
    """A version: its numbers, filled up to three; how many were written; its suffixes for a candidate, a build and development; whether it
    begins with v.
    """

    numbers: tuple[int, int, int]
    precision: int
    tails: tuple[str, str, str]
    has_prefix: bool

    @property
    def has_tail(self) -> bool:
        """Whether a suffix follows the numbers."""
        return any(self.tails)


@once_a_text(4096)
def parse(text: str) -> ModelVersion | None:
    """The version in a text; `None` if OME can't read it."""
    parts = text.split(".", 2)
    has_prefix = parts[0].startswith("v")
    if has_prefix:
        parts[0] = parts[0][1:]
    build = candidate = development = ""
    if len(parts) == 3:
        parts[2], with_build, build = parts[2].partition("+")
        parts[2], with_candidate, candidate = parts[2].partition("-")
        parts[2], with_development, development = parts[2].partition(".")
        tails = ((with_build, build), (with_candidate, candidate), (with_development, development))
        if any(separator and not all(tail.split(".")) for separator, tail in tails):
            return None
    if not all(_NUMBER.fullmatch(part) and len(part) <= _MOST_DIGITS and int(part) <= _LARGEST for part in parts):
        return None
    first, second, third, *_ = (*map(int, parts), 0, 0)
    return ModelVersion((first, second, third), len(parts), (candidate, build, development), has_prefix)


@lru_cache(maxsize=4096)
def matches(of_runtime: str, of_model: str, operator: str) -> bool:
    """Whether a runtime that supports one version serves a model of another."""
    runtime, model = parse(of_runtime), parse(of_model)
    if runtime is None or model is None:
        return False
    is_equal = runtime.numbers == model.numbers and runtime.tails == model.tails
    if operator == EQUAL or runtime.has_tail or model.has_tail:
        return is_equal
    if (runtime.precision, runtime.has_prefix) != (model.precision, model.has_prefix):
        return False
    if operator == GREATER:
        return runtime.numbers > model.numbers
    return runtime.numbers >= model.numbers if operator == GREATER_OR_EQUAL else is_equal
