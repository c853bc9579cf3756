"""The answer to "where could this pod run?"."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Protocol

from weighbridge.policies.facts import Node
from weighbridge.policies.facts.expected import declared_node
from weighbridge.policies.ground.cautions import Caution
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.placement.message import without_afterwards


class Reason(StrEnum):
    """Why a pod gets no node, as the condition PodScheduled names it; with the last two there is no condition."""

    NONE = ""
    UNSCHEDULABLE = "Unschedulable"
    SCHEDULER_ERROR = "SchedulerError"
    SCHEDULING_GATED = "SchedulingGated"
    #: The API server doesn't store the pod.
    REJECTED = "Rejected"
    #: Nothing happens: there is no condition and no event.
    SILENT = "Silent"


class OnNodes(Protocol):
    """The verdict on every node that was judged."""

    @property
    def fitting(self) -> Iterator[str]:
        """The nodes that fit, in the inventory's order."""

    @property
    def feasible(self) -> Sequence[str]:
        """The nodes that fit, as a list."""

    @property
    def count(self) -> int:
        """The number of nodes that fit; cheaper than the lists."""

    @property
    def rejected(self) -> Mapping[str, Sequence[str]]:
        """Every other node with the reasons against it."""

    @property
    def fits(self) -> bool:
        """Whether a node fits; cheaper than the lists."""


@dataclass(frozen=True, slots=True)
class Listed:
    """Verdicts as lists."""

    feasible: Sequence[str] = ()
    rejected: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def fitting(self) -> Iterator[str]:
        """The nodes that fit."""
        return iter(self.feasible)

    @property
    def count(self) -> int:
        """How many nodes fit."""
        return len(self.feasible)

    @property
    def fits(self) -> bool:
        """Whether some node fits."""
        return bool(self.feasible)


@dataclass(frozen=True, slots=True)
class NoNodeChecked:
    """The scheduler checked no node, and gives the same reason for all of these."""

    names: Collection[str]
    reason: str

    @property
    def fitting(self) -> Iterator[str]:
        """No node."""
        return iter(())

    @property
    def feasible(self) -> Sequence[str]:
        """No node."""
        return ()

    @property
    def count(self) -> int:
        """No node fits."""
        return 0

    @property
    def rejected(self) -> Mapping[str, Sequence[str]]:
        """Each node with the reason."""
        return dict.fromkeys(self.names, (self.reason,))

    @property
    def fits(self) -> bool:
        """No node fits."""
        return False


@dataclass(frozen=True, slots=True)
class NodeWish:
    """A node that would be needed: its name, its labels, and its resources in addition to those that every node has."""

    name: str
    labels: dict[str, str]
    allocatable: dict[str, int]

    def as_node(self) -> Node:
        """The node in the form of the configuration."""
        return declared_node(self.name, labels=self.labels, taints=(), allocatable=self.allocatable)


@dataclass(frozen=True, slots=True)
class Placement:
    """Kube-scheduler's verdict on a pod on an empty cluster.

    `feasible` are the nodes that fit, in the inventory's order; `rejected` has every other judged node with the scheduler's own reasons.
    `message` is the text of the condition (or of the API server's refusal), empty if a node fits. `nearest` has lines about the nearest
    misses. `unchecked` is what couldn't be judged: with it, nodes in `feasible` may not fit, but those in `rejected` certainly don't.
    `on_expected` are the expected nodes that would take the pod if they were added; `prospects` is what may add a node of unknown shape;
    `wish` is a node that would fit.

    `absent` names missing claims, `unready` claims that can't be used yet: until they can, the scheduler checks no node. `refusal` gives
    the API server's refusal of an equal pod, by its name. `names_missing` says that the pod names a missing object, a claim or another one,
    which another manifest may contain. `apart_from_claims` is the placement without the claims. `apart` says why several replicas can't all
    run although one can; `cautions` say what else keeps pods that fit from working.
    """

    nodes: OnNodes = field(default_factory=Listed)
    message: str = ""
    reason: Reason = Reason.NONE
    nearest: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    on_expected: list[str] = field(default_factory=list)
    prospects: Sequence[str] = ()
    wish: NodeWish | None = None
    absent: Sequence[str] = ()
    unready: Sequence[str] = ()
    names_missing: bool = False
    apart_from_claims: Placement | None = None
    apart: str = ""
    cautions: Sequence[Caution] = ()
    refusal: Callable[[str], str] | None = field(default=None, compare=False)

    @property
    def reasons(self) -> str:
        """The part of the message that says why no node fits, without what the scheduler tried then, such as preemption."""
        return without_afterwards(self.message)

    @property
    def feasible(self) -> list[str]:
        """The nodes that fit."""
        return list(self.nodes.feasible)

    @property
    def rejected(self) -> dict[str, list[str]]:
        """Every other judged node, with the reasons against it."""
        return {name: list(reasons) for name, reasons in self.nodes.rejected.items()}

    @property
    def fits(self) -> bool:
        """Whether there is a node for the pod now."""
        return self.nodes.fits
