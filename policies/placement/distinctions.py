"""What a pod tells nodes apart by: nodes that differ in nothing of it get the same verdict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from policies.facts.requirements import Term


@dataclass(frozen=True, slots=True)
class Distinctions:
    """The values of labels that a pod mentions, and node names.

    `values` has the mentioned values by label, `None` where every value counts (it is compared as a number).
    """

    values: dict[str, set[str] | None] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)

    def add_value(self, key: str, value: str) -> None:
        """Tell a label's value from all others."""
        known = self.values.setdefault(key, set())
        if known is not None:
            known.add(value)

    def add_terms(self, terms: Iterable[Term]) -> None:
        """Tell apart what the terms do; whether a label is there at all isn't a matter of its value."""
        for term in terms:
            self.names.update(name for wanted in term.fields for name in wanted.values)
            for wanted in term.expressions:
                if wanted.operator in ("Gt", "Lt"):
                    self.values[wanted.key] = None
                for value in wanted.values:
                    self.add_value(wanted.key, value)
