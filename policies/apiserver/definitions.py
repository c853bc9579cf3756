"""CustomResourceDefinitions: the known kinds, and for each of their versions the schema and the rules.

Only what is used later is read; schemas and rules are compiled when an object first needs them.
Source: apiextensions.k8s.io/v1 CustomResourceDefinition, https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Protocol, TypeVar

from weighbridge.policies.apiserver.definition_reader import KIND, DefinitionIssue, DefinitionReader
from weighbridge.policies.apiserver.versions import deprecation_warning
from weighbridge.policies.cel.rules.evaluation import CompiledRules
from weighbridge.policies.codegen import Cache
from weighbridge.policies.ground.memory import Memory
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, name_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.server_release import USUAL, ServerRelease, release
from weighbridge.policies.schema.compiled import CompiledSchema
from weighbridge.policies.schema.embedded import EmbeddedResources
from weighbridge.policies.schema.kept_units import KeptUnits
from weighbridge.policies.schema.marks import RULES, marks
from weighbridge.policies.schema.node import Schema

_Result = TypeVar("_Result")


class DefinitionError(ValueError):
    """A document isn't a usable CustomResourceDefinition; `issues` has all reasons."""

    def __init__(self, issues: list[DefinitionIssue]) -> None:
        super().__init__("; ".join(map(str, issues)))
        self.issues = issues


class ResourceDefinition:
    """One version of one custom resource. `siblings` are all versions of its CRD by name, including this one and unserved ones.

    `cache` can keep compiled units between runs. `server` is the release of the server that serves it, by default the one in force: schema
    and rules are compiled once, for that release. `digest` is that of the CRD's content, empty if it isn't known.
    """

    def __init__(
        self,
        crd: JSONObject,
        version: JSONObject,
        siblings: dict[str, ResourceDefinition],
        cache: Cache | None = None,
        server: ServerRelease | None = None,
        digest: str = "",
    ) -> None:
        spec = crd["spec"]
        self.server = server or release()
        self._crd, self._version = crd, version
        self.gvk = GroupVersionKind(spec["group"], version["name"], spec["names"]["kind"])
        self.plural: str = spec["names"]["plural"]
        self.singular: str = spec["names"].get("singular") or self.gvk.kind.lower()
        self.short_names: tuple[str, ...] = tuple(spec["names"].get("shortNames") or ())
        self.scope: str = spec["scope"]
        self.served: bool = version.get("served") is True
        self.is_storage: bool = version.get("storage") is True
        conversion = spec.get("conversion")
        self.is_converted_by_webhook = isinstance(conversion, dict) and conversion.get("strategy") == "Webhook"
        self.preserve_unknown_fields: bool = spec.get("preserveUnknownFields") is True
        self.siblings = siblings
        self._cache, self._digest = cache, digest
        #: The warning that the server sends with every answer; empty if the version isn't deprecated.
        self.deprecation_warning = deprecation_warning(spec, version)
        subresources = version.get("subresources") or {}
        self.status_subresource: bool = isinstance(subresources.get("status"), dict)
        self.scale: JSONObject | None = subresources.get("scale")
        self._raw: JSONObject = version["schema"]["openAPIV3Schema"]
        self._memory = Memory()

    def __repr__(self) -> str:
        return f"ResourceDefinition({self.gvk})"

    def once(self, key: Hashable, work_out: Callable[[], _Result]) -> _Result:
        """The result of `work_out`, which is called only once. It may depend only on this definition and on known releases."""
        return self._memory.once(key, work_out)

    def with_schema(self, schema: JSONObject) -> ResourceDefinition:
        """The same version of the same resource with another schema."""
        version = {**self._version, "schema": {"openAPIV3Schema": schema}}
        return ResourceDefinition(self._crd, version, self.siblings, self._cache, self.server)

    def served_by(self, server: ServerRelease) -> ResourceDefinition:
        """The same version of the same resource, as a server of a release serves it."""
        if server is self.server:
            return self
        siblings: dict[str, ResourceDefinition] = {}
        for version in self._crd["spec"]["versions"]:
            siblings[version["name"]] = ResourceDefinition(self._crd, version, siblings, self._cache, server, self._digest)
        return siblings[self.gvk.version]

    @property
    def namespaced(self) -> bool:
        """Whether its objects have a namespace."""
        return self.scope == "Namespaced"

    @property
    def resource(self) -> str:
        """The resource as messages name it: ``models.inference.llmkube.dev``."""
        return f"{self.plural}.{self.gvk.group}"

    @property
    def storage(self) -> ResourceDefinition | None:
        """The version in which objects are stored; `None` if a webhook converts to it or the CRD names none."""
        if self.is_converted_by_webhook and not self.is_storage:
            return None
        return next((sibling for sibling in self.siblings.values() if sibling.is_storage), None)

    @property
    def openapi_schema(self) -> JSONObject:
        """The schema as the CRD writes it."""
        return self._raw

    @cached_property
    def schema(self) -> CompiledSchema:
        """The schema, compiled as far as objects use it."""
        return CompiledSchema(self._schema, str(self.gvk), self._kept)

    @cached_property
    def rules(self) -> CompiledRules:
        """The CEL rules, compiled."""
        return CompiledRules(self._schema, str(self.gvk), kept=self._kept)

    @cached_property
    def embedded(self) -> EmbeddedResources:
        """The embedded objects of the schema."""
        return EmbeddedResources(self._schema, uses=self._marks)

    @property
    def has_rules(self) -> bool:
        """Whether there is any CEL rule. Nothing is compiled to find that out."""
        return RULES in self._marks

    @cached_property
    def _marks(self) -> frozenset[str]:
        return marks(self._raw) if self._kept is None else self._kept.marks

    @cached_property
    def _schema(self) -> Schema:
        return Schema(self._raw)

    @cached_property
    def _kept(self) -> KeptUnits | None:
        if self._cache is None:
            return None
        name = str(self.gvk) if self.server is USUAL else f"{self.gvk} {self.server.name}"
        return KeptUnits(self._schema, name, self._cache, self._digest)


