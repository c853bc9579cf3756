"""Finds the objects of a reading that have changed since a commit, and their earlier forms."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter

from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.inputs.git import FileChange, History
from weighbridge.webhook.inputs.surroundings import place_of, places_of
from weighbridge.webhook.inputs.trees import Tree
from weighbridge.webhook.manifests import InputIssue, Manifest, Standing, documents, manifests, standing
from weighbridge.webhook.manifests.files import EXTENSIONS

#: Group, kind, namespace and name.
Identity = tuple[str, str, str, str]
#: An object, and its namespace if it names none.
Placed = tuple[JSONObject, str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether each object has changed, in their order, and all earlier objects.

    `were` are the earlier forms of changed objects, and `gone` the removed ones.
    """

    is_changed: tuple[bool, ...]
    before: tuple[Placed, ...]
    were: tuple[Placed, ...]
    gone: tuple[Placed, ...]


class Comparer:
    """Compares the present files with their earlier content in Git. `namespace_of` gives the namespace of a file's objects that name none.

    A rendered object has changed if one of the files has changed from which it is rendered; the tree knows these files.
    """

    def __init__(self, history: History, paths: Sequence[str], namespace_of: Callable[[str], str], tree: Tree) -> None:
        self._history = history
        self._root = os.path.realpath(history.root)
        self._now = {change.path: change for change in history.changes if change.path}
        self._places = [os.path.realpath(path) for path in paths]
        self._namespace_of = namespace_of
        self._is_changed: dict[str, bool] = {}
        self._built = tree.built
        self._parts = frozenset(map(os.path.realpath, tree.parts))

    def has_changed(self, source: str) -> bool:
        """Whether a file has changed. A file that Git doesn't track counts as changed."""
        found = self._is_changed.get(source)
        if found is None and source in self._built:
            made_of = self._built[source].sources | self._built[source].because
            found = self._is_changed[source] = self._has_changed_below(map(self._path_of, made_of))
        elif found is None:
            path = self._path_of(source)
            found = self._is_changed[source] = path in self._now or path not in self._history.followed
        return found

    def _has_changed_below(self, paths: Iterable[str]) -> bool:
        """Whether one of some files has changed, or a file in one of some folders."""
        changed = {path for change in self._history.changes for path in (change.path, change.old_path) if path}
        folders = {os.path.dirname(path) for path in changed}
        above = changed | {parent for folder in folders for parent in _with_parents(folder)}
        return any(path in above for path in paths)

    def compared(self, given: Sequence[Manifest]) -> Comparison:
        """Compare the given objects with those that were in the same files, or in files that were removed or moved."""
        then: defaultdict[Identity, list[Placed]] = defaultdict(list)
        # The order of the files decides which of two files with the same object counts, now and before.
        before: list[tuple[list[str], Placed]] = []
        for change in self._history.changes:
            if change.old_path and self._is_meant(change):
                path = os.path.join(self._root, change.old_path)
                namespace, place = self._namespace_of(path), place_of(path)
                for obj in _objects_of(change):
                    then[_identity(obj, namespace)].append((obj, namespace))
                    before.append((place, (obj, namespace)))
        places = places_of(manifest.document.source for manifest in given)
        is_changed: list[bool] = []
        left: set[Identity] = set()
        is_same: set[Identity] = set()
        for manifest in given:
            source = manifest.document.source
            namespace = self._namespace_of(source)
            identity = _identity(manifest.value, namespace)
            left.add(identity)
            is_of_changed_file = self.has_changed(source)
            is_changed.append(is_of_changed_file and all(manifest.value != obj for obj, _ in then.get(identity, ())))
            if not is_changed[-1]:
                is_same.add(identity)
            if not is_of_changed_file:
                before.append((places[source], (manifest.value, namespace)))
        before.sort(key=itemgetter(0))
        gone = [obj for identity, objects in then.items() if identity not in left for obj in objects]
        were = [obj for identity, objects in then.items() if identity not in is_same for obj in objects]
        return Comparison(tuple(is_changed), tuple(placed for _, placed in before), tuple(were), tuple(gone))

    def _path_of(self, source: str) -> str:
        """The path of a file in the repository; empty if it isn't in the repository."""
        whole, below = os.path.realpath(source), os.path.join(self._root, "")
        return whole.removeprefix(below) if source != "-" and whole.startswith(below) else ""

    def _is_meant(self, change: FileChange) -> bool:
        """Whether the command names an earlier file."""
        whole = os.path.join(self._root, change.old_path)
        if whole in self._parts:
            return False
        if not change.old_path.endswith(EXTENSIONS) or any(part.startswith(".") for part in change.old_path.split("/")[:-1]):
            return False
        return any(whole == place or whole.startswith(os.path.join(place, "")) for place in self._places)


def _with_parents(folder: str) -> Iterable[str]:
    while folder:
        yield folder
        folder = os.path.dirname(folder)


def _identity(obj: JSONObject, namespace: str) -> Identity:
    gvk = GroupVersionKind.from_object(obj) or GroupVersionKind("", "", "")
    return gvk.group, gvk.kind, namespace_of(obj) or namespace, name_of(obj)


def _objects_of(change: FileChange) -> Iterable[JSONObject]:
    for document in documents(change.old_path, change.old_data):
        if standing(document) is Standing.MANIFEST:
            yield from (found.value for found in manifests(document) if not isinstance(found, InputIssue))
