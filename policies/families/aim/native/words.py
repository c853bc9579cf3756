"""What the expressions of several rules have in common."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.aim.kinds import NEW, OLD

#: The spec as data without a schema, since the kinds and the two groups have different fields.
SPEC: Final = "dyn(object).?spec"
IS_OLD: Final = f"object.apiVersion.startsWith('{OLD}/')"


def of_new(*kinds: str) -> tuple[str, ...]:
    """Kinds of aim-engine."""
    return tuple(f"{kind}.{NEW}" for kind in kinds)


def of_old(*kinds: str) -> tuple[str, ...]:
    """Kinds of kaiwo."""
    return tuple(f"{kind}.{OLD}" for kind in kinds)


def at(place: str, rest: str = "") -> str:
    """The path of an item of a list."""
    return f"'spec.{place}[' + string(i) + ']{rest}: "
