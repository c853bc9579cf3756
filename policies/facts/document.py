"""The snapshot of a cluster as a document: ``apiVersion: weighbridge.dev/v1alpha1, kind: Snapshot``.

In addition to its `items` it says what is known: it has all objects of the kinds in `complete`, even if there are none; those in `notKnown`
couldn't be read. A part of a kind is named ``Kind/name``. `redacted` lists what was blanked, object by object; `formerNodes` were in the
cluster before; `pods` has what pods take of the nodes, if that was read. Other objects read from a cluster (`kubectl get -o yaml`, a List,
plain manifests) have no such header; they are assumed to be all objects of their kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.spelling import close_matches

if TYPE_CHECKING:
    from weighbridge.policies.facts.occupancy import Occupancy

API_VERSION: Final = "weighbridge.dev/v1alpha1"
KIND: Final = "Snapshot"

#: A kind as the document names it: ``ResourceSlice.resource.k8s.io``, ``Node``.
GroupKind = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Extent:
    """The kinds that are known completely, those that aren't although some of their objects are known, and the former nodes.

    `server` is the version of the API server, empty if it isn't known. `occupancy` is what pods take of the nodes, if that is known.
    """

    complete: frozenset[GroupKind] = frozenset()
    not_known: frozenset[GroupKind] = frozenset()
    former: tuple[JSONObject, ...] = ()
    server: str = ""
    occupancy: Occupancy | None = None


@dataclass(frozen=True, slots=True)
class Blanks:
    """The fields of one object that were blanked or left out; the object has its name in the document."""

    kind: GroupKind
    namespace: str
    name: str
    fields: tuple[str, ...]

    def as_json(self) -> JSONObject:
        """The entry of the document."""
        named = {"kind": kind_text(self.kind), "namespace": self.namespace, "name": self.name}
        return {key: text for key, text in named.items() if text} | {"fields": list(self.fields)}


@dataclass(frozen=True, slots=True)
class SnapshotHeader:
    """The header of a snapshot.

    `cluster` is the uid of namespace kube-system. `not_known` gives the reason by kind. `redacted` is `None` if the snapshot isn't
    redacted.
    """

    server: str = ""
    taken_at: str = ""
    complete: tuple[GroupKind, ...] = ()
    not_known: dict[GroupKind, str] = field(default_factory=dict)
    redacted: tuple[Blanks, ...] | None = None
    former_nodes: tuple[JSONObject, ...] = ()
    cluster: str = ""
    occupancy: Occupancy | None = None

    @property
    def extent(self) -> Extent:
        """What is known, without the reasons why other kinds aren't."""
        return Extent(frozenset(self.complete), frozenset(self.not_known), self.former_nodes, self.server, self.occupancy)

    def document(self, items: Iterable[JSONObject]) -> JSONObject:
        """The whole document."""
        return {
            "apiVersion": API_VERSION,
            "kind": KIND,
            "server": self.server,
            "takenAt": self.taken_at,
            **({"cluster": self.cluster} if self.cluster else {}),
            "complete": [kind_text(kind) for kind in self.complete],
            "notKnown": [{"kind": kind_text(kind), "reason": reason} for kind, reason in self.not_known.items()],
            **({} if self.redacted is None else {"redacted": [blanks.as_json() for blanks in self.redacted]}),
            **({"formerNodes": list(self.former_nodes)} if self.former_nodes else {}),
            **({} if self.occupancy is None else {"pods": _written(self.occupancy)}),
            "items": list(items),
        }


def _written(occupancy: Occupancy) -> list[JSONObject]:
    from weighbridge.policies.facts.occupancy_document import as_json

    return as_json(occupancy)


def kind_text(kind: GroupKind) -> str:
    """A kind as the document names it."""
    group, name = kind
    return f"{name}.{group}" if group else name


def _kind(text: str) -> GroupKind:
    name, _, group = text.partition(".")
    return group, name


def is_snapshot(value: JSONValue) -> bool:
    """Whether a document claims to be a snapshot."""
    return isinstance(value, dict) and value.get("kind") == KIND and str(value.get("apiVersion", "")).startswith("weighbridge.dev/")


def read_header(document: JSONObject) -> SnapshotHeader:
    """The header of a document in which `mistakes` finds none."""
    not_known, redacted = document.get("notKnown") or (), document.get("redacted")
    return SnapshotHeader(
        server=document.get("server", ""),
        taken_at=document.get("takenAt", ""),
        complete=tuple(map(_kind, document.get("complete") or ())),
        not_known={_kind(entry["kind"]): entry.get("reason", "") for entry in not_known},
        redacted=None if redacted is None else tuple(map(_blanks, redacted)),
        former_nodes=tuple(document.get("formerNodes") or ()),
        cluster=document.get("cluster", ""),
        occupancy=_read_occupancy(document["pods"]) if "pods" in document else None,
    )


def _read_occupancy(entries: JSONValue) -> Occupancy:
    from weighbridge.policies.facts.occupancy_document import read

    return read(entries)


def _blanks(entry: JSONObject) -> Blanks:
    return Blanks(_kind(entry["kind"]), entry.get("namespace", ""), entry.get("name", ""), tuple(entry.get("fields") or ()))


def mistakes(document: JSONObject) -> Iterator[tuple[Path, str]]:
    """Every wrong place in a snapshot, and what would be right."""
    if document.get("apiVersion") != API_VERSION:
        yield ("apiVersion",), f"this version reads {API_VERSION}, not {document.get('apiVersion')!r}"
        return
    for key, value in document.items():
        known = _FIELDS.get(key)
        if known is None:
            near = close_matches(key, _FIELDS, n=1)
            yield (key,), f"unknown key; did you mean {near[0]}?" if near else f"unknown key; the keys here are {', '.join(_FIELDS)}"
        else:
            yield from known(value, (key,))


