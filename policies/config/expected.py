"""The section `expectedNodes`: nodes that aren't there yet and will be once a pool scales up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from policies.config.sections import SECTION


@dataclass(frozen=True)
class ExpectedTaint:
    """A taint of a node that is expected."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    key: str
    """the taint's key"""
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"]
    """what becomes of pods that don't tolerate it"""
    value: str = ""
    """the taint's value"""


@dataclass(frozen=True)
class ExpectedNode:
    """A node that will be there once a pool scales up."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    labels: dict[str, str] = field(default_factory=dict)
    """its labels; kubernetes.io/os is linux unless it stands here"""
    taints: list[ExpectedTaint] = field(default_factory=list)
    """its taints"""
    allocatable: dict[str, str | int | float] = field(default_factory=dict)
    """what pods can request on it; of cpu, memory, ephemeral-storage and pods it has enough unless they stand here"""
