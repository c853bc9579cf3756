"""Taints that a driver puts on devices, and the tolerations of a request.

`NoSchedule` and `NoExecute` keep a device from being allocated unless tolerated; `None` and unknown effects never do.
Source: k8s.io/dynamic-resource-allocation v0.36, resourceclaim/devicetoleration.go.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from policies.devices.fields import maps, text
from policies.objects import JSONValue

_HARMFUL: Final = frozenset({"NoSchedule", "NoExecute"})


@dataclass(frozen=True, slots=True)
class DeviceTaint:
    """One taint of a device."""

    key: str
    value: str
    effect: str


@dataclass(frozen=True, slots=True)
class DeviceToleration:
    """One toleration of a request; an empty key or effect stands for all of them."""

    key: str
    operator: str
    value: str
    effect: str

    def tolerates(self, taint: DeviceTaint) -> bool:
        """Whether the taint is one of those meant."""
        if self.effect not in ("", taint.effect) or self.key not in ("", taint.key):
            return False
        return self.operator == "Exists" or (self.operator in ("", "Equal") and self.value == taint.value)


def is_kept_off(taints: Iterable[DeviceTaint], tolerations: Iterable[DeviceToleration]) -> bool:
    """Whether some taint forbids the device to a request with these tolerations."""
    return any(taint.effect in _HARMFUL and not any(toleration.tolerates(taint) for toleration in tolerations) for taint in taints)


def read_taints(obj: JSONValue) -> tuple[DeviceTaint, ...]:
    """The taints of a device."""
    return tuple(DeviceTaint(text(item, "key"), text(item, "value"), text(item, "effect")) for item in maps(obj, "taints"))


def read_tolerations(obj: JSONValue) -> tuple[DeviceToleration, ...]:
    """The tolerations of a request."""
    return tuple(
        DeviceToleration(text(item, "key"), text(item, "operator"), text(item, "value"), text(item, "effect"))
        for item in maps(obj, "tolerations")
    )
