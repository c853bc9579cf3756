"""Whether the objects of one change fit the empty cluster together, and which of them stay Pending if they don't.

Objects of higher priority come first, and those of equal priority are sorted by kind and name, so that the answer doesn't depend on the
order in which they were read.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.records import dataclass, field, replace
from weighbridge.policies.placement.packing.cluster import Laid, WantedGroups, laid_out
from weighbridge.policies.placement.packing.fit import Packing, PackingOutcome, pack
from weighbridge.policies.placement.packing.greedy import add, rounded
from weighbridge.policies.placement.packing.members import Member, Members, bound_alone
from weighbridge.policies.placement.packing.occupancy import PackingState
from weighbridge.policies.placement.packing.problem import MANY, Demand
from weighbridge.policies.placement.packing.shortages import may_come, why
from weighbridge.policies.pods.groups import Groups

#: How often a whole packing is tried for objects for which a quick one finds no room; further objects count as fitting.
_MOST_TRIED: Final = 64
#: The most objects for which it is checked whether the others would fit without them.
_MOST_ASKED: Final = 8


@dataclass(frozen=True, slots=True)
class Part:
    """An object of the change: its name, its namespace, and the groups of its pods."""

    label: str
    namespace: str
    groups: Sequence[Groups]


@dataclass(frozen=True, slots=True)
class Left:
    """An object that doesn't fit completely: how many of its groups are wanted, for how many there is room, and what has the room instead.

    `why` is a text. `is_by_daemons` says that all would fit without DaemonSets, `awaits` that the pods wait for new nodes.
    """

    asked: int
    room: int
    rivals: tuple[str, ...]
    why: str
    may_come: tuple[str, ...] = ()
    is_by_daemons: bool = False
    awaits: bool = False


@dataclass(slots=True)
class PackedChange:
    """The objects of a change on the nodes.

    `wanted` has the demand of each by its number, without those that can't be placed beforehand.
    """

    parts: Sequence[Part]
    wanted: Mapping[int, Sequence[WantedGroups]]
    facts: Facts
    laid: Laid
    demands: Mapping[int, Sequence[Demand]] = field(default_factory=dict)
    names_all: bool = False

    @property
    def daemons(self) -> list[int]:
        """The objects of which each node gets a pod."""
        return [number for number, own in self.wanted.items() if any(one.is_daemon for one in own)]

    @classmethod
    def of(
        cls,
        parts: Sequence[Part],
        facts: Facts,
        used: Mapping[str, Mapping[str, int]] | None = None,
        *,
        patient: bool = True,
        names_all: bool = False,
    ) -> PackedChange:
        """Read the objects of a change; `used` is what is already taken of nodes. With `names_all` a packing says which pod is where."""
        members = Members(facts, patient=patient)
        members.look_at(pod for one in parts for groups in one.groups for pod, _ in groups.pods.values())
        wanted = {}
        for number, one in enumerate(parts):
            found = [_wanted(groups, members, one.namespace, facts) for groups in one.groups]
            of_part = [one for one in found if one is not None]
            if of_part and len(of_part) == len(found):
                wanted[number] = of_part
        order = sorted(wanted, key=lambda number: _rank(parts[number], wanted[number]))
        laid = laid_out([one for number in order for one in wanted[number]], facts, used or {})
        demands: dict[int, list[Demand]] = {}
        left = iter(laid.demands)
        for number in order:
            demands[number] = [demand for _ in wanted[number] for demand in next(left)]
        return cls(parts, wanted, facts, laid, demands, names_all)

    def packed(self, demands: Iterable[Demand]) -> Packing:
        """Whether demands fit together."""
        return pack(replace(self.laid.problem, demands=list(demands)), names_all=self.names_all)

    def all_fit(self) -> Packing:
        """Whether everything fits together."""
        return self.packed(demand for own in self.demands.values() for demand in own)


def left_out(change: PackedChange, config: Configuration) -> tuple[dict[int, Left], PackingState | None]:
    """The objects that don't fit completely together with the others, and a packing of what fits, or `None` if none was found."""
    whole = change.all_fit()
    if whole.outcome is not PackingOutcome.NEVER:
        return {}, whole.occupancy
    is_by_daemons = bool(change.daemons) and _fits_without_daemons(change)
    taking = _Taking(change, config, is_by_daemons=is_by_daemons)
    for number in change.demands:
        taking.take(number)
    return taking.left, taking.occupancy if taking.is_whole else None