def _is_text(value: JSONValue, path: Path) -> Iterator[tuple[Path, str]]:
    if not isinstance(value, str):
        yield path, "must be a text"


def _is_kind(value: JSONValue, path: Path) -> Iterator[tuple[Path, str]]:
    if not isinstance(value, str) or not value or value.startswith("."):
        yield path, "must be a kind with its group, such as DeviceClass.resource.k8s.io, or Node"


def _are_kinds(value: JSONValue, path: Path) -> Iterator[tuple[Path, str]]:
    if not isinstance(value, list):
        yield path, "must be a list of kinds"
        return
    for index, entry in enumerate(value):
        yield from _is_kind(entry, (*path, index))


def _are_reasons(value: JSONValue, path: Path) -> Iterator[tuple[Path, str]]:
    if not isinstance(value, list):
        yield path, "must be a list of maps with kind and reason"
        return
    for index, entry in enumerate(value):
        where = (*path, index)
        if not isinstance(entry, dict):
            yield where, "must be a map with kind and reason"
            continue
        yield from _is_kind(entry.get("kind"), (*where, "kind") if "kind" in entry else where)
        yield from _is_text(entry.get("reason", ""), (*where, "reason"))
        yield from (((*where, key), "unknown key; the keys here are kind, reason") for key in entry if key not in ("kind", "reason"))


def _are_blanks(value: JSONValue, path: Path) -> Iterator[tuple[Path, str]]:
    if not isinstance(value, list):
        yield path, "must be a list of maps with kind, namespace, name and fields"
        return
    for index, entry in enumerate(value):
        where = (*path, index)
        if not isinstance(entry, dict):
            yield where, "must be a map with kind, namespace, name and fields"
            continue
        yield from _is_kind(entry.get("kind"), (*where, "kind") if "kind" in entry else where)
        yield from _is_text(entry.get("namespace", ""), (*where, "namespace"))
        yield from _is_text(entry.get("name", ""), (*where, "name"))
        fields = entry.get("fields", [])
        if not isinstance(fields, list) or not all(isinstance(name, str) for name in fields):
            yield (*where, "fields"), "must be a list of fields, such as spec.env[0].value"
        known = ("kind", "namespace", "name", "fields")
        yield from (((*where, key), f"unknown key; the keys here are {', '.join(known)}") for key in entry if key not in known)


def _are_objects(value: JSONValue, path: Path) -> Iterator[tuple[Path, str]]:
    if not isinstance(value, list):
        yield path, "must be a list of objects"
        return
    for index, entry in enumerate(value):
        if not isinstance(entry, dict):
            yield (*path, index), "must be an object with apiVersion, kind and metadata"


def _are_uses(value: JSONValue, path: Path) -> Iterator[tuple[Path, str]]:
    from weighbridge.policies.facts.occupancy_document import mistakes as mistakes_of_pods

    yield from mistakes_of_pods(value, path)


_FIELDS: Final[dict[str, Callable[[JSONValue, Path], Iterator[tuple[Path, str]]]]] = {
    "apiVersion": _is_text,
    "kind": _is_text,
    "server": _is_text,
    "takenAt": _is_text,
    "cluster": _is_text,
    "complete": _are_kinds,
    "notKnown": _are_reasons,
    "redacted": _are_blanks,
    "formerNodes": _are_objects,
    "pods": _are_uses,
    "items": _are_objects,
}


def json_schema() -> JSONObject:
    """The JSON Schema of the document, for editors."""
    from weighbridge.policies.facts.occupancy_document import json_schema as pods_schema

    kind = {"type": "string", "description": "a kind with its group, such as DeviceClass.resource.k8s.io, or Node"}
    reason = {"type": "string", "description": "why the kind could not be read"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Weighbridge snapshot of a cluster",
        "type": "object",
        "additionalProperties": False,
        "required": ["apiVersion", "kind"],
        "properties": {
            "apiVersion": {"const": API_VERSION},
            "kind": {"const": KIND},
            "server": {"type": "string", "description": "version of the API server"},
            "takenAt": {"type": "string", "description": "when, as RFC 3339 has it"},
            "cluster": {"type": "string", "description": "uid of the namespace kube-system, which identifies the cluster"},
            "complete": {"type": "array", "items": kind, "description": "kinds of which all objects are here, even if there is none"},
            "notKnown": {
                "type": "array",
                "description": "kinds that could not be read",
                "items": {
                    "type": "object",
                    "required": ["kind"],
                    "additionalProperties": False,
                    "properties": {"kind": kind, "reason": reason},
                },
            },
            "redacted": {
                "type": "array",
                "description": "what was blanked, object by object; not there where nothing was to be",
                "items": {
                    "type": "object",
                    "required": ["kind"],
                    "additionalProperties": False,
                    "properties": {
                        "kind": kind,
                        "namespace": {"type": "string"},
                        "name": {"type": "string", "description": "the object's name in this document"},
                        "fields": {"type": "array", "items": {"type": "string"}, "description": "the fields, without their values"},
                    },
                },
            },
            "formerNodes": {
                "type": "array",
                "items": {"type": "object"},
                "description": "nodes that were in the cluster before and may come back with their pool, trimmed",
            },
            "pods": pods_schema(),
            "items": {"type": "array", "items": {"type": "object"}, "description": "the objects, trimmed"},
        },
    }
