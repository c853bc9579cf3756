"""Tolerations that are filled in for pods that ask for a resource, in addition to those that the cluster's taints require.

Source: Kubernetes v1.36, core/v1 Toleration and its validation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from weighbridge.policies.config.sections import SECTION
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True)
class FilledToleration:
    """A toleration, as a pod has it."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    key: str = ""
    """the taint's key; any if it is empty, which needs operator Exists"""
    operator: Literal["Exists", "Equal"] | None = None
    """Exists tolerates any value; Equal, the default, only the given one"""
    value: str = ""
    """the taint's value"""
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"] | None = None
    """the taint's effect; any if it isn't given"""
    toleration_seconds: int | None = None
    """for how long a taint of effect NoExecute is tolerated"""

    def as_json(self) -> JSONObject:
        """The toleration as a pod has it."""
        out: JSONObject = {
            "key": self.key,
            "operator": self.operator,
            "value": self.value,
            "effect": self.effect,
            "tolerationSeconds": self.toleration_seconds,
        }
        return {key: value for key, value in out.items() if value not in ("", None)}

    def mistakes(self, path: Path) -> Iterator[tuple[Path, str]]:
        """The mistakes that the API server would refuse in a pod."""
        if not self.key and self.operator != "Exists":
            yield (*path, "key"), "without a key the operator must be Exists"
        if self.operator == "Exists" and self.value:
            yield (*path, "value"), "with operator Exists there is no value"
        if self.toleration_seconds is not None and self.effect != "NoExecute":
            yield (*path, "tolerationSeconds"), "goes with effect NoExecute only"
