"""Finds the users of an object: the families' objects that would change without it, and the fields that name it.

An object uses another one if its prediction or its placement would differ without it, or if a field of the object, or of what its operator
creates, names it. A field counts only if its name says which kind it names (Kubernetes v1.36, core/v1 and storage/v1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families import families
from weighbridge.policies.families.family import Family, Kind
from weighbridge.policies.ground.objects import JSONObject, JSONValue, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.verdict.changes import Change, others_impacts
from weighbridge.policies.verdict.impact import Impact, resolved

_Place = tuple[str, str, str, str]
_CLAIM: Final = "persistentVolumeClaim.claimName"
#: By group and kind, the fields that name an object of the kind: the last two steps of a field's path, or the last one.
_NAMING: Final[Mapping[tuple[str, str], frozenset[str]]] = {
    ("", "ConfigMap"): frozenset({"configMapKeyRef.name", "configMapRef.name", "configMap.name"}),
    ("", "PersistentVolumeClaim"): frozenset({_CLAIM}),
    ("", "PersistentVolume"): frozenset({"volumeName"}),
    ("scheduling.k8s.io", "PriorityClass"): frozenset({"priorityClassName"}),
    ("node.k8s.io", "RuntimeClass"): frozenset({"runtimeClassName"}),
    ("storage.k8s.io", "StorageClass"): frozenset({"storageClassName", "storageClass"}),
    ("resource.k8s.io", "DeviceClass"): frozenset({"deviceClassName"}),
    ("resource.k8s.io", "ResourceClaim"): frozenset({"resourceClaimName"}),
    ("resource.k8s.io", "ResourceClaimTemplate"): frozenset({"resourceClaimTemplateName"}),
}


@dataclass(frozen=True, slots=True)
class Use:
    """One object that uses another: the fields that name it, as ``Deployment/x spec.a``, and what would change without it."""

    object: JSONObject
    fields: Sequence[str]
    without: Impact | None

    def as_json(self) -> JSONObject:
        """The use as it is in reports."""
        named = {"kind": self.object.get("kind"), "namespace": namespace_of(self.object), "name": name_of(self.object)}
        return {**named, "fields": list(self.fields), "without": self.without.as_json() if self.without is not None else None}


def uses(change: Change, before: Facts, after: Facts, config: Configuration) -> list[Use]:
    """The users of the object that the change deletes, sorted by kind, namespace and name. The cost is linear in the known objects."""
    lost = {_place(impact.object): impact for impact in others_impacts([change], before, after, config) if impact.differs}
    named = {_place(obj): (obj, fields) for obj, fields in _naming(change, before, config)}
    found = {place: Use(impact.object, named[place][1] if place in named else (), impact) for place, impact in lost.items()}
    found |= {place: Use(obj, fields, None) for place, (obj, fields) in named.items() if place not in lost}
    return [found[place] for place in sorted(found, key=lambda place: (place[1], *place))]


def _naming(change: Change, facts: Facts, config: Configuration) -> Iterator[tuple[JSONObject, Sequence[str]]]:
    """The families' objects with fields that name the object, by themselves or by what is created for them."""
    keys = _NAMING.get((change.gvk.group, change.gvk.kind), frozenset())
    namespace, name = change.place[2], change.place[3]
    for family, kind in _all_kinds() if keys else ():
        for obj in facts.objects.list(kind.gvk.group, kind.gvk.kind, namespace if namespace and kind.namespaced else None):
            fields = list(dict.fromkeys(_named_in(family, kind, obj, facts, config, keys, name)))
            if fields:
                yield obj, fields


def _named_in(
    family: Family, kind: Kind, obj: JSONObject, facts: Facts, config: Configuration, keys: frozenset[str], name: str
) -> Iterator[str]:
    for field in _fields(obj.get("spec"), "spec", keys, name):
        yield f"{kind.gvk.kind} {field}"
    found = resolved(kind, obj, family, facts, config.within(namespace_of(obj)))
    for made in found.objects if found is not None else ():
        for field in _fields(made.get("spec"), "spec", keys, name):
            yield f"{made.get('kind')}/{name_of(made)} {field}"


def _fields(value: JSONValue, path: str, keys: frozenset[str], name: str) -> Iterator[str]:
    """The paths of all fields with these names that have the name as their value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _fields(inner, f"{path}.{key}", keys, name)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _fields(inner, f"{path}[{index}]", keys, name)
    elif value == name:
        above, _, last = path.rpartition(".")
        if last in keys or f"{above.rpartition('.')[2]}.{last}" in keys:
            yield path
    elif isinstance(value, str) and _CLAIM in keys and _claim_of(value) == name:
        yield path


def _claim_of(uri: str) -> str:
    """The claim in ``pvc://[NAMESPACE:]NAME/PATH``, as LLMKube, OME and AIM write it; empty for another URI."""
    scheme, _, rest = uri.partition("://")
    return rest.partition("/")[0].rpartition(":")[2] if scheme == "pvc" else ""


def _all_kinds() -> Iterator[tuple[Family, Kind]]:
    return ((family, kind) for family in families() for kind in family.kinds)


def _place(obj: JSONObject) -> _Place:
    return str(obj.get("apiVersion", "")).rpartition("/")[0], str(obj.get("kind")), namespace_of(obj), name_of(obj)
