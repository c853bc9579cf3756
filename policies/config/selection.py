"""How settings choose objects: names with ``*``, kinds, and label selectors.

A `*` matches any characters, none included; nothing else is special. Matching takes linear time for any pattern, since patterns also come
from namespaces. Label selectors are those of apimachinery's LabelSelector.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar, Literal

from weighbridge.policies.config.sections import SECTION
from weighbridge.policies.facts.selectors import Requirement, are_met
from weighbridge.policies.ground.objects import GroupVersionKind, Path
from weighbridge.policies.ground.records import dataclass, field


def is_pattern(text: str) -> bool:
    """Whether a name is a pattern, which may match several names."""
    return "*" in text


def covers(pattern: str, name: str) -> bool:
    """Whether a name matches a pattern."""
    first, *others = pattern.split("*")
    if not others:
        return pattern == name
    *middle, last = others
    if not name.startswith(first) or not name.endswith(last) or len(name) < len(first) + len(last):
        return False
    at, end = len(first), len(name) - len(last)
    for piece in middle:
        at = name.find(piece, at, end)
        if at < 0:
            return False
        at += len(piece)
    return True


class Names:
    """A list of names and patterns; an empty one means every name."""

    __slots__ = ("exact", "patterns")

    def __init__(self, names: Iterable[str]) -> None:
        given = list(names)
        self.exact = frozenset(name for name in given if not is_pattern(name))
        self.patterns = tuple(name for name in given if is_pattern(name))

    def mean(self, name: str) -> bool:
        """Whether a name is among them."""
        if name in self.exact or not (self.exact or self.patterns):
            return True
        return any(covers(pattern, name) for pattern in self.patterns)

    def name(self, name: str) -> bool:
        """Whether the list has the name itself, not a pattern that matches it."""
        return name in self.exact


class Kinds:
    """A list of kinds, each as ``Model`` or ``Model.inference.llmkube.dev``; an empty one means every kind."""

    __slots__ = ("_kinds",)

    def __init__(self, kinds: Iterable[str]) -> None:
        self._kinds = frozenset(kinds)

    def mean(self, gvk: GroupVersionKind) -> bool:
        """Whether a kind is among them, in any version."""
        return not self._kinds or gvk.kind in self._kinds or f"{gvk.kind}.{gvk.group}" in self._kinds


@dataclass(frozen=True)
class LabelExpression:
    """One condition on a label."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    key: str
    """the label's key"""
    operator: Literal["In", "NotIn", "Exists", "DoesNotExist"]
    """In and NotIn compare with values; an object without the label meets NotIn and DoesNotExist"""
    values: list[str] = field(default_factory=list)
    """what the label's value is compared with"""

    @property
    def needs_label(self) -> bool:
        """Whether only objects with the label can meet it."""
        return self.operator in {"In", "Exists"}


@dataclass(frozen=True)
class LabelSelector:
    """Conditions on labels, all of which must hold; one without conditions selects everything."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    match_labels: dict[str, str] = field(default_factory=dict)
    """labels with these values"""
    match_expressions: list[LabelExpression] = field(default_factory=list)
    """conditions on labels"""

    @cached_property
    def _requirements(self) -> tuple[Requirement, ...]:
        return tuple(Requirement(entry.key, entry.operator, tuple(entry.values)) for entry in self.match_expressions)

    @property
    def is_empty(self) -> bool:
        """Whether it has no condition."""
        return not (self.match_labels or self.match_expressions)

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the labels that it requires."""
        return frozenset(self.match_labels).union(entry.key for entry in self.match_expressions)

    def selects(self, labels: Mapping[str, str]) -> bool:
        """Whether an object with these labels is selected."""
        return are_met(self.match_labels, self._requirements, labels)

    def mistakes(self, path: Path) -> Iterator[tuple[Path, str]]:
        """The mistakes of a selector that the API server would refuse."""
        for index, entry in enumerate(self.match_expressions):
            if not self._requirements[index].is_readable:
                needs = "needs values" if entry.operator in {"In", "NotIn"} else "takes no values"
                yield (*path, "matchExpressions", index, "values"), f"{entry.operator} {needs}"
