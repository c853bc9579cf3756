"""Builds kustomizations with `kustomize` or `kubectl kustomize`, and traces fields of the output back to bases and patches.

The build uses a temporary kustomization outside of the tree, which makes kustomize write the origin of each object into an annotation.
These annotations are removed again.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import part, text, text_map
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, Path, lookup, metadata_of, name_of
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.webhook.manifests import ABSENT, Document, InputIssue, Manifest, documents, manifests
from weighbridge.webhook.rendering.built import BEGINNING, Built, Origin, Place
from weighbridge.webhook.rendering.kustomizations import Kustomization, Role
from weighbridge.webhook.rendering.programs import ended

_ORIGIN: Final = "config.kubernetes.io/origin"
_ORIGINS: Final = "buildMetadata"
_ANYWHERE: Final = ("--load-restrictor", "LoadRestrictionsNone")
_RESTRICTED: Final = "is not in or below"
_LONGEST_PROBLEM: Final = 400
_NOTHING: Final = object()
#: The form in which kubectl logs an error.
_LOGGED: Final = expression(r' err="((?:[^"\\]|\\.)*)"')


def program() -> tuple[str, ...]:
    """The program that builds, with its first arguments; empty if there is none."""
    found = shutil.which("kustomize")
    if found:
        return found, "build"
    found = shutil.which("kubectl")
    return (found, "kustomize") if found else ()


@dataclass(frozen=True, slots=True)
class _Failed:
    problem: str


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes of another object to a kustomization: the title of the result, and the fields of a kustomization around it.

    `because` are the files that say this.
    """

    title: str
    fields: JSONObject
    because: frozenset[str]


def built(
    root: Kustomization,
    parts: Sequence[Kustomization],
    read: Callable[[str], list[Document]],
    tool: tuple[str, ...],
    changes: Changes | None = None,
) -> Built | InputIssue:
    """Build a kustomization that consists of `parts`; `read` returns the documents of a file."""
    changes = changes or Changes(root.folder, {}, frozenset())
    with tempfile.TemporaryDirectory(prefix="weighbridge-") as made:
        outside = os.path.realpath(made)
        output = _output(root, outside, tool, changes.fields)
        if isinstance(output, _Failed):
            return InputIssue(root.file, 1, 1, f"kustomize can't build this: {output.problem}")
        patches = _Patches(parts, read)
        taken: list[Manifest] = []
        origins: dict[int, Origin] = {}
        for document in documents(changes.title, output):
            for manifest in manifests(document) if document.value is not None and document.value is not ABSENT else ():
                if isinstance(manifest, Manifest):
                    annotation = text_map(manifest.value, "metadata", "annotations").get(_ORIGIN, "")
                    origins[document.index] = _origin(annotation, outside, root, read, patches)
                    taken.append(replace(manifest, value=_without_origin(manifest.value)))
    folders = frozenset(one.folder for one in parts)
    sources = folders | {use.target for one in parts for use in one.uses}
    return Built(changes.title, taken, origins, sources, changes.because)


def _output(root: Kustomization, outside: str, tool: tuple[str, ...], fields: JSONObject) -> bytes | _Failed:
    there = os.path.realpath(root.folder)
    made = {**fields, "resources": [os.path.relpath(there, outside)], _ORIGINS: ["originAnnotations"]}
    with open(os.path.join(outside, "kustomization.yaml"), "w", encoding="utf-8") as stream:
        json.dump(made, stream)
    options: tuple[str, ...] = ()
    done = ended([*tool, outside], outside)
    if _RESTRICTED in done.problem:
        # Flux builds in this way, and so does Argo CD if configured.
        options = _ANYWHERE
        done = ended([*tool, *options, outside], outside)
    if not done.problem:
        return done.output
    if fields:
        return _Failed(_shortened(done.problem, there))
    # A direct build has better error messages.
    plain = ended([*tool, *options, there], there)
    if plain.problem:
        return _Failed(_shortened(plain.problem, there))
    if _ORIGINS in done.problem:
        # An old kubectl doesn't know the field that asks for origins.
        return plain.output
    # A program may also fail once, such as for lack of memory. Without origins, comments in the bases would be lost.
    again = ended([*tool, *options, outside], outside)
    return plain.output if again.problem else again.output


def _shortened(problem: str, folder: str) -> str:
    """The program's message on one line, with the tree's own paths."""
    logged = _LOGGED.search(problem)
    text = logged[1].replace('\\"', '"').replace("\\n", " ") if logged else problem
    line = (
        " ".join(text.split())
        .removeprefix("Error: ")
        .removeprefix("error: ")
        .replace(os.path.join(os.getcwd(), ""), "")
        .replace(folder, ".")
    )
    return line if len(line) <= _LONGEST_PROBLEM else f"{line[: _LONGEST_PROBLEM - 3]}..."


