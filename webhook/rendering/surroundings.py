"""The references of delivery objects in the tree: files below the root of their repository, and ConfigMaps."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.webhook.cache.inputs import was_looked_for
from weighbridge.webhook.manifests import Manifest


class Surroundings:
    """The tree around delivery objects."""

    def __init__(self, manifests: Iterable[Manifest]) -> None:
        self._objects: dict[tuple[str, str, str], list[Manifest]] = {}
        for manifest in manifests:
            kind = manifest.value.get("kind")
            if kind in {"ConfigMap", "HelmChart"}:
                self._objects.setdefault((str(kind), namespace_of(manifest.value), name_of(manifest.value)), []).append(manifest)
        self._roots: dict[str, str] = {}

    def data(self, namespace: str, name: str, near: str) -> dict[str, str] | None:
        """The data of a ConfigMap; `None` if it isn't in the tree, or if it isn't clear which of several is meant."""
        found = self.named("ConfigMap", namespace, name, near)
        return None if found is None else text_map(found, "data")

    def named(self, kind: str, namespace: str, name: str, near: str) -> JSONObject | None:
        """An object of the tree; if there are several, such as one for each cluster, the one nearest to a file."""
        found = [one for place in dict.fromkeys((namespace, "")) for one in self._objects.get((kind, place, name), ())]
        if not found:
            return None
        nearness = [_shared(one.document.source, near) for one in found]
        nearest = [one.value for one, steps in zip(found, nearness, strict=True) if steps == max(nearness)]
        return nearest[0] if all(one == nearest[0] for one in nearest) else None

    def root(self, source: str) -> str:
        """The folder to which paths in an object are relative: the top of its file's repository, or else the current folder."""
        folder = os.path.dirname(source) or os.curdir
        if folder not in self._roots:
            self._roots[folder] = _root(folder)
        return self._roots[folder]

    def path(self, given: str, source: str, below: str = "") -> str:
        """A path that an object names, from the root or a folder `below` it, as shown; empty if it is missing or outside of the root."""
        root = self.root(source)
        start = below if below and not given.startswith("/") else root
        path = os.path.normpath(os.path.join(start, given.lstrip("/")))
        is_there = os.path.exists(path)
        was_looked_for(path, is_there=is_there)
        return path if is_there and _is_below(path, root) else ""


def _root(folder: str) -> str:
    there = os.path.normpath(folder)
    for _ in os.path.abspath(folder).split(os.sep):
        mark = os.path.join(there, ".git")
        is_there = os.path.exists(mark)
        was_looked_for(mark, is_there=is_there)
        if is_there:
            return there
        there = os.path.normpath(os.path.join(there, os.pardir))
    return os.curdir


def _is_below(path: str, root: str) -> bool:
    """Whether a path is in a folder, after following links: a manifest must not cause other files to be read."""
    top = os.path.realpath(root)
    return os.path.commonpath((os.path.realpath(path), top)) == top


def _shared(one: str, other: str) -> int:
    """The number of common leading names of two files' folders."""
    pairs: Sequence[tuple[str, str]] = list(zip(_steps(one), _steps(other), strict=False))
    return next((number for number, (left, right) in enumerate(pairs) if left != right), len(pairs))


def _steps(source: str) -> list[str]:
    return os.path.normpath(source).split(os.sep)
