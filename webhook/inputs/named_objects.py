"""Objects that are named on the command line, as for kubectl: ``KIND/[NAMESPACE/]NAME``.

A kind may be written as kind, singular, plural or short name, in any case, with ``.GROUP`` or ``.VERSION.GROUP`` after it. The group of
Kubernetes' core kinds is ``core``. Only kinds that a prediction or a rule reads can be named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts.kinds import CRDS, PLACEMENT_KINDS
from weighbridge.policies.families import families
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.spelling import closest
from weighbridge.webhook.texts.errors import InputError

#: Short names, as kubectl api-resources lists them for Kubernetes v1.36 and the Gateway API v1.
_SHORT_NAMES: Final = {
    "cm": "configmaps",
    "crd": "customresourcedefinitions",
    "crds": "customresourcedefinitions",
    "deploy": "deployments",
    "ds": "daemonsets",
    "hpa": "horizontalpodautoscalers",
    "limits": "limitranges",
    "no": "nodes",
    "ns": "namespaces",
    "pc": "priorityclasses",
    "pv": "persistentvolumes",
    "pvc": "persistentvolumeclaims",
    "quota": "resourcequotas",
    "refgrant": "referencegrants",
    "sc": "storageclasses",
    "sts": "statefulsets",
    "svc": "services",
}
CORE: Final = "core"


@dataclass(frozen=True, slots=True)
class NameableKind:
    """A kind whose objects can be named."""

    gvk: GroupVersionKind
    plural: str
    namespaced: bool = True

    def __str__(self) -> str:
        return f"{self.gvk.kind}.{self.gvk.group or CORE}"

    def is_called(self, name: str) -> bool:
        """Whether a text is its kind, singular or plural, in lower case."""
        return name in (self.gvk.kind.lower(), self.plural) or _SHORT_NAMES.get(name) == self.plural

    def is_in(self, rest: str) -> bool:
        """Whether a text is its group, or its version and group."""
        group = self.gvk.group or CORE
        return rest in ("", group, f"{self.gvk.version}.{group}")


@dataclass(frozen=True, slots=True)
class NamedObject:
    """A named object: the text, the kinds that it may mean, the namespace (empty if none was given), and the name."""

    text: str
    kinds: tuple[NameableKind, ...]
    namespace: str
    name: str

    def among(self, objects: Iterable[JSONObject], default_namespace: str) -> JSONObject:
        """The object that is meant. Raises InputError."""
        places = {
            (kind.gvk.group, kind.gvk.kind, (self.namespace or default_namespace) if kind.namespaced else "", self.name): kind
            for kind in self.kinds
            if kind.namespaced or not self.namespace
        }
        found = [(places[place], obj) for obj in objects if (place := _place(obj)) in places]
        if not found:
            looked_for = " or ".join(f"{kind} {'/'.join(filter(None, place[2:]))}" for place, kind in places.items())
            raise InputError(f"{self.text}: the cluster has no {looked_for or 'such object'}")
        if len(found) > 1:
            raise InputError(f"{self.text}: several groups have one; write {' or '.join(str(kind) for kind, _ in found)} for the kind")
        return found[0][1]


def named_object(text: str, definitions: Definitions) -> NamedObject:
    """The object that a text names. The definitions have the short names of custom resources. Raises InputError."""
    written, namespace, name = parts_of(text)
    return NamedObject(text, _kinds_called(text, written, definitions), namespace, name)


def parts_of(text: str) -> tuple[str, str, str]:
    """Kind, namespace (empty if none is given) and name. Raises InputError."""
    written, _, rest = text.partition("/")
    namespace, _, name = rest.rpartition("/")
    if not name or "/" in namespace:
        raise InputError(f"{text}: write KIND/NAME or KIND/NAMESPACE/NAME")
    return written, namespace, name


def is_namespaced(obj: JSONObject) -> bool:
    """Whether an object's kind is read and namespaced."""
    gvk = GroupVersionKind.from_object(obj)
    return any(kind.namespaced for kind in nameable_kinds() if gvk is not None and (kind.gvk.group, kind.gvk.kind) == (gvk.group, gvk.kind))


def nameable_kinds() -> Iterator[NameableKind]:
    """All kinds that can be named, each once."""
    seen: set[tuple[str, str]] = set()
    for kind in _read_kinds():
        if (kind.gvk.group, kind.gvk.kind) not in seen:
            seen.add((kind.gvk.group, kind.gvk.kind))
            yield kind


#: The cluster-scoped kinds of Kubernetes that are read.
_CLUSTER_SCOPED: Final = frozenset(
    {"Node", "Namespace", "PersistentVolume", "RuntimeClass", "PriorityClass", "StorageClass", "CSIDriver", "CSINode", "DeviceClass"}
    | {"ResourceSlice", "NodePool", "CustomResourceDefinition"}
)


def _read_kinds() -> Iterator[NameableKind]:
    known = list(families())
    for family in known:
        yield from (NameableKind(kind.gvk, kind.plural, kind.namespaced) for kind in family.kinds)
    for family in known:
        yield from (NameableKind(kind.gvk, kind.plural, kind.namespaced) for kind in family.looks_up)
    for read in (*PLACEMENT_KINDS, CRDS):
        yield NameableKind(read.gvk, read.plural, read.gvk.kind not in _CLUSTER_SCOPED)


def _kinds_called(text: str, written: str, definitions: Definitions) -> tuple[NameableKind, ...]:
    name, _, rest = written.lower().partition(".")
    known = list(nameable_kinds())
    called = [kind for kind in known if kind.is_called(name)] or [kind for kind in known if name in _short_names(kind, definitions)]
    found = tuple(kind for kind in called if kind.is_in(rest))
    if found:
        return found
    if called:
        raise InputError(f"{text}: no {called[0].gvk.kind} of this group or version is read; write {' or '.join(map(str, called))}")
    near = closest(name, {kind.gvk.kind.lower() for kind in known})
    suggestion = next((f"; did you mean {kind.gvk.kind}?" for kind in known if kind.gvk.kind.lower() == near), "")
    kinds = ", ".join(sorted({kind.gvk.kind for kind in known}))
    raise InputError(f"{text}: no prediction and no rule reads a kind {written}{suggestion or ';'} these are read: {kinds}")


def _short_names(kind: NameableKind, definitions: Definitions) -> Sequence[str]:
    definition = definitions.get(kind.gvk)
    return definition.short_names if definition is not None else ()


def _place(obj: JSONObject) -> tuple[str, str, str, str]:
    gvk = GroupVersionKind.from_object(obj)
    return (gvk.group, gvk.kind, namespace_of(obj), name_of(obj)) if gvk is not None else ("", "", "", "")
