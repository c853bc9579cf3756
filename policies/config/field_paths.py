"""Paths of fields as users write them: ``.spec.replicas``, ``.metadata.labels['team']``."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.records import dataclass

_STEP: Final = expression(r"\.([^.\[\]'\"\s]+)|\[(?:'([^'\\]+)'|\"([^\"\\]+)\")\]")
_INDEX: Final = expression(r"\[(?:\d*|\*)\]")


@dataclass(frozen=True, slots=True)
class Segment:
    """One name of a path; `column` is its position in the text, counted from one."""

    name: str
    column: int


class PathError(ValueError):
    """The text isn't a path; `column` is the position of the error, counted from one."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.column = column


def steps_of(text: str) -> list[Segment]:
    """The names of a path. Raises PathError."""
    found: list[Segment] = []
    at = 0
    while at < len(text):
        step = _STEP.match(text, at)
        if step is None:
            if _INDEX.match(text, at):
                raise PathError("an item of a list can't be named; name the list", at + 1)
            raise PathError(f"{text[at : at + 64]!r} isn't a path; write one such as .spec.image or .metadata.labels['team']", at + 1)
        name = step[1] or step[2] or step[3]
        found.append(Segment(name, at + (2 if step[1] else 3)))
        at = step.end()
    if not found:
        raise PathError("is empty; write a path such as .spec.image", 1)
    return found


def path_of(text: str) -> Path:
    """The path of a text; empty if the text isn't a path."""
    try:
        return tuple(step.name for step in steps_of(text))
    except PathError:
        return ()
