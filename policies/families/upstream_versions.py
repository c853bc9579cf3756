"""The upstream projects whose CRDs ship, and their versions: how they are written, and which known version is used for one that isn't
known.

A family may know several versions of its CRDs. Objects of a version in between are judged by the next newer one, whose fields are a
superset: it is better to allow a field too much than to refuse one that the cluster knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from weighbridge.policies.apiserver.definitions import Release
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass

Version: TypeAlias = tuple[int, int, int]

_VERSION: Final = expression(r"v?(\d+)\.(\d+)\.(\d+)")


@dataclass(frozen=True, slots=True)
class Upstream:
    """A project whose CRDs ship, for which API groups, and where they are in its repository.

    `key` names it on the command line. `release` is the newest whose CRDs ship: a version, or a commit with its `date` where no release
    has them.
    """

    key: str
    title: str
    groups: tuple[str, ...]
    release: str
    repository: str
    date: str = ""
    crds: str = "config/crd/bases"

    def named(self, version: str) -> str:
        """A release in words: ``LLMKube v0.9.19``."""
        return f"{self.title} {version} of {self.date}" if self.date else f"{self.title} {version}"


def parse_version(text: str) -> Version | None:
    """The version in a text such as ``v0.9.19``; `None` if it has none."""
    found = _VERSION.fullmatch(text)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def standing_for(wanted: Version | None, known: Sequence[str]) -> str:
    """The oldest of the `known` versions that isn't older than `wanted`; the newest if all are older, or without a wanted version."""
    if wanted is not None:
        for text in known:
            version = parse_version(text)
            if version is not None and version >= wanted:
                return text
    return known[-1]


def releases_of(version: Version | None, known: Sequence[Release]) -> Sequence[Release]:
    """Choose from the `known` releases, newest last.

    The release of this version; both neighbours if the version lies between two; else the nearest. Without a version, the newest.
    """
    if version is None:
        return known[-1:]
    older: list[Release] = []
    newer: list[Release] = []
    for release in known:
        found = parse_version(release.version)
        if found is None or found == version:
            return (release,)
        (older if found < version else newer).append(release)
    return (*older[-1:], *newer[:1])
