"""The traits of nodes that matter to a pod: nodes that are equal in all of them get the same verdict."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from collections.abc import Set as AbstractSet
from typing import TypeAlias

from weighbridge.policies.facts import Node
from weighbridge.policies.facts.selectors import Term
from weighbridge.policies.ground.records import dataclass, field

Trait: TypeAlias = Callable[[Node], Hashable]


@dataclass(frozen=True, slots=True)
class Distinctions:
    """What a pod distinguishes: the values of labels that it mentions, names of nodes, and traits that are computed for each node.

    `values` has the mentioned values by label, `None` if every value counts (it is compared as a number). Each trait has the labels on
    which it depends.
    """

    values: dict[str, set[str] | None] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    traits: list[tuple[AbstractSet[str], Trait]] = field(default_factory=list)

    def add_value(self, key: str, value: str) -> None:
        """Distinguish a label's value from all others."""
        known = self.values.setdefault(key, set())
        if known is not None:
            known.add(value)

    def add_trait(self, labels: AbstractSet[str], trait: Trait) -> None:
        """Distinguish nodes by the value of `trait`, which depends only on these labels."""
        self.traits.append((labels, trait))

    def add_terms(self, terms: Iterable[Term]) -> None:
        """Distinguish what the terms distinguish. Whether a node has a label is always distinguished."""
        for term in terms:
            self.names.update(name for wanted in term.fields for name in wanted.values)
            for wanted in term.expressions:
                if wanted.operator in ("Gt", "Lt"):
                    self.values[wanted.key] = None
                for value in wanted.values:
                    self.add_value(wanted.key, value)
