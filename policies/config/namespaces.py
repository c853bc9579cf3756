"""A namespace's own section: it narrows what the cluster-wide document allows and never widens it.

It may enforce rules more strictly, pin images that aren't pinned, and let fewer things be filled in. A section is written under
`namespaces` in the document or comes from the namespace itself. They apply one after the other; a setting that is laxer than before
doesn't count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar, Literal, Protocol

from weighbridge.policies.config.enforcement import Enforcement, NamespaceEnforcement, Ruling, Rulings
from weighbridge.policies.config.fill_in import FillIn
from weighbridge.policies.config.images import Images, NamespaceImages
from weighbridge.policies.config.sections import SECTION
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import GroupVersionKind, Path
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.pods.images import Reference


@dataclass(frozen=True)
class NamespaceSection:
    """What a namespace narrows."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    rules: dict[str, Enforcement] = field(default_factory=dict)
    """enforcement by rule id; never laxer than cluster-wide"""
    enforcement: list[NamespaceEnforcement] = field(default_factory=list)
    """enforcement by rule and kind; of entries that apply the later counts; never laxer than cluster-wide"""
    references: Enforcement | None = None
    """what happens if a referenced object doesn't exist; never laxer than cluster-wide"""
    images: NamespaceImages = field(default_factory=NamespaceImages)
    """tags and digests of images that are filled in and aren't pinned cluster-wide"""
    fill_in: FillIn = field(default_factory=FillIn)
    """what may be filled in, within what may be filled in cluster-wide"""


@dataclass(frozen=True)
class NamespaceDocument(NamespaceSection):
    """A section that a namespace brings itself, with optional `apiVersion` and `kind`."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    api_version: Literal["weighbridge.dev/v1alpha1"] = "weighbridge.dev/v1alpha1"
    kind: Literal["NamespaceConfiguration"] = "NamespaceConfiguration"


@dataclass(frozen=True)
class PlacedSection:
    """A section with its namespace. `origin` names the object that it comes from, and is empty for the cluster-wide document."""

    namespace: str
    section: NamespaceSection
    origin: str = ""

    @property
    def prefix(self) -> Path:
        """The path of the section in the document that brought it."""
        return () if self.origin else ("namespaces", self.namespace)

    @cached_property
    def rulings(self) -> Rulings:
        """Its enforcement."""
        return Rulings(self.section.rules, self.section.enforcement, prefix=self.prefix, origin=self.origin)


class KnownRule(Protocol):
    """The parts of a rule that decide whether a section relaxes it."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def severity(self) -> Severity:
        """The severity of its findings."""


class Wider(Protocol):
    """The parts of the cluster-wide document that a section is compared with."""

    @property
    def references(self) -> Enforcement:
        """What happens if a referenced object doesn't exist."""

    @property
    def images(self) -> Images:
        """The images that are filled in."""

    def laxest_ruling(self, rule: str, severity: Severity, gvk: GroupVersionKind, namespace: str) -> Ruling:
        """The least strict enforcement of a finding."""


def narrowed_images(images: Images, section: NamespaceSection) -> Images:
    """The images with a section's pins, except of images that are pinned already."""
    new = {key: pin for key, pin in section.images.pins.items() if not images.pin_of(Reference.read(key))}
    return Images({**new, **images.pins}, images.mirrors) if new else images


def widenings(wider: Wider, placed: PlacedSection, rules: Iterable[tuple[KnownRule, GroupVersionKind]]) -> Iterator[tuple[Path, str]]:
    """The places where a section would allow more than the cluster-wide document, with the allowed values; `rules` are all rules."""
    section, prefix = placed.section, placed.prefix
    relaxed: dict[Path, tuple[str, Ruling, Ruling]] = {}
    for rule, gvk in rules:
        for own in placed.rulings.rulings(rule.id, rule.severity, gvk, placed.namespace):
            held = wider.laxest_ruling(rule.id, rule.severity, gvk, placed.namespace)
            if own.action.is_below(held.action):
                relaxed.setdefault(own.path, (rule.id, own, held))
    for path, (rule_id, own, held) in relaxed.items():
        yield path, f"{rule_id} is {held.action} cluster-wide; a namespace may make it stricter only, not {own.action}"
    if section.references is not None and section.references.is_below(wider.references):
        why = f"is {wider.references} cluster-wide; a namespace may make it stricter only, not {section.references}"
        yield (*prefix, "references"), why
    for image, pin in section.images.pins.items():
        held_pin = wider.images.pin_of(Reference.read(image))
        if held_pin and held_pin != pin:
            yield (*prefix, "images", "pins", image), f"is pinned to {held_pin} cluster-wide; a namespace may pin only what isn't pinned"


def by_namespace(sections: Mapping[str, NamespaceSection], brought: Iterable[PlacedSection]) -> dict[str, tuple[PlacedSection, ...]]:
    """All sections by namespace, in the order in which they apply: the document's own first."""
    found: dict[str, tuple[PlacedSection, ...]] = {name: (PlacedSection(name, section),) for name, section in sections.items()}
    for placed in brought:
        found[placed.namespace] = (*found.get(placed.namespace, ()), placed)
    return found
