"""Taints, which keep pods off nodes and requests off devices, and their tolerations.

`NoSchedule` and `NoExecute` keep away unless tolerated; `PreferNoSchedule`, a device's `None` and unknown effects never do. Sources:
Kubernetes v1.36, core/v1 Taint and Toleration; k8s.io/dynamic-resource-allocation v0.36, resourceclaim/devicetoleration.go.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass

NO_SCHEDULE: Final = "NoSchedule"
NO_EXECUTE: Final = "NoExecute"


@dataclass(frozen=True, slots=True)
class Taint:
    """One taint of a node or of a device; `value` is empty if the taint has none."""

    key: str
    value: str
    effect: str

    def __str__(self) -> str:
        return f"{self.key}={self.value}:{self.effect}" if self.value else f"{self.key}:{self.effect}"


@dataclass(frozen=True, slots=True)
class Toleration:
    """One toleration. An empty key or effect matches any; without an operator the value must be equal."""

    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""

    @classmethod
    def from_json(cls, obj: JSONObject) -> Toleration:
        """Read a toleration; its seconds make no difference to the scheduler."""
        return cls(text(obj, "key"), text(obj, "operator"), text(obj, "value"), text(obj, "effect"))

    def tolerates(self, taint: Taint) -> bool:
        """Whether this taint is tolerated."""
        if self.effect not in ("", taint.effect) or self.key not in ("", taint.key):
            return False
        return self.operator == "Exists" or (self.operator in ("", "Equal") and self.value == taint.value)


def read_taints(value: JSONValue) -> tuple[Taint, ...]:
    """The taints in the list of a node or a device."""
    return tuple(Taint(text(item, "key"), text(item, "value"), text(item, "effect")) for item in items(value))


def read_tolerations(value: JSONValue) -> tuple[Toleration, ...]:
    """The tolerations in the list of a pod, a RuntimeClass or a device request."""
    return tuple(map(Toleration.from_json, items(value)))


def untolerated(tolerations: Iterable[Toleration], taints: Iterable[Taint]) -> list[Taint]:
    """The taints that these tolerations don't tolerate."""
    return [
        taint
        for taint in taints
        if taint.effect in (NO_SCHEDULE, NO_EXECUTE) and not any(toleration.tolerates(taint) for toleration in tolerations)
    ]