def _without_origin(value: JSONObject) -> JSONObject:
    metadata = metadata_of(value)
    annotations = {key: one for key, one in part(metadata, "annotations").items() if key != _ORIGIN}
    rest = {key: one for key, one in metadata.items() if key != "annotations"}
    return {**value, "metadata": {**rest, "annotations": annotations} if annotations else rest}


def _origin(annotation: str, outside: str, root: Kustomization, read: Callable[[str], list[Document]], patches: _Patches) -> Origin:
    """The origin of an object: the file of a resource, or the kustomization with its generator."""
    value: JSONValue = next((one.value for one in documents("", annotation.encode())), None)
    path = text(value, "path") or text(value, "configuredIn")
    if not path or text(value, "repo"):
        return _FromBase(root.file, (), patches)
    shown = _shown(os.path.normpath(os.path.join(outside, path)), root)
    return _FromBase(shown, tuple(read(shown)) if text(value, "path") else (), patches)


def _shown(path: str, root: Kustomization) -> str:
    """A path without links as the tree names it: relative to the named folder, if that was named by a relative path."""
    if os.path.isabs(root.folder):
        return path
    return os.path.normpath(os.path.join(root.folder, os.path.relpath(path, os.path.realpath(root.folder))))


@dataclass(frozen=True, slots=True)
class _FromBase:
    """An object of a file, changed by patches."""

    file: str
    documents: tuple[Document, ...]
    patches: _Patches

    def place(self, manifest: Manifest, path: Path) -> Place:
        base = self._base(manifest)
        value = lookup(manifest.value, path, _NOTHING)
        if value is not _NOTHING and (base is None or lookup(base.value, path, _NOTHING) != value):
            patched = self.patches.place(manifest, base, path, value)
            if patched is not None:
                return patched
        if base is None:
            return Place(self.file, BEGINNING)
        return Place(self.file, base.span(path), base.document.text_lines)

    def _base(self, manifest: Manifest) -> Manifest | None:
        """The object in its file: of this kind, and with the longest name that is a part of the final name."""
        kind, name = _kind(manifest.value), name_of(manifest.value)
        found = [one for document in self.documents for one in _objects(document) if _kind(one.value) == kind]
        named = [one for one in found if name_of(one.value) and name_of(one.value) in name]
        return max(named, key=lambda one: len(name_of(one.value)), default=found[0] if len(found) == 1 else None)


def _objects(document: Document) -> Iterator[Manifest]:
    if document.value is not None and document.value is not ABSENT:
        yield from (one for one in manifests(document) if isinstance(one, Manifest))


def _kind(value: JSONObject) -> tuple[str, str]:
    gvk = GroupVersionKind.from_object(value)
    return (gvk.group, gvk.kind) if gvk is not None else ("", "")


class _Patches:
    """The patches of a kustomization and its parts, read when a finding needs them."""

    def __init__(self, parts: Sequence[Kustomization], read: Callable[[str], list[Document]]) -> None:
        self._parts = parts
        self._read = read

    @cached_property
    def _documents(self) -> list[Document]:
        files = [use.target for one in self._parts for use in one.uses if use.role is Role.PATCH and os.path.isfile(use.target)]
        return [document for file in dict.fromkeys(files) for document in self._read(file)]

    def place(self, manifest: Manifest, base: Manifest | None, path: Path, value: JSONValue) -> Place | None:
        """The place where a patch sets a field to a value."""
        names = {name_of(one.value) for one in (manifest, base) if one is not None}
        for document in self._documents:
            where = _in_patch(document, _kind(manifest.value), names, path, value)
            if where is not None:
                return Place(document.source, document.span(where), document.text_lines)
        for one in self._parts:
            for index, entry in enumerate(one.value.get("patches") or ()):
                inline = text(entry, "patch")
                for document in documents("", inline.encode()) if inline else ():
                    if _in_patch(document, _kind(manifest.value), names, path, value) is not None:
                        return Place(one.file, one.document.span(("patches", index, "patch")), one.document.text_lines)
        return None


def _in_patch(document: Document, kind: tuple[str, str], names: set[str], path: Path, value: JSONValue) -> Path | None:
    """The path in a patch of the value that it sets; an operation of JSON Patch names its own path."""
    patch = document.value
    if isinstance(patch, dict):
        fits = _kind(patch) == kind and name_of(patch) in names
        return path if fits and lookup(patch, path, _NOTHING) == value else None
    for index, operation in enumerate(patch if isinstance(patch, list) else ()):
        steps = text(operation, "path").strip("/").split("/")
        own = tuple(step.replace("~1", "/").replace("~0", "~") for step in steps)
        rest = path[len(own) :]
        if tuple(map(str, path[: len(own)])) == own and lookup(part({"": operation}, "").get("value"), rest, _NOTHING) == value:
            return (index, "value", *rest)
    return None
