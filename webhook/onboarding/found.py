"""Finds what a repository has: manifests of the families, snapshots, configurations, unreadable texts, and where it runs its checks."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from weighbridge.policies.facts.document import is_snapshot
from weighbridge.policies.families import family_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.inputs.manifest_reader import read
from weighbridge.webhook.inputs.repositories import origin_of
from weighbridge.webhook.inputs.trees import tree_of
from weighbridge.webhook.manifests import InputIssue, IssueKind, Manifest
from weighbridge.webhook.selection.selection import Selection
from weighbridge.webhook.texts.streams import as_text

GROUP: Final = "weighbridge.dev/"
#: The systems that may run a repository's checks, by the path that shows them.
_SIGNS: Final = {"pre-commit": ".pre-commit-config.yaml", "github": ".github", "gitlab": ".gitlab-ci.yml"}


@dataclass(frozen=True, slots=True)
class Found:
    """What a repository has. `objects` counts the families' objects by the family's name; paths are relative to the repository."""

    objects: Mapping[str, int]
    snapshots: Sequence[str]
    configurations: Sequence[str]
    unreadable: Sequence[str]
    doors: frozenset[str]

    @property
    def excluded(self) -> Sequence[str]:
        """The files that shouldn't be judged."""
        return [*self.snapshots, *self.unreadable]


def found_in(folder: str) -> Found:
    """What a repository has, with its charts and overlays rendered. Files that its ignore files name are left out. Raises InputError."""
    reading = tree_of(read([folder], selection=Selection([], is_forced=False)), [folder], "default").reading
    objects: Counter[str] = Counter()
    of_ours: dict[str, list[str]] = {"Snapshot": [], "Configuration": []}
    unreadable: list[str] = []
    for entry in reading.entries:
        if isinstance(entry, InputIssue):
            # For a folder without manifests the issue names the folder.
            if entry.kind is IssueKind.ERROR and (path := _within(folder, entry.source)) != ".":
                unreadable.append(path)
            continue
        source = _within(folder, entry.document.source)
        if is_snapshot(entry.document.value):
            of_ours["Snapshot"].append(source)
        elif entry.value.get("kind") == "Configuration" and str(entry.value.get("apiVersion")).startswith(GROUP):
            of_ours["Configuration"].append(source)
        elif family := _family(entry):
            objects[family] += 1
    first = {kind: tuple(dict.fromkeys(paths)) for kind, paths in of_ours.items()}
    doors = frozenset(door for door, sign in _SIGNS.items() if os.path.exists(os.path.join(folder, sign))) | _forge(folder)
    return Found(objects, first["Snapshot"], first["Configuration"], tuple(dict.fromkeys(unreadable)), doors)


def _family(entry: Manifest) -> str:
    version = entry.value.get("apiVersion")
    family = family_of(version.partition("/")[0]) if isinstance(version, str) and "/" in version else None
    return family.name if family is not None else ""


def _within(folder: str, path: str) -> str:
    return as_text(os.path.relpath(path, folder)).replace(os.sep, "/")


def _forge(folder: str) -> frozenset[str]:
    """The forge of a repository."""
    host = origin_of(folder)
    return frozenset(name for name in ("github", "gitlab") if name in host)
