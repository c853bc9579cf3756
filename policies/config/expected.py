"""The section `expectedNodes`: nodes that will be added once a pool scales up."""

from __future__ import annotations

from collections.abc import Container, Mapping
from itertools import chain
from typing import Any, ClassVar, Final, Literal

from weighbridge.policies.config.sections import SECTION
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.records import dataclass, field

#: A text that needs no quotes in YAML.
_PLAIN: Final = expression(r"[A-Za-z][A-Za-z0-9_./-]*")
#: Characters that YAML doesn't allow everywhere or that it changes.
_RARE: Final = expression(r"[^\x20-\x7e]")
_WORDS: Final = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})


@dataclass(frozen=True)
class ExpectedTaint:
    """A taint of a node that is expected."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    key: str
    """the taint's key"""
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"]
    """what happens to pods that don't tolerate it"""
    value: str = ""
    """the taint's value"""


@dataclass(frozen=True)
class ExpectedNode:
    """A node that will be added once a pool scales up."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    labels: dict[str, str] = field(default_factory=dict)
    """its labels; kubernetes.io/os is linux unless it is given here"""
    taints: list[ExpectedTaint] = field(default_factory=list)
    """its taints"""
    allocatable: dict[str, str | int | float] = field(default_factory=dict)
    """what pods can request on it; it has enough cpu, memory, ephemeral-storage and pods unless they are given here"""


def entry_text(name: str, labels: Mapping[str, str], allocatable: Mapping[str, int], taken: Container[str] = ()) -> str:
    """The section with an entry for such a node, in one line of YAML, under a name that isn't `taken`."""
    names = chain([name], (f"{name}-{number}" for number in range(2, 1000)))
    free = next((found for found in names if found not in taken), name)
    parts = {"labels": dict(labels), "allocatable": dict(allocatable)}
    return f"expectedNodes: {_flow({free: {key: value for key, value in parts.items() if value}})}"


def _flow(value: JSONValue) -> str:
    """A value as one line of YAML."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_flow(key)}: {_flow(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return value
    from json import dumps

    return _RARE.sub(lambda found: f"\\U{ord(found.group()):08x}", dumps(value, ensure_ascii=False))
