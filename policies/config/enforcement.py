"""What a rule's finding leads to: by rule, by kind, by namespace.

Without a setting an error refuses and a warning is shown. Over that stands the map `rules`, over it the list `enforcement`; of entries
that apply to the same finding the later one counts, as in a list of ignore patterns: general ones come first, exceptions from them below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Final

from policies.config.sections import SECTION
from policies.config.selection import Kinds, Names
from policies.findings import Severity
from policies.objects import GroupVersionKind, Path


class Enforcement(StrEnum):
    """What a rule's finding leads to."""

    DENY = "deny"
    WARN = "warn"
    AUDIT = "audit"
    OFF = "off"

    @classmethod
    def _missing_(cls, value: object) -> Enforcement | None:
        # YAML reads a bare `off` as false; whoever writes it here means the enforcement.
        return cls.OFF if value is False else None

    @property
    def severity(self) -> Severity | None:
        """The weight that a finding gets; `None` where it is dropped."""
        return _SEVERITIES.get(self)

    def is_below(self, other: Enforcement) -> bool:
        """Whether it is less strict: off, audit, warn, deny."""
        return _ORDER[self] < _ORDER[other]


_SEVERITIES: Final = {Enforcement.DENY: Severity.ERROR, Enforcement.WARN: Severity.WARNING, Enforcement.AUDIT: Severity.INFO}
_BY_SEVERITY: Final = {severity: enforcement for enforcement, severity in _SEVERITIES.items()}
_ORDER: Final = {enforcement: order for order, enforcement in enumerate(reversed(Enforcement))}


def enforcement_of(severity: Severity) -> Enforcement:
    """What a finding of this weight leads to by itself."""
    return _BY_SEVERITY[severity]


@dataclass(frozen=True)
class NamespaceEnforcement:
    """What findings lead to in a namespace's own section."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    rules: list[str]
    """rules by id; * stands for any characters, as in LLMKUBE-*"""
    action: Enforcement
    """deny refuses, warn is shown to the user, audit is only recorded, off drops it"""
    kinds: list[str] = field(default_factory=list)
    """kinds such as Model or Model.inference.llmkube.dev; all where none is given"""


@dataclass(frozen=True)
class EnforcementEntry(NamespaceEnforcement):
    """What the findings of some rules lead to, for some kinds, in some namespaces."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    namespaces: list[str] = field(default_factory=list)
    """namespaces; * stands for any characters, as in team-*; all where none is given, objects without a namespace among them"""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a finding leads to, and which setting says so: its path in the document that is called `origin`; no path, no setting."""

    action: Enforcement
    path: Path = ()
    origin: str = ""


@dataclass(frozen=True, slots=True)
class _Entry:
    """One setting, made ready for being asked."""

    rules: Names
    ruling: Ruling
    kinds: Kinds
    namespaces: Names


class Rulings:
    """The settings of one document, asked by rule, kind and namespace."""

    def __init__(
        self, rules: Mapping[str, Enforcement], entries: Sequence[NamespaceEnforcement], *, prefix: Path = (), origin: str = ""
    ) -> None:
        """`prefix` is where the two settings stand in their document, `origin` what that is called."""
        self._entries = [*_of_map(rules, prefix, origin), *_of_list(entries, prefix, origin)]
        self._entries.reverse()
        self._by_rule: dict[str, list[_Entry]] = {}

    def ruling(self, rule: str, gvk: GroupVersionKind, namespace: str) -> Ruling | None:
        """What is said for findings of a rule on objects of a kind in a namespace; `None` where nothing is."""
        entries = self._by_rule.get(rule)
        if entries is None:
            # Ids come from the code, so there are only so many.
            entries = self._by_rule[rule] = [entry for entry in self._entries if entry.rules.mean(rule)]
        return next((entry.ruling for entry in entries if entry.kinds.mean(gvk) and entry.namespaces.mean(namespace)), None)


def _of_map(rules: Mapping[str, Enforcement], prefix: Path, origin: str) -> Iterator[_Entry]:
    for rule, action in rules.items():
        yield _Entry(Names([rule]), Ruling(action, (*prefix, "rules", rule), origin), Kinds(()), Names(()))


def _of_list(entries: Iterable[NamespaceEnforcement], prefix: Path, origin: str) -> Iterator[_Entry]:
    for index, entry in enumerate(entries):
        ruling = Ruling(entry.action, (*prefix, "enforcement", index, "action"), origin)
        namespaces = entry.namespaces if isinstance(entry, EnforcementEntry) else ()
        yield _Entry(Names(entry.rules), ruling, Kinds(entry.kinds), Names(namespaces))
