"""Splits the names of images as container runtimes do: ``nginx`` is ``docker.io/library/nginx``.

Source: distribution/reference v0.6, normalize.go.
"""

from __future__ import annotations

from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class Reference:
    """The parts of an image's name; `name` is its repository as written."""

    name: str
    tag: str = ""
    digest: str = ""

    @classmethod
    def read(cls, image: str) -> Reference:
        """Split an image's name."""
        rest, _, digest = image.partition("@")
        folder, slash, last = rest.rpartition("/")
        last, _, tag = last.partition(":")
        return cls(f"{folder}{slash}{last}", tag, digest)

    @property
    def repository(self) -> str:
        """The repository with its registry."""
        first, slash, rest = self.name.partition("/")
        if slash and ("." in first or ":" in first or first == "localhost" or first != first.lower()):
            return f"docker.io/library/{rest}" if first == "docker.io" and "/" not in rest else self.name
        return f"docker.io/{self.name}" if slash else f"docker.io/library/{self.name}"

    def __str__(self) -> str:
        return f"{self.name}{':' if self.tag else ''}{self.tag}{'@' if self.digest else ''}{self.digest}"
