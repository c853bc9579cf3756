"""A value to fill in."""

from __future__ import annotations

from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.objects import GroupVersionKind, JSONValue
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class Filling:
    """A value to fill in, where it comes from, and why."""

    value: JSONValue
    source: str
    reason: str


def fields_of_spec(gvk: GroupVersionKind, facts: Facts) -> frozenset[str] | None:
    """The fields of the spec that the installed CRD has; the API server drops all others. `None` if no CRD is known."""
    definition = facts.definitions.get(gvk)
    spec = definition.schema.schema.properties.get("spec") if definition is not None else None
    return None if spec is None else frozenset(spec.properties)
