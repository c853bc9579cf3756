"""Reads the manifests that a command names; one that can't be read doesn't stop the others: it is returned as an issue.

It doesn't import the engine, since files without manifests don't need it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO, Final

from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.objects import field as field_text
from weighbridge.policies.ground.records import dataclass, field, replace
from weighbridge.webhook.manifests import (
    STDIN,
    Document,
    InputIssue,
    Manifest,
    PassedOver,
    Source,
    Standing,
    documents,
    manifests,
    sources,
    standing,
)
from weighbridge.webhook.manifests.errors import duplicate_key
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import as_text, warn

if TYPE_CHECKING:
    from weighbridge.webhook.selection.selection import Selection

#: The files that describe others; kustomize's have three names.
STRUCTURE: Final = frozenset({"Chart.yaml", "kustomization.yaml", "kustomization.yml", "Kustomization"})
_REASONS: Final = {
    Standing.EMPTY: "an empty document",
    Standing.TEMPLATE: "a template; lint what it renders to",
    Standing.OTHER: "not a Kubernetes object",
}


@dataclass(slots=True)
class Reading:
    """The content of a set of paths, in the order of the text.

    `not_manifests` are documents that aren't manifests, `not_read` the files and folders that weren't read or aren't judged by themselves.
    `structure` has the documents of charts and kustomizations, and `has_variables` says that a file contains `${`. `names` are the names of
    the files that were read.
    """

    entries: list[Manifest | InputIssue] = field(default_factory=list)
    not_manifests: list[tuple[Standing, PassedOver]] = field(default_factory=list)
    not_read: list[PassedOver] = field(default_factory=list)
    structure: list[Document] = field(default_factory=list)
    files: int = 0
    names: list[str] = field(default_factory=list)
    has_variables: bool = False

    @property
    def passed_over(self) -> list[Standing]:
        """The kinds of documents that aren't manifests."""
        return [what for what, _ in self.not_manifests]

    @property
    def left_out(self) -> list[PassedOver]:
        """All that isn't judged, except empty documents."""
        return [*(one for what, one in self.not_manifests if what is not Standing.EMPTY), *self.not_read]

    @property
    def manifests(self) -> Iterator[Manifest]:
        """The objects."""
        return (entry for entry in self.entries if isinstance(entry, Manifest))

    def first_error(self) -> InputIssue | None:
        """The first error of something that can't be read."""
        return next((entry for entry in self.entries if isinstance(entry, InputIssue)), None)


def read(paths: Sequence[str], stdin: BinaryIO | None = None, selection: Selection | None = None, stdin_name: str = "") -> Reading:
    """Read every manifest that the paths name; errors are among the entries. `stdin_name` is the name of the file for `-`."""
    found = files(paths, stdin, selection)
    # If the caller names all changed files, not all of them need to be manifests.
    is_meant = selection is None or not selection.is_forced
    named = frozenset(map(as_text, (*paths, stdin_name))) if is_meant else frozenset()
    # An editor's buffer may be empty; an empty pipe means that the command before it failed.
    reading = read_sources(_renamed(found, stdin_name) if stdin_name else without_empty_pipe(found), named=named)
    if selection is not None:
        reading.not_read += selection.left_out
    return reading


def objects_of(paths: Sequence[str], option: str) -> Sequence[Manifest]:
    """The objects of the files that an option names. Raises InputError if one can't be read, or none has an object."""
    reading = read(paths)
    if (issue := reading.first_error()) is not None:
        raise InputError(f"{issue} ({option})")
    found = list(reading.manifests)
    if paths and not found:
        raise InputError(f"{as_text(paths[0])}: no Kubernetes object in there ({option})")
    return found


def files(paths: Iterable[str], stdin: BinaryIO | None = None, selection: Selection | None = None) -> Iterator[Source | InputIssue]:
    """The files that the paths name; a warning says what is left out."""
    return sources(paths, stdin=stdin or sys.stdin.buffer, tell=warn, selection=selection)


