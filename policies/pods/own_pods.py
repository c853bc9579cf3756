"""Finds the running pods that belong to a workload: controllers name pods after the object for which they create them.

Source: Kubernetes v1.37, pkg/controller and apiserver/pkg/storage/names (a generated name ends in five characters after 58 at most);
LeaderWorkerSet v0.7, pkg/controllers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from weighbridge.policies.facts.occupancy import Holder, NodeUse
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass

_LONGEST_BASE: Final = 58
_ENDING: Final = "[a-z0-9]{5}"
_ENDINGS: Final = {
    "Deployment": f"(?:[a-z0-9]{{1,10}}-)?{_ENDING}",
    "ReplicaSet": _ENDING,
    "DaemonSet": _ENDING,
    "Job": rf"(?:\d+-)?{_ENDING}",
    "StatefulSet": r"\d+",
    "LeaderWorkerSet": r"\d+(?:-\d+)?",
}
#: The pattern for kinds whose controllers create other workloads.
_ANY_ENDING: Final = r"[a-z0-9.-]+"


@dataclass(frozen=True, slots=True)
class OwnPods:
    """The pods of some workloads, by a pattern of their names."""

    namespaces: frozenset[str]
    pattern: re.Pattern[str]

    def among(self, use: NodeUse) -> list[Holder]:
        """The pods of the workloads that hold devices of a node."""
        if self.namespaces.isdisjoint(use.namespaces):
            return []
        return [holder for holder in use.holders if self.pattern.fullmatch(holder.name)]


def own_pods(workloads: Iterable[JSONObject], namespace: str) -> OwnPods | None:
    """The pods of these workloads; `None` for workloads without names."""
    named = {(str(obj.get("kind")), namespace_of(obj) or namespace, name_of(obj)) for obj in workloads if name_of(obj)}
    return _own_pods(tuple(sorted(named))) if named else None


@lru_cache(maxsize=256)
def _own_pods(named: tuple[tuple[str, str, str], ...]) -> OwnPods:
    return OwnPods(frozenset(namespace for _, namespace, _ in named), re.compile("|".join(_of(*one) for one in named)))


def _of(kind: str, namespace: str, name: str) -> str:
    if kind == "Pod":
        return re.escape(f"{namespace}/{name}")
    return re.escape(f"{namespace}/{f'{name}-'[:_LONGEST_BASE]}") + _ENDINGS.get(kind, _ANY_ENDING)
