"""Images that are filled in: their registry, and their tag or digest.

A mirror replaces a registry or a part of one. Names are compared component by component, so that ``ghcr.io`` never means
``ghcr.io.example.com``. Source: distribution/reference v0.6, regexp.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar, Final

from weighbridge.policies.config.sections import SECTION
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.pods.images import Reference

_TAG: Final = r"\w[\w.-]{0,127}"
_DIGEST: Final = r"[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}"
_PIN: Final = expression(rf"(?:{_TAG}|{_DIGEST}|{_TAG}@{_DIGEST})", re.ASCII)
_COMPONENT: Final = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*"
_HOST: Final = r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*|\[[0-9a-fA-F:]+\])(?::\d+)?"
_PREFIX: Final = expression(rf"{_HOST}(?:/{_COMPONENT})*", re.ASCII)
_REPOSITORY: Final = expression(rf"(?:{_HOST}/)?{_COMPONENT}(?:/{_COMPONENT})*(?::{_TAG})?", re.ASCII)
_IS_DIGEST: Final = expression(_DIGEST, re.ASCII)


@dataclass(frozen=True)
class NamespaceImages:
    """Images that are filled in, as a namespace may narrow them."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    pins: dict[str, str] = field(default_factory=dict)
    """tag, digest or tag@digest by repository or, more exact, by repository:tag; it takes the place of what would be filled in"""

    def mistakes(self, path: Path) -> Iterator[tuple[Path, str]]:
        """The keys and values that can't be pins."""
        for image, pin in self.pins.items():
            if not _REPOSITORY.fullmatch(image):
                yield ((*path, "pins", image), "the key isn't a repository; write one such as ghcr.io/org/name, or ghcr.io/org/name:tag")
            if not _PIN.fullmatch(pin):
                said = f"{pin!r} is neither a tag nor a digest; write one such as b6000, sha256:... or b6000@sha256:..."
                yield (*path, "pins", image), said


@dataclass(frozen=True)
class Images(NamespaceImages):
    """Images that are filled in: their origin, and their tags and digests."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    mirrors: dict[str, str] = field(default_factory=dict)
    """what takes the place of a registry or of a part of one, such as mirror.example.com/ghcr for ghcr.io; the most exact key wins"""

    def mistakes(self, path: Path) -> Iterator[tuple[Path, str]]:
        """The keys and values that can't be mirrors or pins."""
        yield from super().mistakes(path)
        for registry, mirror in self.mirrors.items():
            where = (*path, "mirrors", registry)
            if not _PREFIX.fullmatch(registry):
                yield where, "the key isn't a registry; write host or host/path, such as ghcr.io"
            if not _PREFIX.fullmatch(mirror):
                yield where, f"{mirror!r} isn't a registry; write host or host/path, such as mirror.example.com/ghcr"

    def of(self, image: str) -> str:
        """The image to fill in instead of a family's `image`: it is pinned first, then taken from its mirror."""
        reference = Reference.read(image)
        pin = self.pin_of(reference)
        if pin:
            reference = _pinned(reference, pin)
        mirror = self._mirror_of(reference.repository)
        if mirror:
            reference = Reference(mirror, reference.tag, reference.digest)
        return str(reference) if pin or mirror else image

    def upstream_of(self, image: str) -> str:
        """The upstream image of an image from a mirror; the image itself if it isn't from a mirror."""
        reference = Reference.read(image)
        found = [(mirror, registry) for registry, mirror in self.mirrors.items() if _is_below(reference.name, mirror)]
        if not found:
            return image
        mirror, registry = max(found, key=lambda one: len(one[0]))
        return str(Reference(registry + reference.name.removeprefix(mirror), reference.tag, reference.digest))

    def pin_of(self, reference: Reference) -> str:
        """The pin for an image; empty if there is none."""
        pins = self._pins_by_repository()
        exact = pins.get((reference.repository, reference.tag)) if reference.tag else None
        return exact or pins.get((reference.repository, ""), "")

    def _pins_by_repository(self) -> dict[tuple[str, str], str]:
        read = ((Reference.read(key), pin) for key, pin in self.pins.items())
        return {(reference.repository, reference.tag): pin for reference, pin in read}

    def _mirror_of(self, repository: str) -> str:
        found = [registry for registry in self.mirrors if _is_below(repository, registry)]
        if not found:
            return ""
        registry = max(found, key=len)
        return self.mirrors[registry] + repository.removeprefix(registry)


def _is_below(repository: str, registry: str) -> bool:
    return repository == registry or repository.startswith(f"{registry}/")


def _pinned(reference: Reference, pin: str) -> Reference:
    if _IS_DIGEST.fullmatch(pin):
        return Reference(reference.name, "", pin)
    tag, _, digest = pin.partition("@")
    return Reference(reference.name, tag, digest)