def without_empty_pipe(found: Iterable[Source | InputIssue]) -> Iterator[Source | InputIssue]:
    """The files, with an error for standard input without content: `kubectl apply` refuses that too."""
    for source in found:
        is_empty = isinstance(source, Source) and not source.path and not source.data.strip()
        yield InputIssue(STDIN, 0, 0, "standard input is empty; check the command before the pipe") if is_empty else source


def _renamed(found: Iterable[Source | InputIssue], name: str) -> Iterator[Source | InputIssue]:
    """The files with the name of standard input, which replaces the file of that name."""
    place = os.path.realpath(name)
    for source in found:
        if isinstance(source, InputIssue):
            yield replace(source, source=as_text(name)) if source.source == STDIN else source
        elif not source.path:
            yield replace(source, name=as_text(name))
        elif os.path.realpath(source.path) != place:
            yield source


def read_sources(found: Iterable[Source | InputIssue], named: Collection[str] = ()) -> Reading:
    """The manifests in files whose bytes have been read; the `named` files must be manifests."""
    reading = Reading()
    for source in found:
        if isinstance(source, InputIssue):
            reading.entries.append(source)
            continue
        reading.files += 1
        reading.names.append(source.name)
        reading.has_variables = reading.has_variables or b"${" in source.data
        # A file whose name isn't text couldn't be found again.
        is_structure = os.path.basename(source.name) in STRUCTURE and os.path.exists(source.name)
        for document in documents(source.name, source.data):
            if is_structure and document.index == 0:
                reading.structure.append(document)
            _take(document, reading, is_named=source.name in named)
    return reading


def _take(document: Document, reading: Reading, *, is_named: bool) -> None:
    what = standing(document)
    if what is Standing.MANIFEST:
        found = list(manifests(document))
        reading.entries.extend(_issues_of_list(document, found))
        reading.entries.extend(found)
        return
    if what is Standing.UNREADABLE:
        issues = document.errors
        if document.source.endswith(".json"):
            issues = _of_json(document, issues, is_named=is_named)
        if issues:
            reading.entries.extend(issues)
            return
        what = Standing.OTHER
    line = document.begins.line if document.begins is not None else document.text.lines_before(document.stretch[0]) + 1
    reading.not_manifests.append((what, PassedOver(document.source, _REASONS[what], line)))


def _of_json(document: Document, issues: list[InputIssue], *, is_named: bool) -> list[InputIssue]:
    """The errors of a JSON file; none if it was found in a folder and isn't meant to be a manifest."""
    from weighbridge.webhook.manifests.commented_json import first_comment, is_other_json
    from weighbridge.webhook.manifests.lines import place_in

    data = document.text.data
    if not is_named and is_other_json(document.source, data):
        return []
    comment = first_comment(data)
    if comment < 0:
        return issues
    return [InputIssue(document.source, *place_in(data, comment), "JSON has no comments; take them out, or write the manifest in YAML")]


def _issues_of_list(document: Document, found: Sequence[Manifest | InputIssue]) -> Iterator[InputIssue]:
    """The errors of a list's text outside of its items, which nothing else checks: a repeated key hides items."""
    prefixes = {entry.prefix for entry in found if isinstance(entry, Manifest)}
    for path in document.duplicate_fields:
        if not any(path[:end] in prefixes for end in range(len(path))):
            place = document.position(path)
            yield InputIssue(document.source, place.line, place.column, duplicate_key(field_text(path)))
    if not prefixes:
        yield from document.errors


def duplicates_of(manifest: Manifest) -> list[Path]:
    """The fields that occur twice in the text of the object."""
    start = len(manifest.prefix)
    return [path[start:] for path in manifest.document.duplicate_fields if path[:start] == manifest.prefix and len(path) > start]


def text_issues(manifest: Manifest) -> list[InputIssue]:
    """The errors of the text of the object's document, except repeated fields, which the engine judges."""
    document = manifest.document
    duplicates = {duplicate_key(field_text(path)) for path in document.duplicate_fields}
    return [issue for issue in document.issues if issue.message not in duplicates]
