"""The user's configuration: ``apiVersion: weighbridge.dev/v1alpha1, kind: Configuration``.

One document is for the whole cluster. Its sections can make it stricter for a namespace, and namespaces can have their own sections. A
`Configuration` is the document in force at a moment (exceptions end), together with the sections of namespaces. pydantic is imported only
to read a document: commands without one don't wait for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache, cached_property, reduce
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar, cast

from weighbridge.policies.config.crd_rules import CRDRules, crd_rules_of
from weighbridge.policies.config.document import API_VERSION, KIND, Document
from weighbridge.policies.config.enforcement import Enforcement, EnforcementSetting, Labels, Ruling, Rulings, enforcement_of
from weighbridge.policies.config.exceptions import Exceptions, RuleException
from weighbridge.policies.config.ignores import ANNOTATION, Ignore, first_of, ignores_of
from weighbridge.policies.config.namespaces import NamespaceDocument, NamespaceSection, PlacedSection, by_namespace, narrowed_images
from weighbridge.policies.config.selection import Names
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, Path
from weighbridge.policies.ground.records import dataclass, field, fields, replace
from weighbridge.policies.ground.request import Request

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from weighbridge.policies.config.policies import Policies
    from weighbridge.policies.facts import Node
    from weighbridge.policies.pods.security.standard import PluginSettings

_Section = TypeVar("_Section")

__all__ = [
    "API_VERSION", "DEFAULT", "KIND", "CRDRules", "Configuration", "Document", "Enforcement", "NamespaceSection", "PlacedSection",
    "RuleException", "Ruling", "adapter", "image_of", "parse_section", "put_in_force",
]  # fmt: skip


@dataclass(frozen=True)
class Configuration(Document):
    """The document in force.

    `moment` is the time; without one, exceptions that end don't count. `brought` are sections that namespaces bring. `notes` are remarks
    on a namespace's own configuration, shown with every verdict there. `narrowed` are the sections in force if this is the configuration
    of one namespace. `index` finds the exceptions, and is made once for all moments and namespaces. `families` are the sections of the
    families, by their classes. `policies` are the user's own, `None` if there are none.
    """

    moment: datetime | None = None
    brought: tuple[PlacedSection, ...] = ()
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    narrowed: tuple[PlacedSection, ...] = ()
    index: Exceptions | None = field(default=None, repr=False, compare=False)
    families: Mapping[type[Any], Any] = field(default_factory=dict)
    policies: Policies | None = None

    def at(self, moment: datetime) -> Configuration:
        """The configuration as it is at a moment."""
        return replace(self, moment=moment)

    def with_sections(self, brought: Iterable[PlacedSection], notes: Mapping[str, tuple[str, ...]]) -> Configuration:
        """The configuration with the sections that namespaces bring, which replace earlier ones."""
        return replace(self, brought=tuple(brought), notes=notes)

    def notes_of(self, namespace: str, most: int = 1) -> list[str]:
        """The first notes on a namespace's own configuration, and how many more there are."""
        notes = self.notes.get(namespace, ())
        more = len(notes) - most
        return [*notes[:most], *([f"{more} more of the ConfigMaps of namespace {namespace} are not used"] if more > 0 else ())]

    @property
    def expired(self) -> Iterator[tuple[int, RuleException]]:
        """The exceptions that no longer hold, with their places in the list."""
        return ((index, entry) for index, entry in enumerate(self.exceptions) if not entry.holds(self.moment))

    @cached_property
    def next_end(self) -> datetime | None:
        """The time at which the next exception ends; `None` if none does."""
        return min((entry.end for entry in self.exceptions if entry.end is not None and entry.holds(self.moment)), default=None)

    # --- of one family ---

    def settings_of(self, section: type[_Section]) -> _Section:
        """A family's section, by its class; the defaults if there is none."""
        found = self.families.get(section)
        if isinstance(found, section):
            return found
        default: _Section = _unset(cast("Any", section))
        return default

    # --- of one API group ---

    def crd_rules_of(self, group: str) -> CRDRules:
        """Which checks of the group's CRDs the webhook makes itself."""
        return crd_rules_of(self.crd_rules, group)

    # --- for one namespace ---

    def within(self, namespace: str) -> Configuration:
        """The configuration of a namespace: its sections narrow images, references and what is filled in."""
        sections = self.sections_of(namespace)
        if not sections or self.narrowed:
            return self
        known = self._by_namespace.get(namespace)
        if known is None:
            known = self._by_namespace[namespace] = self._narrowed(sections)
        return known

    def sections_of(self, namespace: str) -> tuple[PlacedSection, ...]:
        """The sections of a namespace, in the order in which they apply."""
        return self._sections.get(namespace, ())

    @cached_property
    def _sections(self) -> dict[str, tuple[PlacedSection, ...]]:
        return by_namespace(self.namespaces, self.brought)

    @cached_property
    def _by_namespace(self) -> dict[str, Configuration]:
        return {}

    def _narrowed(self, sections: tuple[PlacedSection, ...]) -> Configuration:
        images, references = self.images, self.references
        for placed in sections:
            images = narrowed_images(images, placed.section)
            if placed.section.references is not None and references.is_below(placed.section.references):
                references = placed.section.references
        return replace(self, images=images, references=references, narrowed=sections)

    # --- rules ---

    @cached_property
    def _rulings(self) -> Rulings:
        return Rulings(self.rules, self.enforcement)

    @cached_property
    def _index(self) -> Exceptions:
        return self.index or Exceptions(self.exceptions)

    def ruling(self, rule: str, severity: Severity, gvk: GroupVersionKind, namespace: str, labels: Labels = None) -> Ruling:
        """The enforcement of a rule's finding with this severity on an object of a kind in a namespace, with the setting that says so.

        If it depends on labels of the namespace that aren't known, the strictest possible enforcement.
        """
        possible = self._cluster_wide(rule, severity, gvk, namespace, labels)
        ruling = _strictest(possible)
        if any(other.action is not ruling.action for other in possible):
            ruling = replace(ruling, is_guarded=True)
        own = (placed.rulings.rulings(rule, severity, gvk, namespace) for placed in self.sections_of(namespace))
        return _strictest([ruling, *chain.from_iterable(own)])

    def settings_about(self, rule: str, severity: Severity) -> Sequence[EnforcementSetting]:
        """The cluster-wide settings for findings of a rule; the first that applies to an object counts."""
        return self._rulings.about(rule, severity)

    def laxest_ruling(self, rule: str, severity: Severity, gvk: GroupVersionKind, namespace: str) -> Ruling:
        """The least strict cluster-wide enforcement of a finding, for any labels of the namespace."""
        return _laxest(self._cluster_wide(rule, severity, gvk, namespace, None))

    def _cluster_wide(self, rule: str, severity: Severity, gvk: GroupVersionKind, namespace: str, labels: Labels) -> list[Ruling]:
        """The cluster-wide enforcement, followed by those that may apply instead."""
        found = self._rulings.rulings(rule, severity, gvk, namespace, labels)
        if not found or found[-1].is_guarded:
            found.append(Ruling(enforcement_of(severity)))
        return found[::-1]

    def exceptions_for(self, rule: str, request: Request) -> tuple[RuleException | None, RuleException | None]:
        """The first exception from a rule that applies to the object of a request, or else the first that did until it ended."""
        former = None
        for exception in self._index.matching(rule, request):
            if exception.holds(self.moment):
                return exception, None
            former = former or exception
        return None, former

    def own_exceptions_for(self, rule: str, request: Request) -> tuple[Ignore | None, Ignore | None]:
        """The same for the exceptions in the object's own annotation, as far as the configuration allows them."""
        if not self.own_exceptions or not self._excepted_by_objects.mean(rule):
            return None, None
        entries = request.once(ANNOTATION, lambda: [entry for entry in ignores_of(request.object) if isinstance(entry, Ignore)])
        return first_of((entry for entry in entries if rule in entry.rules), request.moment or self.moment)

    @cached_property
    def _excepted_by_objects(self) -> Names:
        return Names(self.own_exceptions or ())

    # --- what is filled in ---

    def fills_in_image(self, image: str) -> bool:
        """Whether an image, in the form that `image_of` returns, may be filled in."""
        return self.fill_in.allows_image(image) and all(placed.section.fill_in.allows_image(image) for placed in self.narrowed)

    def fills_in_resource(self, name: str) -> bool:
        """Whether requests for a resource may be filled in."""
        return self.fill_in.allows_resource(name) and all(placed.section.fill_in.allows_resource(name) for placed in self.narrowed)

    def fills_in_toleration(self, key: str) -> bool:
        """Whether a toleration of taints with this key may be filled in."""
        return self.fill_in.allows_toleration(key) and all(placed.section.fill_in.allows_toleration(key) for placed in self.narrowed)

    def tolerations_for(self, resource: str) -> list[JSONObject]:
        """The tolerations to fill in for pods that ask for a resource."""
        return [entry.as_json() for entry in self.tolerations.get(resource, ()) if self.fills_in_toleration(entry.key)]

    def fields_of_policies(self, gvk: GroupVersionKind) -> frozenset[Path]:
        """The fields of a kind that policies may fill in."""
        return self.policies.filled_fields(gvk) if self.policies is not None else frozenset()

    # --- the API server ---

    @property
    def server_settings(self) -> PluginSettings:
        """The configuration of the API server's plugin PodSecurity."""
        return self.pod_security.settings

    # --- hardware that is expected ---

    @cached_property
    def declared_nodes(self) -> tuple[Node, ...]:
        """The nodes of `expectedNodes`."""
        if not self.expected_nodes:
            return ()
        from dataclasses import asdict

        from weighbridge.policies.facts.expected import declared_node

        return tuple(
            declared_node(name, labels=node.labels, taints=map(asdict, node.taints), allocatable=node.allocatable)
            for name, node in self.expected_nodes.items()
        )

    def most_expected(self, resource: str) -> int:
        """The most of a resource that `expectedResources` or `expectedNodes` gives one node."""
        return max([self.expected_resources.get(resource, 0), *(node.amounts.get(resource, 0) for node in self.declared_nodes)])


