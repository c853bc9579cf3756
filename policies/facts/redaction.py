"""Removes names and secrets from a snapshot.

Nodes, namespaces and objects get numbers, the same wherever they are named; identifiers, private hosts and their paths too
(`policies/facts/addresses.py`). The vocabulary of the cluster is kept: names of classes, CRDs, labels, resources, device attributes.
Annotations are removed, except those that placement reads. Every text that can be a secret is blanked, and `blanks` says where.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts.addresses import HOST_FIELDS, Addresses
from weighbridge.policies.facts.autoscaling.cluster_autoscaler import is_status, without_names
from weighbridge.policies.facts.blanks import NOTHING, Needed, blanked
from weighbridge.policies.facts.document import Blanks, GroupKind
from weighbridge.policies.facts.kept_parts import trim
from weighbridge.policies.facts.read_fields import READ_FIELDS, is_read
from weighbridge.policies.facts.selectors import NAMESPACE_NAME
from weighbridge.policies.facts.vocabulary import ARGUMENTS, last_word
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, Path, field, metadata_of, name_of, namespace_of

#: Kinds whose names are words from which objects choose. They don't show whose cluster it is.
_VOCABULARY: Final = frozenset({"CustomResourceDefinition", "DeviceClass", "RuntimeClass", "PriorityClass", "StorageClass", "CSIDriver"})
#: These kinds and nodes can have no secrets once they are trimmed; the same is true of the kinds of `READ_FIELDS`.
_SAFE: Final = frozenset(
    {("", "Node"), ("", "Namespace"), ("storage.k8s.io", "CSINode"), ("apiextensions.k8s.io", "CustomResourceDefinition")}
)
_METADATA: Final = ("name", "namespace", "labels", "uid", "creationTimestamp", "deletionTimestamp", "generation", "ownerReferences")
_HOSTNAME: Final = "kubernetes.io/hostname"
_QUEUED: Final = ("scheduling.volcano.sh/queue-name", "scheduling.k8s.io/group-name")
#: Texts that are read of all kinds: the annotations by which Volcano finds the queue and the group of pods, and the queues themselves.
_OF_ALL: Final = Needed(
    fields=frozenset(f"annotations.{key}" for key in ("scheduling.volcano.sh/group-min-member", *_QUEUED)),
    references=frozenset(f"annotations.{key}" for key in _QUEUED),
    names=frozenset({"default", "root"}),
)
#: The fields of queues that name other queues, or cohorts.
_OF_QUEUES: Final = Needed(
    references=frozenset(f"spec.{field}" for field in ("clusterQueue", "cohort", "cohortName", "parent", "parentName", "queue"))
)
_QUEUE_GROUPS: Final = frozenset({"kueue.x-k8s.io", "scheduling.volcano.sh"})
#: The text of an annotation that a family reads.
_WORD: Final = expression(r"[A-Za-z]{1,8}")
#: The claim in the URI of a volume: ``pvc://claim/path``, ``pvc://namespace:claim/path``.
_CLAIM: Final = expression(r"(?<=^pvc://)(?:([^/:]+):)?([^/:]+)")


class Redaction:
    """New names for the old ones of the objects that are redacted.

    `needed` has, for each kind, the texts that could be secrets but that rules read; `definitions` are the CRDs of these kinds.
    """

    def __init__(
        self, objects: Iterable[JSONObject], needed: Mapping[GroupKind, Needed] | None = None, definitions: Definitions | None = None
    ) -> None:
        self._needed = needed or {}
        self._own_words = _OF_ALL.names.union(*(kind.names for kind in self._needed.values()))
        self._definitions = definitions or Definitions()
        self._nodes: dict[str, str] = {}
        self._namespaces: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._identifiers: dict[str, str] = {}
        self._addresses = Addresses(self._names, self._namespaces)
        self.blanks: list[Blanks] = []
        for obj in objects:
            self._number(obj)

    def _number(self, obj: JSONObject) -> None:
        kind, name, namespace = obj.get("kind"), name_of(obj), namespace_of(obj)
        if namespace:
            self._namespaces.setdefault(namespace, f"namespace-{len(self._namespaces) + 1}")
        if kind == "Namespace":
            self._namespaces.setdefault(name, f"namespace-{len(self._namespaces) + 1}")
        elif kind == "Node":
            self._nodes.setdefault(name, f"node-{len(self._nodes) + 1}")
            hostname = (metadata_of(obj).get("labels") or {}).get(_HOSTNAME)
            if isinstance(hostname, str):
                self._nodes.setdefault(hostname, self._nodes[name])
        elif kind not in _VOCABULARY and name and name not in self._own_words and not is_status(obj):
            self._names.setdefault(name, f"{str(kind).lower()}-{len(self._names) + 1}")

    def node(self, name: str) -> str:
        """The new name of a node. A node that isn't among the objects gets one too."""
        return self._nodes.setdefault(name, f"node-{len(self._nodes) + 1}")

    def redact(self, obj: JSONObject) -> JSONObject:
        """The object without secrets and under its new name, with new names wherever it refers to others."""
        trimmed = without_names(trim(obj))
        if is_status(trimmed):
            return trimmed
        gvk = GroupVersionKind.from_object(trimmed)
        group_kind = (gvk.group, gvk.kind) if gvk is not None else ("", str(trimmed.get("kind")))
        needed = self._needed.get(group_kind, _OF_QUEUES if group_kind[0] in _QUEUE_GROUPS else NOTHING) | _OF_ALL
        paths: list[Path] = []
        safe = {key: value for key, value in trimmed.items() if key != "metadata"}
        if group_kind not in _SAFE and group_kind not in READ_FIELDS:
            definition = self._definitions.get(gvk) if gvk is not None else None
            safe, paths = blanked(safe, needed, definition.openapi_schema if definition is not None else None)
        metadata = _metadata(metadata_of(trimmed), group_kind, needed)
        if metadata_of(trimmed).get("annotations", {}) != metadata.get("annotations", {}):
            paths.append(("metadata", "annotations"))
        redacted = {"apiVersion": obj.get("apiVersion"), "kind": obj.get("kind")}
        redacted["metadata"] = self._renamed(obj, self._value(metadata, "", needed.references))
        redacted |= self._definition(safe) if group_kind[1] == "CustomResourceDefinition" else self._value(safe, "", needed.references)
        if paths:
            self.blanks.append(Blanks(group_kind, namespace_of(redacted), name_of(redacted), tuple(map(field, paths))))
        return redacted

    def _definition(self, safe: JSONObject) -> JSONObject:
        """A CRD. Its schema has only public names, but its webhook's namespace is renamed."""
        spec = part(safe, "spec")
        return {**safe, "spec": {**spec, "conversion": self._value(spec["conversion"], "", frozenset())}} if "conversion" in spec else safe

    def _renamed(self, obj: JSONObject, metadata: JSONObject) -> JSONObject:
        """The metadata with the object's new name, or with its old one if that is vocabulary of the cluster."""
        kind, name = obj.get("kind"), name_of(obj)
        names = {"Node": self._nodes, "Namespace": self._namespaces}.get(str(kind))
        if names is not None:
            return {**metadata, "name": names.get(name, name)}
        return {**metadata, "name": name} if kind in _VOCABULARY else metadata

    def _value(self, value: JSONValue, key: str, references: frozenset[str], above: str = "") -> JSONValue:
        """The redacted value of the field `key`, which is in the field `above`."""
        if isinstance(value, dict):
            # An expression on the label in which namespaces have their names.
            by_name = value.get("key") == NAMESPACE_NAME
            keys = {name: "namespaces" if by_name and name == "values" else name for name in value}
            return {name: self._value(inner, keys[name], references, key) for name, inner in value.items()}
        if isinstance(value, list):
            flags = [""] * len(value) if last_word(key) not in ARGUMENTS else _flags(value)
            return [self._value(item, key, references, flag or above) for item, flag in zip(value, flags, strict=True)]
        if not isinstance(value, str):
            return value
        if above in references and value != above:
            return self._flag(value, above)
        if f"{above}.{key}" in references and value and value not in self._own_words:
            # A referenced object has the same new name everywhere, even if it doesn't exist.
            return self._names.setdefault(value, f"object-{len(self._names) + 1}")
        return self._text(value, "name" if key in references else key)

    def _flag(self, argument: str, flag: str) -> str:
        """An argument with a flag and a name, or with the name alone."""
        given, equals, name = argument.rpartition("=")
        names = self._namespaces if flag.lower().endswith("namespace") else self._names
        return f"{given}{equals}{names.setdefault(name, f'object-{len(names) + 1}')}"

    def _text(self, text: str, key: str) -> str:
        if text in self._nodes:
            return self._nodes[text]
        if key in ("namespace", "namespaces", "namespaceRef", NAMESPACE_NAME) or key.endswith("Namespace"):
            return self._namespaces.get(text, text)
        if key in ("uid", "volumeHandle"):
            return self._identifiers.setdefault(text, f"{key.removeprefix('volume').lower()}-{len(self._identifiers) + 1}")
        if key.lower().endswith(("name", "ref")) and key not in HOST_FIELDS:
            return self._names.get(text, text)
        found = _CLAIM.sub(self._claim, text) if text.startswith("pvc://") else text
        return self._addresses.of(found, key)

    def _claim(self, found: re.Match[str]) -> str:
        namespace, claim = found[1], self._names.get(found[2], found[2])
        return f"{self._namespaces.get(namespace, namespace)}:{claim}" if namespace else claim


