"""Takes names out of a snapshot: nodes, namespaces and objects are numbered, the same everywhere they are meant.

What the cluster's own vocabulary is stays: names of classes, CRDs, labels, resources, device attributes. Annotations go but for those that
say what an autoscaler's nodes will be, and so do identifiers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from policies.facts.autoscaling.cluster_autoscaler import is_status, without_names
from policies.facts.autoscaling.machine_groups import CAPACITY, MAXIMUM_SIZE
from policies.objects import JSONObject, JSONValue, metadata_of, name_of, namespace_of
from policies.selectors import NAMESPACE_NAME

#: Kinds whose names are words that objects choose from, and that say nothing of whose cluster it is.
_VOCABULARY: Final = frozenset(
    {"CustomResourceDefinition", "DeviceClass", "RuntimeClass", "PriorityClass", "StorageClass", "CSIDriver"},
)
_KEPT: Final = (CAPACITY, MAXIMUM_SIZE)
_HOSTNAME: Final = "kubernetes.io/hostname"


class Redaction:
    """New names for old, made from the objects that are to be redacted."""

    def __init__(self, objects: Iterable[JSONObject]) -> None:
        self._nodes: dict[str, str] = {}
        self._namespaces: dict[str, str] = {}
        self._names: dict[str, str] = {}
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
        elif kind not in _VOCABULARY and name and not is_status(obj):
            self._names.setdefault(name, f"{str(kind).lower()}-{len(self._names) + 1}")

    def redact(self, obj: JSONObject) -> JSONObject:
        """The object under its new name, with new names wherever it refers to others."""
        if obj.get("kind") in _VOCABULARY:
            return {**obj, "metadata": {"name": name_of(obj)}}
        obj = without_names(obj)
        if is_status(obj):
            return obj
        metadata = {key: value for key, value in metadata_of(obj).items() if key in ("name", "namespace", "labels")}
        annotations = metadata_of(obj).get("annotations")
        kept = {key: text for key, text in annotations.items() if key.startswith(_KEPT)} if isinstance(annotations, dict) else {}
        if kept:
            metadata["annotations"] = kept
        redacted: JSONObject = self._value({**obj, "metadata": metadata}, "")
        if obj.get("kind") == "Node":
            redacted["metadata"]["name"] = self._nodes[name_of(obj)]
        if obj.get("kind") == "Namespace":
            redacted["metadata"]["name"] = self._namespaces[name_of(obj)]
        return redacted

    def _value(self, value: JSONValue, key: str) -> JSONValue:
        if isinstance(value, dict):
            return {name: self._value(inner, name) for name, inner in value.items()}
        if isinstance(value, list):
            return [self._value(item, key) for item in value]
        return self._text(value, key) if isinstance(value, str) else value

    def _text(self, text: str, key: str) -> str:
        if text in self._nodes:
            return self._nodes[text]
        if key in ("namespace", NAMESPACE_NAME) or key.endswith("Namespace"):
            return self._namespaces.get(text, text)
        if key.lower().endswith(("name", "ref")):
            return self._names.get(text, text)
        return text
