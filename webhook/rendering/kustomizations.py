"""The kustomization.yaml files of a tree: the files that they use, with their roles, and which kustomizations are built.

Source: sigs.k8s.io/kustomize/api v0.20, types/kustomization.go.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Final

from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.webhook.manifests import Document

NAMES: Final = ("kustomization.yaml", "kustomization.yml", "Kustomization")
GROUP: Final = "kustomize.config.k8s.io"
#: The reason why a kustomization isn't judged.
OWN_FILE: Final = "kustomize's own file"


class Role(StrEnum):
    """The role of a file or folder in a kustomization."""

    RESOURCE = "resource"
    COMPONENT = "component"
    PATCH = "patch"
    GENERATOR = "generator"
    TRANSFORMER = "transformer"
    VALIDATOR = "validator"
    CONFIGURATION = "configuration"
    CONTENT = "content of a generated object"


@dataclass(frozen=True, slots=True)
class Use:
    """A file or folder that a kustomization names in the field at `path`; `target` is its path, or the `given` text if it is remote."""

    role: Role
    given: str
    target: str
    path: Path

    @property
    def is_remote(self) -> bool:
        """Whether it would be downloaded."""
        host = self.given.partition("/")[0]
        looks_remote = "://" in self.given or "?ref=" in self.given or self.given.startswith("git@") or host in {"github.com", "gitlab.com"}
        return looks_remote and not os.path.exists(self.target)


@dataclass(frozen=True, slots=True)
class Kustomization:
    """One file, read: its folder and what it uses. `inflates` says that it renders charts by Helm."""

    folder: str
    document: Document
    uses: tuple[Use, ...]

    @property
    def file(self) -> str:
        """Its file as shown."""
        return self.document.source

    @property
    def value(self) -> JSONObject:
        """What it says."""
        return self.document.value if isinstance(self.document.value, dict) else {}

    @property
    def is_component(self) -> bool:
        """Whether it is a component, which can't be built by itself."""
        return self.value.get("kind") == "Component"

    @property
    def inflates(self) -> bool:
        """Whether it renders a chart, which kustomize does only with a flag."""
        return bool(self.value.get("helmCharts") or self.value.get("helmChartInflationGenerator"))


@dataclass(slots=True)
class Tree:
    """All kustomizations by their folders; `load` reads one that wasn't added."""

    load: Callable[[str], Document | None]
    _known: dict[str, Kustomization | None] = field(default_factory=dict)

    def add(self, document: Document) -> None:
        """Add a file that was read."""
        folder = os.path.normpath(os.path.dirname(document.source) or os.curdir)
        self._known.setdefault(folder, _kustomization(folder, document))

    def of(self, folder: str) -> Kustomization | None:
        """The kustomization of a folder."""
        if folder not in self._known:
            document = self.load(folder)
            self._known[folder] = _kustomization(folder, document) if document is not None else None
        return self._known[folder]

    def given(self) -> list[Kustomization]:
        """The known kustomizations, by their folders."""
        return [found for _, found in sorted(self._known.items()) if found is not None]

    def parts(self, root: Kustomization) -> list[Kustomization]:
        """A kustomization and all kustomizations that it uses."""
        found, waiting = {root.folder: root}, [root]
        while waiting:
            for use in waiting.pop().uses:
                if use.role in {Role.RESOURCE, Role.COMPONENT} and use.target not in found and os.path.isdir(use.target):
                    part = self.of(use.target)
                    if part is not None:
                        found[part.folder] = part
                        waiting.append(part)
        return list(found.values())

    def roots(self) -> list[Kustomization]:
        """The kustomizations that no other one uses, without components."""
        given = self.given()
        used = {use.target for one in given for use in one.uses if use.role in {Role.RESOURCE, Role.COMPONENT}}
        return [one for one in given if one.folder not in used and not one.is_component]


def _kustomization(folder: str, document: Document) -> Kustomization:
    value = document.value if isinstance(document.value, dict) else {}
    uses = (
        Use(role, given, os.path.normpath(os.path.join(folder, given)), path)
        for role, given, path in _named(value)
        if given and "\n" not in given
    )
    return Kustomization(folder, document, tuple(uses))


_LISTS: Final[Mapping[str, Role]] = {
    "resources": Role.RESOURCE,
    "bases": Role.RESOURCE,
    "components": Role.COMPONENT,
    "patchesStrategicMerge": Role.PATCH,
    "generators": Role.GENERATOR,
    "transformers": Role.TRANSFORMER,
    "validators": Role.VALIDATOR,
    "configurations": Role.CONFIGURATION,
    "crds": Role.CONFIGURATION,
}
_PATHS: Final[Mapping[str, tuple[Role, str]]] = {
    "patches": (Role.PATCH, "path"),
    "patchesJson6902": (Role.PATCH, "path"),
    "replacements": (Role.CONFIGURATION, "path"),
    "helmCharts": (Role.CONTENT, "valuesFile"),
}
_GENERATORS: Final = ("configMapGenerator", "secretGenerator")


def _named(value: JSONObject) -> Iterator[tuple[Role, str, Path]]:
    """The names in a kustomization, with their places."""
    for key, role in _LISTS.items():
        yield from ((role, given, path) for given, path in _texts(value.get(key), (key,)))
    for key, (role, name) in _PATHS.items():
        for index, entry in enumerate(items(value, key)):
            yield role, text(entry, name), (key, index, name)
    for key in _GENERATORS:
        for index, entry in enumerate(items(value, key)):
            for given, path in (*_texts(entry.get("files"), (key, index, "files")), *_texts(entry.get("envs"), (key, index, "envs"))):
                # NAME=PATH gives the file another key.
                yield Role.CONTENT, given.rpartition("=")[2], path
            yield Role.CONTENT, text(entry, "env"), (key, index, "env")
    yield Role.CONFIGURATION, text(part(value, "openapi"), "path"), ("openapi", "path")


def _texts(value: JSONValue, path: Path) -> Iterator[tuple[str, Path]]:
    for index, entry in enumerate(value if isinstance(value, list) else ()):
        if isinstance(entry, str):
            yield entry, (*path, index)
