"""The namespaces in which a policy refuses, warns or is only recorded: the configuration's enforcement as selectors of namespaces.

A binding has one selector, all of whose requirements must be met. So the entries of the configuration are turned into areas that don't
overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.config.enforcement import Enforcement, EnforcementSetting, enforcement_of
from weighbridge.policies.config.selection import LabelSelector, Names
from weighbridge.policies.facts.selectors import NAMESPACE_NAME
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, field
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.user_policies.native.texts import Untranslatable

_OPPOSITES: Final = {"In": "NotIn", "NotIn": "In", "Exists": "DoesNotExist", "DoesNotExist": "Exists"}


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement of a label selector."""

    key: str
    operator: str
    values: tuple[str, ...] = ()

    @property
    def opposite(self) -> Requirement:
        """The requirement that is met exactly if this one isn't."""
        return replace(self, operator=_OPPOSITES[self.operator])


@dataclass(frozen=True, slots=True)
class _Label:
    """What is known of a label: the values that it can have, those that it can't have, and whether it is there."""

    allowed: frozenset[str] | None = None
    denied: frozenset[str] = frozenset()
    is_there: bool | None = None

    def narrowed(self, requirement: Requirement) -> _Label | None:
        """What is known if this is required too; `None` if that is impossible."""
        allowed, denied, is_there = self.allowed, self.denied, self.is_there
        if requirement.operator == "NotIn":
            denied |= {*requirement.values}
        else:
            wanted = requirement.operator != "DoesNotExist"
            if is_there is not None and is_there is not wanted:
                return None
            is_there = wanted
        if requirement.operator == "In":
            allowed = frozenset(requirement.values) if allowed is None else allowed & {*requirement.values}
        is_void = allowed is not None and not allowed - denied
        return None if is_void else _Label(allowed, denied, is_there)

    def expressions(self, key: str) -> Iterator[JSONObject]:
        """The expressions of a selector."""
        if self.allowed is not None:
            yield {"key": key, "operator": "In", "values": sorted(self.allowed - self.denied)}
        elif self.is_there is not None:
            yield {"key": key, "operator": "Exists" if self.is_there else "DoesNotExist"}
        if self.denied and self.allowed is None and self.is_there is not False:
            yield {"key": key, "operator": "NotIn", "values": sorted(self.denied)}


@dataclass(frozen=True, slots=True)
class Area:
    """Namespaces by their labels."""

    labels: Mapping[str, _Label]

    def within(self, requirements: Iterable[Requirement]) -> Area | None:
        """The part of the area in which all of these are met; `None` if there is none."""
        labels = dict(self.labels)
        for requirement in requirements:
            # Every namespace has the label of its name.
            known = labels.get(requirement.key) or _Label(is_there=True if requirement.key == NAMESPACE_NAME else None)
            found = known.narrowed(requirement)
            if found is None:
                return None
            labels[requirement.key] = found
        return Area(labels)

    def without(self, requirements: Sequence[Requirement]) -> Iterator[Area]:
        """The parts of the area in which one of these isn't met. They don't overlap."""
        for index, requirement in enumerate(requirements):
            found = self.within([*requirements[:index], requirement.opposite])
            if found is not None:
                yield found

    @property
    def selector(self) -> JSONObject:
        """The area as a label selector, which is empty for all namespaces."""
        found: list[JSONObject] = []
        for key, label in sorted(self.labels.items()):
            shown = replace(label, is_there=None) if key == NAMESPACE_NAME else label
            found += shown.expressions(key)
        return {"matchExpressions": found} if found else {}


#: All namespaces.
EVERYWHERE: Final = Area({})


def requirements_of(selector: LabelSelector) -> list[Requirement]:
    """The requirements of a selector."""
    return [
        *(Requirement(key, "In", (value,)) for key, value in selector.match_labels.items()),
        *(Requirement(entry.key, entry.operator, tuple(entry.values)) for entry in selector.match_expressions),
    ]


def in_namespaces(names: Names, what: str) -> list[Requirement]:
    """The requirement that a namespace is one of these. Raises Untranslatable."""
    if (not names.exact and not names.patterns) or "*" in names.patterns:
        return []
    if names.patterns:
        named = f"{what} names namespaces by a pattern ({names.patterns[0]})"
        raise Untranslatable(f"{named}, and a binding takes whole names, or labels by a namespaceSelector")
    return [Requirement(NAMESPACE_NAME, "In", tuple(sorted(names.exact)))]


def enforced(
    rule: str, severity: Severity, gvk: GroupVersionKind, start: Area | None, config: Configuration
) -> list[tuple[Area, Enforcement]]:
    """What findings of a rule lead to, area by area of `start`; it is `None` for a kind without namespaces. Raises Untranslatable."""
    settings = [one for one in config.settings_about(rule, severity) if one.kinds.mean(gvk)]
    if start is None:
        found = next((one.ruling.action for one in settings if one.namespaces.mean("") and one.selector is None), enforcement_of(severity))
        return [(EVERYWHERE, found)]
    rest, found_areas = [start], list[tuple[Area, Enforcement]]()
    for one in settings:
        wanted = _required(one)
        found_areas += ((inside, one.ruling.action) for area in rest if (inside := area.within(wanted)) is not None)
        rest = [part for area in rest for part in area.without(wanted)]
    found_areas += ((area, enforcement_of(severity)) for area in rest)
    return [(area, action) for area, action in _narrowed(rule, severity, gvk, found_areas, config) if action is not Enforcement.OFF]


def _required(setting: EnforcementSetting) -> list[Requirement]:
    what = field(setting.ruling.path[:2])
    return [*in_namespaces(setting.namespaces, what), *(requirements_of(setting.selector) if setting.selector is not None else ())]


def _narrowed(
    rule: str, severity: Severity, gvk: GroupVersionKind, areas: list[tuple[Area, Enforcement]], config: Configuration
) -> Iterator[tuple[Area, Enforcement]]:
    """The areas with the stricter enforcement of namespaces' sections."""
    own: dict[str, Enforcement] = {}
    for namespace in config.namespaces:
        for placed in config.sections_of(namespace):
            for ruling in placed.rulings.rulings(rule, severity, gvk, namespace)[-1:]:
                held = own.get(namespace)
                own[namespace] = ruling.action if held is None or held.is_below(ruling.action) else held
    for area, action in areas:
        stricter = sorted(name for name, wanted in own.items() if action.is_below(wanted))
        for wanted in dict.fromkeys(own[name] for name in stricter):
            here = tuple(name for name in stricter if own[name] is wanted)
            inside = area.within([Requirement(NAMESPACE_NAME, "In", here)])
            if inside is not None:
                yield inside, wanted
        if stricter:
            yield from ((part, action) for part in area.without([Requirement(NAMESPACE_NAME, "In", tuple(stricter))]))
        else:
            yield area, action