@dataclass(frozen=True, slots=True)
class Release:
    """The definition of a kind in one release of its system; the version is empty if only one release is known.

    `read` returns the definition and remembers it; `read_schema` returns only the schema, and doesn't remember it.
    """

    version: str
    read: Callable[[], ResourceDefinition]
    read_schema: Callable[[], JSONObject]

    def schema(self) -> JSONObject:
        """The schema, read anew."""
        return self.read_schema()


@dataclass(frozen=True, slots=True)
class Origin:
    """The source of the stand-ins for a group's definitions: a system's release, as a text such as ``LLMKube v0.9.19``.

    `releases` has all shipped releases of the system, as a text. `is_chosen` says that the user asked for this one.
    """

    name: str
    releases: str
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class StandIn:
    """A definition that is read when its kind is first needed."""

    gvk: GroupVersionKind
    plural: str
    read: Callable[[], ResourceDefinition]

    def served_by(self, server: ServerRelease) -> StandIn:
        """The stand-in for a server of that release."""
        return StandIn(self.gvk, self.plural, lambda: self.read().served_by(server))


class StandIns(Protocol):
    """Definitions that are used if none are installed, group by group."""

    def groups(self) -> Iterable[str]:
        """The groups that have stand-ins."""

    def of(self, group: str) -> Iterable[StandIn]:
        """The stand-ins of one group; none if the group isn't known."""

    def releases(self, gvk: GroupVersionKind) -> Sequence[Release]:
        """The definition of a kind in each known release, the newest last; none if the kind isn't known."""

    def origin(self, gvk: GroupVersionKind) -> Origin | None:
        """The source of a kind's stand-in, or of its group's if it has none; `None` if the group isn't known."""

    def served_by(self, server: ServerRelease) -> StandIns:
        """The stand-ins for a server of another release of Kubernetes."""