def _flags(arguments: Sequence[JSONValue]) -> list[str]:
    """For each argument the flag whose value it has, with two dashes; empty if it has none."""
    found, before = [], ""
    for argument in arguments:
        flag, equals, _ = argument.partition("=") if isinstance(argument, str) else ("", "", "")
        named = f"--{flag.lstrip('-')}" if flag.startswith("-") else ""
        found.append(named if equals else before)
        before = named if not equals else ""
    return found


def _metadata(metadata: JSONObject, group_kind: tuple[str, str], needed: Needed) -> JSONObject:
    """The kept part of an object's metadata. It has the annotations that placement reads, and those that a family needs."""
    kept: JSONObject = {key: metadata[key] for key in _METADATA if key in metadata}
    annotations = metadata.get("annotations")
    found = annotations if isinstance(annotations, dict) else {}
    # A node has only the annotations of HAMi here, and loses the ids of devices.
    is_node = group_kind == ("", "Node")
    read = {key: text for key, text in found.items() if is_node or is_read(*group_kind, key) or _is_needed(key, text, needed)}
    return {**kept, "annotations": read} if read else kept


def _is_needed(key: str, text: JSONValue, needed: Needed) -> bool:
    """Whether a family reads an annotation: as a field whose text isn't a secret, or as a word."""
    return f"annotations.{key}" in needed.fields or (key in needed.annotations and isinstance(text, str) and bool(_WORD.fullmatch(text)))
