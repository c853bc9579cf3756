"""What a program rendered: its objects, and for each the file of the tree that its values come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.manifests import Manifest, Position, Span

#: Where nothing better is known than a file.
BEGINNING = Span(Position(1, 1), Position(1, 1))


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a file of the tree, with the lines of the file."""

    source: str
    span: Span
    lines: Sequence[str] = ()


class Origin(Protocol):
    """The file that a rendered object comes from."""

    def place(self, manifest: Manifest, path: Path) -> Place:
        """The place of a field, or of what is nearest to it."""


@dataclass(frozen=True, slots=True)
class Built:
    """One rendering. `title` names it and is the source of its documents; `origins` are by the index of the document.

    `sources` are the files and folders that it was made of: two renderings of one source aren't applied together. `because` are files that
    only say how it is made.
    """

    title: str
    manifests: Sequence[Manifest]
    origins: Mapping[int, Origin]
    sources: frozenset[str]
    because: frozenset[str] = frozenset()

    @property
    def is_delivered(self) -> bool:
        """Whether an object of delivery says how it is made, such as a HelmRelease."""
        return bool(self.because)

    @property
    def has_variables(self) -> bool:
        """Whether variables may be in it, which others put in later."""
        return any(manifest.document.contains(b"${") for manifest in self.manifests)

    def place(self, manifest: Manifest, path: Path) -> Place:
        """The place of a field of one of its objects in the tree."""
        return self.origins[manifest.document.index].place(manifest, path)