@cache
def _unset(section: type[Any]) -> Any:
    return section()


def _strictest(rulings: Iterable[Ruling]) -> Ruling:
    """The strictest ruling; the first of several."""
    return reduce(lambda ruling, other: other if ruling.action.is_below(other.action) else ruling, rulings)


def _laxest(rulings: Iterable[Ruling]) -> Ruling:
    return reduce(lambda ruling, other: other if other.action.is_below(ruling.action) else ruling, rulings)


#: The configuration without a document.
DEFAULT = Configuration()


def image_of(config: Configuration, image: str) -> str:
    """The image to fill in instead of a family's `image`: pinned and from its mirror."""
    return config.images.of(image)


def put_in_force(read: Document, families: Mapping[type[Any], Any], policies: Policies | None = None) -> Configuration:
    """The configuration of a document; `families` are the sections of the families, by their classes."""
    settings: dict[str, Any] = {entry.name: getattr(read, entry.name) for entry in fields(Document)}
    return Configuration(**settings, families=families, index=Exceptions(read.exceptions), policies=policies)


def parse_section(document: JSONValue) -> NamespaceSection:
    """Read a section as a namespace brings it. Raises pydantic's ValidationError with all of its mistakes."""
    section: NamespaceSection = adapter(NamespaceDocument).validate_python(document)
    return section


@cache
def adapter(document: type[Any]) -> TypeAdapter[Any]:
    """The adapter that reads and describes a document. Building it takes longer than reading a document."""
    from pydantic import TypeAdapter

    return TypeAdapter(document)
