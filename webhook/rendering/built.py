"""The result of a rendering: its objects, and for each the file of the tree from which its values come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.manifests import Manifest, Position, Span

#: The place if only the file is known.
BEGINNING = Span(Position(1, 1), Position(1, 1))


@dataclass(frozen=True, slots=True)
class Place:
    """A range in a file of the tree, with the lines of the file."""

    source: str
    span: Span
    lines: Sequence[str] = ()


class Origin(Protocol):
    """The file from which a rendered object comes."""

    def place(self, manifest: Manifest, path: Path) -> Place:
        """The place of a field, or the nearest known place."""


@dataclass(frozen=True, slots=True)
class Built:
    """One rendering. `title` names it and is the source of its documents; `origins` are by the index of the document.

    `sources` are the files and folders that were rendered: two renderings of one source aren't applied together. `because` are files that
    only say how it is rendered.
    """

    title: str
    manifests: Sequence[Manifest]
    origins: Mapping[int, Origin]
    sources: frozenset[str]
    because: frozenset[str] = frozenset()

    @property
    def is_delivered(self) -> bool:
        """Whether a delivery object, such as a HelmRelease, says how it is rendered."""
        return bool(self.because)

    @property
    def has_variables(self) -> bool:
        """Whether it may have variables, which another program replaces later."""
        return any(manifest.document.contains(b"${") for manifest in self.manifests)

    def place(self, manifest: Manifest, path: Path) -> Place:
        """The place of a field of one of its objects in the tree."""
        return self.origins[manifest.document.index].place(manifest, path)
