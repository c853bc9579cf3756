"""Paths that cost nothing until they are printed: each is a pair of the path before its last step and that step.

Generated code passes such a path down as an argument; text is made only where something is to be reported.
"""

from __future__ import annotations

from typing import TypeAlias

from weighbridge.policies.ground.objects import PathStep

#: The path to a value: `None` at the root, else the path to its container and the last step.
Trail: TypeAlias = "tuple[Trail, PathStep] | None"


def trail_text(trail: Trail) -> str:
    """A path as the server prints the fields it pruned: ``spec.a[0].b``."""
    parts: list[str] = []
    while trail is not None:
        trail, step = trail
        parts.append(f"[{step}]" if isinstance(step, int) else f".{step}" if trail is not None else step)
    parts.reverse()
    return "".join(parts)
