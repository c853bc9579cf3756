"""Pods and nodes as the packing sees them: kinds of equal pods, classes of equal nodes, and pods that must share a domain.

Amounts are tuples, one number for each resource of the problem. A domain is the nodes with one value of a topology label; each node is a
domain too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from weighbridge.policies.ground.records import dataclass, field

#: A key of domains that means the node itself.
NODE: Final = -1
#: From this number of kinds on, amounts are rounded to parts of the largest node's, so that there are fewer sizes, and no search is made.
MANY: Final = 64
_PARTS: Final = 64


def part_of(most: int) -> int:
    """The unit to which amounts are rounded if the largest node has `most`."""
    return most // _PARTS or 1


@dataclass(frozen=True, slots=True)
class PodKind:
    """Equal pods.

    `wants` is the request of one pod. `most` has the largest number of them in one domain, by the key of the domain. `apart` has the
    numbers of the kinds that can't share a domain with it, by key; those kinds have its number as well.
    """

    wants: tuple[int, ...]
    most: Mapping[int, int] = field(default_factory=dict)
    apart: Mapping[int, frozenset[int]] = field(default_factory=dict)

    @property
    def is_plain(self) -> bool:
        """Whether only room matters."""
        return not self.most and not self.apart


@dataclass(frozen=True, slots=True)
class NodeClass:
    """Equal nodes.

    `has` has the amounts of each, `takes` the numbers of the kinds that it can run, and `domains` their domain by key, `None` if they lack
    the label.
    """

    size: int
    has: tuple[int, ...]
    takes: frozenset[int]
    domains: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Demand:
    """Equal groups of pods that must run at the same time.

    `pods` has the number of each kind in one group. With `within`, the key of a domain, each group is in one domain. If it
    `excludes` others, no other group that does so is in the same one.
    """

    pods: tuple[tuple[int, int], ...]
    groups: int
    within: int | None = None
    excludes: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """What is packed: the demands and the nodes. Kinds and classes are numbered from 0.

    `resources` are the names of the amounts. `twin_of` has the kinds that equal another one except for the nodes that take them; their
    limits and conflicts are those of the other one.
    """

    kinds: Sequence[PodKind]
    classes: Sequence[NodeClass]
    demands: Sequence[Demand]
    resources: tuple[str, ...] = ()
    twin_of: Mapping[int, int] = field(default_factory=dict)

    def counts(self) -> dict[int, int]:
        """The number of pods of each kind."""
        found: dict[int, int] = {}
        for demand in self.demands:
            for kind, count in demand.pods:
                found[kind] = found.get(kind, 0) + count * demand.groups
        return {kind: count for kind, count in found.items() if count > 0}

    def room_on(self, kind: int, number: int) -> int:
        """How many pods of a kind fit on one node of a class, if nothing else is there."""
        node = self.classes[number]
        if kind not in node.takes:
            return 0
        wanted = self.kinds[kind]
        room = min((has // asked for has, asked in zip(node.has, wanted.wants, strict=True) if asked > 0), default=0)
        return min(room, wanted.most.get(NODE, room))