class Definitions:
    """The known custom resources; `issues` says which documents couldn't be used, and why."""

    def __init__(
        self,
        definitions: Iterable[ResourceDefinition | StandIn] = (),
        issues: Iterable[DefinitionIssue] = (),
        stand_ins: StandIns | None = None,
        known: StandIns | None = None,
        server: ServerRelease | None = None,
    ) -> None:
        """`stand_ins` are for kinds that aren't among `definitions`; `known` are those to compare with, by default `stand_ins`.

        `server` is the release of the server that serves them all.
        """
        self.server = server or release()
        self.issues = tuple(issues)
        self._by_kind = {found.gvk: found for found in definitions if isinstance(found, StandIn) or found.served}
        self._by_resource = {(gvk.group, gvk.version, found.plural): gvk for gvk, found in self._by_kind.items()}
        self.stand_ins = stand_ins
        self._known = known or stand_ins
        self._standing_in: dict[str, dict[GroupVersionKind, StandIn]] = {}

    @classmethod
    def from_manifests(
        cls, manifests: Iterable[JSONValue], *, trusted: bool = False, cache: Cache | None = None, server: ServerRelease | None = None
    ) -> Definitions:
        """Read CRDs and lists of CRDs. If two define the same version of a kind, the later one counts.

        `trusted` says that the schemas have been checked before, by a cache or a live cluster, so that they needn't be walked through.
        `cache` can keep compiled units. Never raises: `issues` names what can't be used.
        """
        definitions: list[ResourceDefinition] = []
        issues: list[DefinitionIssue] = []
        for manifest in _unlisted(manifests):
            try:
                document = f"document {len(definitions) + len(issues) + 1}"
                definitions += read_crd(manifest, document=document, trusted=trusted, cache=cache, server=server)
            except DefinitionError as error:
                issues += error.issues
        return cls(definitions, issues, server=server)

    def served_by(self, server: ServerRelease) -> Definitions:
        """The same CRDs as a server of another release serves them, with `stand_ins` of that release."""
        if server is self.server:
            return self
        stand_ins = self.stand_ins.served_by(server) if self.stand_ins is not None else None
        known = self._known.served_by(server) if self._known is not None else None
        return Definitions((found.served_by(server) for found in self._by_kind.values()), self.issues, stand_ins, known, server)

    def followed_by(self, later: Iterable[StandIn]) -> Definitions:
        """These definitions, with others that replace those of the same kinds."""
        ours = (stand_in.served_by(self.server) for stand_in in later)
        return Definitions((*self._by_kind.values(), *ours), self.issues, self.stand_ins, self._known, self.server)

    def completed_by(self, stand_ins: StandIns) -> Definitions:
        """These definitions, with the stand-ins for kinds that aren't among them."""
        return Definitions(self._by_kind.values(), self.issues, stand_ins, server=self.server)

    def compared_with(self, known: Definitions) -> Definitions:
        """These definitions, with all releases that `known` has of their kinds. Those releases are only compared with."""
        return Definitions(self._by_kind.values(), self.issues, self.stand_ins, known._known, self.server)

    def without(self, groups: Collection[str]) -> Definitions:
        """These definitions without the kinds of some groups."""
        kept = (found for gvk, found in self._by_kind.items() if gvk.group not in groups)
        return Definitions(kept, self.issues, self.stand_ins, self._known, self.server)

    def undefined(self, crds: Iterable[JSONObject]) -> Definitions:
        """These definitions without the kinds that the given CustomResourceDefinitions define; other objects are ignored."""
        gone = {name_of(crd) for crd in crds if crd.get("kind") == KIND}
        if not gone:
            return self
        kept = (found for gvk, found in self._by_kind.items() if f"{found.plural}.{gvk.group}" not in gone)
        return Definitions(kept, self.issues, self.stand_ins, self._known, self.server)

    def origin(self, gvk: GroupVersionKind) -> Origin | None:
        """The source of a kind's stand-in; `None` if the kind is installed, even in another version."""
        if self.stand_ins is None or any((kind.group, kind.kind) == (gvk.group, gvk.kind) for kind in self._by_kind):
            return None
        return self.stand_ins.origin(gvk)

    def releases(self, gvk: GroupVersionKind) -> Sequence[Release]:
        """The definition of a kind in each known release of its system, the newest last."""
        return self._known.releases(gvk) if self._known is not None else ()

    def get(self, gvk: GroupVersionKind) -> ResourceDefinition | None:
        """The definition of a kind; `None` if the kind isn't known or this version isn't served."""
        found = self.installed(gvk) if self._by_kind else None
        if found is None:
            stand_in = self._standing_in_for(gvk.group).get(gvk)
            return None if stand_in is None else stand_in.read()
        return found

    def installed(self, gvk: GroupVersionKind) -> ResourceDefinition | None:
        """The installed definition of a kind, or `None`."""
        found = self._by_kind.get(gvk)
        return found.read() if isinstance(found, StandIn) else found

    def by_resource(self, group: str, version: str, plural: str) -> ResourceDefinition | None:
        """The definition behind ``/apis/GROUP/VERSION/PLURAL``."""
        gvk = self._by_resource.get((group, version, plural))
        found = self.installed(gvk) if gvk is not None else None
        if found is None:
            others = self._standing_in_for(group).values()
            return next((other.read() for other in others if (other.gvk.version, other.plural) == (version, plural)), None)
        return found

    def kinds(self) -> list[GroupVersionKind]:
        """The kinds that are served, sorted."""
        others = self.stand_ins.groups() if self.stand_ins is not None else ()
        return _sorted((*self._by_kind, *(gvk for group in others for gvk in self._standing_in_for(group))))

    def names(self, group: str) -> Iterator[tuple[GroupVersionKind, str, str]]:
        """The kinds of a group that are served, each with the plural and the singular of its resource; of all groups if it is empty."""
        for gvk in _sorted((*self._by_kind, *self._standing_in_for(group))) if group else self.kinds():
            if group and gvk.group != group:
                continue
            found = self._by_kind.get(gvk) or self._standing_in_for(gvk.group)[gvk]
            yield gvk, found.plural, gvk.kind.lower() if isinstance(found, StandIn) else found.singular

    def versions(self, group: str, kind: str) -> list[str]:
        """The served versions of a kind, sorted; empty if it isn't known."""
        known = _sorted((*self._by_kind, *self._standing_in_for(group)))
        return [gvk.version for gvk in known if (gvk.group, gvk.kind) == (group, kind)]

    def _standing_in_for(self, group: str) -> dict[GroupVersionKind, StandIn]:
        """The stand-ins for a group's kinds that aren't installed."""
        if self.stand_ins is None:
            return {}
        known = self._standing_in.get(group)
        if known is None:
            found = {stand_in.gvk: stand_in for stand_in in self.stand_ins.of(group) if stand_in.gvk not in self._by_kind}
            known = self._standing_in[group] = found
        return known


