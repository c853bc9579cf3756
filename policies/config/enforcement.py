"""The enforcement of findings: by rule, by kind, by namespace.

Without a setting an error refuses and a warning is shown. The map `rules` overrides that, and the list `enforcement` overrides both. If
several entries apply to a finding, the last one counts, as in a list of ignore patterns: general ones come first, exceptions below.
A note is raised to a warning or an error only by an entry that has its rule's id; a pattern such as LLMKUBE-* leaves it a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar, Final

from weighbridge.policies.config.sections import SECTION
from weighbridge.policies.config.selection import Kinds, LabelSelector, Names
from weighbridge.policies.facts.selectors import NAMESPACE_NAME
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import GroupVersionKind, Path
from weighbridge.policies.ground.records import dataclass, field, replace

#: The labels of a namespace; `None` if they aren't known.
Labels = Mapping[str, str] | None


class Enforcement(StrEnum):
    """What a finding leads to."""

    DENY = "deny"
    WARN = "warn"
    AUDIT = "audit"
    OFF = "off"

    @classmethod
    def _missing_(cls, value: object) -> Enforcement | None:
        # YAML reads a bare `off` as false; here it means the enforcement.
        return cls.OFF if value is False else None

    @property
    def severity(self) -> Severity | None:
        """The severity of a finding with this enforcement; `None` if it is dropped."""
        return _SEVERITIES.get(self)

    def is_below(self, other: Enforcement) -> bool:
        """Whether it is less strict: off, audit, warn, deny."""
        return _ORDER[self] < _ORDER[other]


_SEVERITIES: Final = {Enforcement.DENY: Severity.ERROR, Enforcement.WARN: Severity.WARNING, Enforcement.AUDIT: Severity.NOTE}
_BY_SEVERITY: Final = {severity: enforcement for enforcement, severity in _SEVERITIES.items()}
_ORDER: Final = {enforcement: order for order, enforcement in enumerate(reversed(Enforcement))}


def enforcement_of(severity: Severity) -> Enforcement:
    """The default enforcement of a finding of this severity."""
    return _BY_SEVERITY[severity]


@dataclass(frozen=True)
class NamespaceEnforcement:
    """What findings lead to in a namespace's own section."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    rules: list[str]
    """rules by id; * matches any characters, as in LLMKUBE-*"""
    action: Enforcement
    """deny refuses, warn is shown to the user, audit is only recorded, off drops it"""
    kinds: list[str] = field(default_factory=list)
    """kinds such as Model or Model.inference.llmkube.dev; all where none is given"""


@dataclass(frozen=True)
class EnforcementEntry(NamespaceEnforcement):
    """What the findings of some rules lead to, for some kinds, in some namespaces."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    namespaces: list[str] = field(default_factory=list)
    """namespaces; * matches any characters, as in team-*; all where none is given, objects without a namespace among them"""
    namespace_selector: LabelSelector | None = None
    """labels of the namespace; where the namespace isn't known the entry counts only if that is stricter"""


@dataclass(frozen=True, slots=True)
class Ruling:
    """An enforcement with the setting that says so: its path in the document `origin`, empty if no setting does.

    `is_guarded` says that another enforcement may apply, depending on labels of the namespace that aren't known.
    """

    action: Enforcement
    path: Path = ()
    origin: str = ""
    is_guarded: bool = False


@dataclass(frozen=True, slots=True)
class EnforcementSetting:
    """One setting, prepared for lookups."""

    rules: Names
    ruling: Ruling
    kinds: Kinds
    namespaces: Names
    selector: LabelSelector | None = None

    def is_about(self, rule: str, severity: Severity) -> bool:
        """Whether the entry applies to a rule's findings. It applies to notes only if it names the rule."""
        raises = severity is Severity.NOTE and Enforcement.AUDIT.is_below(self.ruling.action)
        return self.rules.name(rule) if raises else self.rules.mean(rule)

    def applies(self, gvk: GroupVersionKind, namespace: str, labels: Labels) -> bool | None:
        """Whether it applies to objects of a kind in a namespace; `None` if that depends on labels that aren't known."""
        if not (self.kinds.mean(gvk) and self.namespaces.mean(namespace)):
            return False
        if self.selector is None:
            return True
        if not namespace:
            return False
        known = {NAMESPACE_NAME: namespace, **(labels or {})}
        return None if labels is None and self.selector.keys - known.keys() else self.selector.selects(known)


class Rulings:
    """The settings of one document, looked up by rule, kind and namespace."""

    def __init__(
        self, rules: Mapping[str, Enforcement], entries: Sequence[NamespaceEnforcement], *, prefix: Path = (), origin: str = ""
    ) -> None:
        """`prefix` is the path of the two settings in their document, `origin` the document's name."""
        self._entries = [*_of_map(rules, prefix, origin), *_of_list(entries, prefix, origin)]
        self._entries.reverse()
        self._by_rule: dict[tuple[str, bool], list[EnforcementSetting]] = {}

    def about(self, rule: str, severity: Severity) -> Sequence[EnforcementSetting]:
        """The settings that apply to a rule's findings of a weight, for some objects; of those that do, the first counts."""
        key = rule, severity is Severity.NOTE
        entries = self._by_rule.get(key)
        if entries is None:
            # Ids come from the code or the configuration, so the memory is bounded.
            entries = self._by_rule[key] = [entry for entry in self._entries if entry.is_about(rule, severity)]
        return entries

    def rulings(self, rule: str, severity: Severity, gvk: GroupVersionKind, namespace: str, labels: Labels = None) -> list[Ruling]:
        """The rulings for findings of a rule on objects of a kind in a namespace. The last one counts; those before it may count instead.

        There are several only if the `labels` of the namespace aren't known. If the last one is guarded, none is certain. `severity` is
        the finding's own.
        """
        found: list[Ruling] = []
        for entry in self.about(rule, severity):
            applies = entry.applies(gvk, namespace, labels)
            if applies:
                return [*found, entry.ruling]
            if applies is None:
                found.append(replace(entry.ruling, is_guarded=True))
        return found


def _of_map(rules: Mapping[str, Enforcement], prefix: Path, origin: str) -> Iterator[EnforcementSetting]:
    for rule, action in rules.items():
        yield EnforcementSetting(Names([rule]), Ruling(action, (*prefix, "rules", rule), origin), Kinds(()), Names(()))


def _of_list(entries: Iterable[NamespaceEnforcement], prefix: Path, origin: str) -> Iterator[EnforcementSetting]:
    for index, entry in enumerate(entries):
        ruling = Ruling(entry.action, (*prefix, "enforcement", index, "action"), origin)
        rules, kinds = Names(entry.rules), Kinds(entry.kinds)
        if isinstance(entry, EnforcementEntry):
            yield EnforcementSetting(rules, ruling, kinds, Names(entry.namespaces), entry.namespace_selector)
        else:
            yield EnforcementSetting(rules, ruling, kinds, Names(()))
