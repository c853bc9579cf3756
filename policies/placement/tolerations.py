"""Tolerations: which taints a pod puts up with, and the two that the API server adds to every pod.

Sources: Kubernetes v1.36, core/v1 Toleration; the admission plugin DefaultTolerationSeconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from policies.facts import Taint
from policies.objects import JSONObject, JSONValue
from policies.placement.fields import items, text

NO_SCHEDULE, NO_EXECUTE = "NoSchedule", "NoExecute"
UNSCHEDULABLE = Taint("node.kubernetes.io/unschedulable", "", NO_SCHEDULE)
_TOLERATED_BY_DEFAULT = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")


@dataclass(frozen=True, slots=True)
class Toleration:
    """One toleration. An empty key or effect stands for any; without an operator the value must be equal."""

    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""

    @classmethod
    def from_json(cls, obj: JSONObject) -> Toleration:
        """Read one; how long it holds makes no difference to the scheduler."""
        return cls(text(obj, "key"), text(obj, "operator"), text(obj, "value"), text(obj, "effect"))

    def tolerates(self, taint: Taint) -> bool:
        """Whether the pod puts up with this taint."""
        if self.effect not in ("", taint.effect) or self.key not in ("", taint.key):
            return False
        return self.operator == "Exists" or (self.operator in ("", "Equal") and self.value == taint.value)


def read_tolerations(value: JSONValue) -> tuple[Toleration, ...]:
    """The tolerations of a list as a pod or a RuntimeClass has it."""
    return tuple(map(Toleration.from_json, items(value)))


def with_defaults(tolerations: tuple[Toleration, ...]) -> tuple[Toleration, ...]:
    """The pod's tolerations and those of `not-ready` and `unreachable`, each unless one is there for that key and effect (or any).

    NB: value and operator of the one that is there don't matter, so that a toleration that matches nothing keeps the default away.
    """
    added = tuple(
        Toleration(key, "Exists", effect=NO_EXECUTE)
        for key in _TOLERATED_BY_DEFAULT
        if not any(held.key in ("", key) and held.effect in ("", NO_EXECUTE) for held in tolerations)
    )
    return tolerations + added


def untolerated(tolerations: tuple[Toleration, ...], taints: Iterable[Taint]) -> list[Taint]:
    """The taints that keep the pod away; `PreferNoSchedule` never does."""
    return [
        taint
        for taint in taints
        if taint.effect in (NO_SCHEDULE, NO_EXECUTE) and not any(toleration.tolerates(taint) for toleration in tolerations)
    ]
