"""The objects around the judged ones: those to which they may refer and that aren't judged themselves."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from weighbridge.webhook.inputs.manifest_reader import files
from weighbridge.webhook.manifests import InputIssue, Manifest, Standing, documents, manifests, standing
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import as_text, warn

if TYPE_CHECKING:
    from weighbridge.webhook.selection.selection import Selection


#: Last parts of paths that aren't names.
_NO_NAMES = frozenset({"", os.curdir, os.pardir})
#: The parts of the root.
_ROOT = ["", ""]


def place_of(path: str) -> list[str]:
    """The sort key of files: their folders and their name, one by one, in the order of a search."""
    return os.path.realpath(path).split(os.sep)


def places_of(paths: Iterable[str]) -> dict[str, list[str]]:
    """The real path of each file, as a list of names. Each folder is looked up once, for any number of its files."""
    folders: dict[str, list[str]] = {}
    found = {}
    for path in dict.fromkeys(paths):
        folder, name = os.path.split(path)
        if name in _NO_NAMES or os.path.islink(path):
            found[path] = place_of(path)
            continue
        if folder not in folders:
            folders[folder] = [] if (above := place_of(folder)) == _ROOT else above
        found[path] = [*(folders[folder] or [""]), name]
    return found


def in_order(known: Iterable[Manifest]) -> list[Manifest]:
    """The objects in the order in which one run over all of their files finds them; if an object is in two files, the later one counts."""
    objects = list(known)
    places = places_of(manifest.document.source for manifest in objects)
    return sorted(objects, key=lambda manifest: places[manifest.document.source])


def read_surroundings(paths: Sequence[str], judged: Iterable[str], selection: Selection | None) -> list[Manifest]:
    """The objects of the files that `--context` names, without the files that are `judged`. Raises InputError.

    Files that can't be read there are left out with a warning, since they aren't new.
    """
    for path in paths:
        if not os.path.lexists(path):
            raise InputError(f"--context {as_text(path)}: no such file or folder; name one whose objects the judged ones may refer to")
    known = set(map(os.path.realpath, judged))
    found: list[Manifest] = []
    for source in files(paths, selection=selection):
        if isinstance(source, InputIssue):
            warn(f"{source}; this isn't known to what is judged")
        elif os.path.realpath(source.path) not in known:
            for document in documents(source.name, source.data):
                what = standing(document)
                if what is Standing.UNREADABLE:
                    warn(f"{document.errors[0]}; this document isn't known to what is judged")
                elif what is Standing.MANIFEST:
                    found += [entry for entry in manifests(document) if isinstance(entry, Manifest)]
    return found