@dataclass(slots=True)
class _Taking:
    """Adds one object after the other as long as they fit."""

    change: PackedChange
    config: Configuration
    is_by_daemons: bool
    taken: list[tuple[int, Demand]] = field(default_factory=list)
    left: dict[int, Left] = field(default_factory=dict)
    occupancy: PackingState = field(init=False)
    is_whole: bool = True
    _tried: int = 0
    _failed: dict[Hashable, Left] = field(default_factory=dict)

    def __post_init__(self) -> None:
        problem = self.change.laid.problem
        is_large = len(problem.kinds) > MANY
        self.occupancy = PackingState.empty(rounded(problem) if is_large else problem, names_all=self.change.names_all or not is_large)

    def take(self, number: int) -> None:
        """Add an object, or as many of its groups as fit."""
        own = self.change.demands[number]
        if self._add(own):
            self.taken += ((number, demand) for demand in own)
            return
        alike = (tuple(own), _is_large(own))
        known = self._failed.get(alike)
        if known is not None and not known.room:
            # Objects are only added: what had no room before has none now.
            self.left[number] = known
            return
        packing = self._packing(own)
        if packing is None or packing.outcome is PackingOutcome.UNKNOWN:
            self.is_whole = False
        elif packing.outcome is PackingOutcome.FITS and packing.occupancy is not None:
            self.occupancy = packing.occupancy
        else:
            found = self._left(number, own, packing)
            self.left[number] = self._failed[alike] = found
            if not found.room:
                return
            own = [replace(own[0], groups=found.room)]
            if not self._add(own):
                self.is_whole = False
        self.taken += ((number, demand) for demand in own)

    def _add(self, own: Sequence[Demand]) -> bool:
        found = add(self.occupancy, own) if self.is_whole else None
        if found is None:
            return False
        self.occupancy = found
        return True

    def _packing(self, own: Sequence[Demand], but: int | None = None) -> Packing | None:
        """The packing of the added objects with more, or without one object; `None` if enough has been tried."""
        if self._tried >= _MOST_TRIED:
            return None
        self._tried += 1
        return self.change.packed([*(demand for number, demand in self.taken if number != but), *own])

    def _left(self, number: int, own: Sequence[Demand], packing: Packing) -> Left:
        asked = sum(demand.groups for demand in own)
        room = self._room(own[0]) if len(own) == 1 else 0
        members = [member for one in self.change.wanted[number] for member, _ in one.pods]
        came = tuple(may_come(members, self.change.facts, self.config))
        return Left(asked, room, self._rivals(number, own), why(self.change.laid, packing, self.change.facts), came, self.is_by_daemons)

    def _room(self, demand: Demand) -> int:
        """How many groups fit in addition to the added objects."""
        least, most = 0, demand.groups - 1
        while least < most:
            middle = -(-(least + most) // 2)
            packing = self._packing([replace(demand, groups=middle)])
            if packing is None or packing.outcome is PackingOutcome.NEVER:
                most = middle - 1
            else:
                least = middle
        return least

    def _rivals(self, number: int, own: Sequence[Demand]) -> tuple[str, ...]:
        """The added objects that take the room, without those that make no difference."""
        nodes = self._nodes(own)
        others = dict.fromkeys(other for other, demand in self.taken if other != number and self._nodes([demand]) & nodes)
        rivals = list(others)
        if len(rivals) > 1:
            for other in rivals[:_MOST_ASKED]:
                kept = [demand for one, demand in self.taken if one in rivals and one != other]
                self._tried += 1
                if self._tried <= _MOST_TRIED and self.change.packed([*kept, *own]).outcome is PackingOutcome.NEVER:
                    rivals.remove(other)
        daemons = [self.change.parts[other].label for other in self.change.daemons]
        return (*(self.change.parts[other].label for other in rivals), *(daemons if self.is_by_daemons or not rivals else ()))

    def _nodes(self, demands: Sequence[Demand]) -> set[int]:
        """The classes of nodes on which one of these pods could run."""
        kinds = {kind for demand in demands for kind, _ in demand.pods}
        return {number for number, node in enumerate(self.change.laid.problem.classes) if not kinds.isdisjoint(node.takes)}


def _is_large(own: Sequence[Demand]) -> bool:
    return sum(demand.groups for demand in own) > 1


def _wanted(groups: Groups, members: Members, namespace: str, facts: Facts) -> WantedGroups | None:
    """The demand of groups; `None` if one of their pods can't be placed beforehand."""
    found: list[tuple[Member, int]] = []
    for pod, count in groups.pods.values():
        member = members.member(bound_alone(pod, namespace, facts), namespace)
        if member is None:
            return None
        found.append((member, count))
    return WantedGroups(found, groups.least, groups.topology, groups.is_daemon)


def _rank(one: Part, wanted: Sequence[WantedGroups]) -> tuple[int, str]:
    """The sort key: objects of higher priority first, then by name."""
    priorities = [member.pod.priority for groups in wanted for member, _ in groups.pods]
    return -max(priorities, default=0), one.label


def _fits_without_daemons(change: PackedChange) -> bool:
    """Whether all would fit without DaemonSets."""
    wanted = [one for number in change.demands for one in change.wanted[number] if not one.is_daemon]
    return pack(laid_out(wanted, change.facts).problem).outcome is not PackingOutcome.NEVER