def _sorted(kinds: Iterable[GroupVersionKind]) -> list[GroupVersionKind]:
    return sorted(kinds, key=lambda gvk: (gvk.group, gvk.kind, gvk.version))


def _unlisted(manifests: Iterable[JSONValue]) -> Iterator[JSONValue]:
    """The documents, with the items of lists one by one."""
    for manifest in manifests:
        if isinstance(manifest, dict) and manifest.get("kind") in ("List", f"{KIND}List") and isinstance(manifest.get("items"), list):
            yield from manifest["items"]
        else:
            yield manifest


def read_crd(
    manifest: JSONValue,
    *,
    document: str = "document",
    trusted: bool = False,
    cache: Cache | None = None,
    server: ServerRelease | None = None,
    digest: str = "",
) -> list[ResourceDefinition]:
    """Every version of one CRD, including unserved ones, as a `server` serves it. Raises DefinitionError with all that is wrong.

    `digest` is that of the CRD's content, if the caller knows it.
    """
    name = manifest.get("metadata", {}).get("name") if isinstance(manifest, dict) and isinstance(manifest.get("metadata"), dict) else None
    reader = DefinitionReader(f"{KIND} {name}" if isinstance(name, str) and name else document)
    spec = reader.envelope(manifest)
    if spec is not None:
        reader.spec(spec, trusted=trusted)
    if reader.issues:
        raise DefinitionError(reader.issues)
    siblings: dict[str, ResourceDefinition] = {}
    for version in manifest["spec"]["versions"]:
        siblings[version["name"]] = ResourceDefinition(manifest, version, siblings, cache, server, digest)
    return list(siblings.values())
