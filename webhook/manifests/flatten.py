"""From documents to objects: splits lists, and recognises documents that aren't manifests.

For kubectl every object with a top-level `items` is a list, whatever its kind, and items of a typed list get a missing kind from it.
Source: k8s.io/apimachinery v0.36 unstructured/helpers.go. Repositories also hold values files, Helm templates and other YAML; those are
recognised so that a linter can skip them.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, Path, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.manifests.documents import ABSENT, Document, InputIssue, Position, Span

_HELM: Final = expression(
    rb"\{\{-?\s*(?:(?:include|template|define|toYaml|required)\b|[^}\n]*\.(?:Values|Release|Chart|Capabilities|Files|Template)\b)",
)

_ACTION: Final = expression(rb"\{\{-?\s*[^{}\s][^{}]*\}\}")


_TYPED_BY: Final = ("apiVersion", "kind")
_LIST: Final = "kubectl takes one object a document, not a list: divide it by '---' lines, or make it the items of a List of v1"


class Standing(StrEnum):
    """What a linter does with a document."""

    MANIFEST = "manifest"
    EMPTY = "empty"
    TEMPLATE = "template"
    OTHER = "not a manifest"
    UNREADABLE = "unreadable"


def standing(document: Document) -> Standing:
    """Classify a document.

    Unreadable text with an action of a template, or text that uses names of Helm, is a template. An object that has metadata or a spec but
    lacks one of apiVersion and kind is a manifest, though a broken one, and so is a top-level list with an object that has both. Anything
    else isn't a manifest.
    """
    if document.contains(b"{{"):
        pattern = _ACTION if document.value is ABSENT else _HELM
        if pattern.search(document.text.data, *document.stretch):
            return Standing.TEMPLATE
    value = document.value
    if value is ABSENT:
        return Standing.UNREADABLE
    if value is None:
        return Standing.EMPTY
    return Standing.MANIFEST if _is_manifest(value) else Standing.OTHER


def _is_manifest(value: JSONValue) -> bool:
    if isinstance(value, list):
        return any(isinstance(item, dict) and all(_typed_by(item)) for item in value)
    if not isinstance(value, dict):
        return False
    typed = _typed_by(value)
    return all(typed) or (any(typed) and any(isinstance(value.get(key), dict) for key in ("metadata", "spec")))


def _typed_by(value: JSONObject) -> list[bool]:
    """Whether an object has an apiVersion, and whether it has a kind."""
    return [isinstance(value.get(key), str) and bool(value[key]) for key in _TYPED_BY]


@dataclass(frozen=True, slots=True)
class Manifest:
    """One object: a document, or an item of a list (`prefix` is the path to it)."""

    document: Document
    value: JSONObject
    prefix: Path = ()

    def span(self, path: Path = ()) -> Span:
        """The place of a field of the object, by the rules of `Document.span`."""
        return self.document.span(self.prefix + path)

    def position(self, path: Path = ()) -> Position:
        """The start of `span(path)`."""
        return self.document.position(self.prefix + path)

    @property
    def label(self) -> str:
        """The object as reports name it: `Kind namespace/name`, without missing parts."""
        kind = self.value.get("kind")
        name = name_of(self.value)
        if not name:
            generated = metadata_of(self.value).get("generateName")
            name = f"{generated}*" if isinstance(generated, str) and generated else ""
        namespace = namespace_of(self.value)
        return " ".join(part for part in (kind if isinstance(kind, str) else "", f"{namespace}/{name}" if namespace else name) if part)


def _issue(document: Document, path: Path, message: str) -> InputIssue:
    place = document.position(path)
    return InputIssue(document.source, place.line, place.column, message)


def _problem(value: JSONValue) -> str:
    """Why kubectl refuses an object before it calls the server; empty if it doesn't."""
    if not isinstance(value, dict):
        return "an item of a list must be an object"
    missing = [_not_set(key, value) for key, there in zip(_TYPED_BY, _typed_by(value), strict=True) if not there]
    if missing:
        return ", ".join(missing)
    if GroupVersionKind.from_object(value) is None or value["apiVersion"].count("/") > 1:
        return f"apiVersion {quote(value['apiVersion'])} isn't a group and version: write GROUP/VERSION, or v1 for the core group"
    if "items" not in value or isinstance(value["items"], (list, type(None))):
        return ""
    return "items isn't a list: write a list, since kubectl reads every object with a top-level items as a List"


def _not_set(key: str, value: JSONObject) -> str:
    """kubectl's error for a key that is missing or isn't a text, with the key that may have been meant."""
    from weighbridge.policies.ground.spelling import closest

    if value.get(key) not in (None, ""):
        return f"{key} not set: it must be a text"
    near = closest(key, [other for other in value if other not in _TYPED_BY])
    return f"{key} not set" + (f": did you mean {key} by {near}?" if near else "")


def manifests(document: Document) -> Iterator[Manifest | InputIssue]:
    """The objects of a document, including items of nested lists, in the order of the text; and issues for those that kubectl refuses."""
    stack: list[tuple[JSONValue, Path]] = [(document.value, ())]
    while stack:
        value, path = stack.pop()
        problem = _LIST if isinstance(value, list) and not path else _problem(value)
        if problem:
            yield _issue(document, path, problem)
        elif "items" in value:
            items = value["items"] or []
            stack.extend((_typed(items[index], value), (*path, "items", index)) for index in range(len(items) - 1, -1, -1))
        else:
            yield Manifest(document, value, path)


def _typed(item: JSONValue, parent: JSONObject) -> JSONValue:
    """An item with the apiVersion and kind that its list's kind gives it, if it has neither."""
    if not isinstance(item, dict) or item.get("kind") or item.get("apiVersion"):
        return item
    kind = parent["kind"].removesuffix("List")
    return item | {"apiVersion": parent["apiVersion"], "kind": kind} if kind else item
