"""Replaces the parts of a document with a wrong form by stand-ins, so that its meaning can be checked as well.

Pydantic stops at the form: if an exception has no reason, its match isn't checked. A stand-in replaces each value with a wrong form and
each missing one. Mistakes within a stand-in aren't the author's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.schema.go_values import deep_copy
from weighbridge.webhook.configuration.mistakes import UNKNOWN, meant

_Parsed = TypeVar("_Parsed")
#: A stand-in may itself have mistakes: an empty map for a section lacks what the section requires.
_ROUNDS: Final = 6
#: Stand-ins by the beginning of the name of pydantic's error.
_STAND_INS: Final[tuple[tuple[str, Any], ...]] = (
    ("list", []),
    ("dict", {}),
    ("dataclass", {}),
    ("bool", False),
    ("int", 1),
    ("string", "x"),
)


@dataclass(frozen=True, slots=True)
class Repaired:
    """The configuration of a repaired document, the original document, and the paths of the stand-ins."""

    parsed: Any
    written: JSONObject
    stand_ins: Sequence[Path]

    def is_authors(self, path: Path) -> bool:
        """Whether a mistake at a path is the author's: it isn't in a stand-in, and not about what only a stand-in next to it requires."""
        if any(path[: len(stand_in)] == stand_in for stand_in in self.stand_ins):
            return False
        return _is_in(self.written, path) or not any(path[:-1] == stand_in[:-1] for stand_in in self.stand_ins)


def repaired(value: JSONObject, parse_as: Callable[[JSONObject], _Parsed], errors: Sequence[ErrorDetails]) -> Repaired | None:
    """The document with stand-ins for these errors; `None` if it can't be read even with them."""
    changed: JSONObject = deep_copy(value)
    stand_ins: list[Path] = []
    tries: dict[Path, int] = {}
    found = list(errors)
    for _ in range(_ROUNDS):
        for entry in found:
            path: Path = tuple(entry["loc"])
            if not _put(changed, path, entry, tries):
                # If there is no place for a stand-in, the whole setting is left out.
                path = path[:1]
                changed.pop(str(path[0]) if path else "", None)
            stand_ins.append(path)
        try:
            return Repaired(parse_as(changed), value, stand_ins)
        except ValidationError as error:
            found = list(meant(error.errors()))
    return None


def _put(root: Any, path: Path, entry: ErrorDetails, tries: dict[Path, int]) -> bool:
    """Put a stand-in at a path. Returns whether there is a place for it."""
    if not path:
        return False
    *above, last = path
    holder = root
    for step in above:
        if not _has(holder, step):
            return False
        holder = holder[step]
    tries[path] = tries.get(path, 0) + 1
    if entry["type"] in UNKNOWN and isinstance(holder, dict):
        holder.pop(last, None)
    elif isinstance(holder, dict) or _has(holder, last):
        holder[last] = _stand_in(entry, tries[path])
    else:
        return False
    return True


def _is_in(root: Any, path: Path) -> bool:
    for step in path:
        if not _has(root, step):
            return False
        root = root[step]
    return True


def _has(holder: Any, step: object) -> bool:
    if isinstance(holder, list):
        return isinstance(step, int) and step < len(holder)
    return isinstance(holder, dict) and step in holder


def _stand_in(entry: ErrorDetails, attempt: int) -> Any:
    kind = entry["type"]
    if kind in {"literal_error", "enum"}:
        return str(entry["ctx"]["expected"]).split("'")[1]
    for beginning, value in _STAND_INS:
        if kind.startswith(beginning):
            return deep_copy(value)
    return _STAND_INS[-attempt % len(_STAND_INS)][1]
