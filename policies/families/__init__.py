"""One folder per system, all with the same rooms; a family is imported when a kind of its group is first met."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from policies.families.family import Family

_BY_GROUP = {
    "federation.llmkube.dev": "llmkube",
    "inference.llmkube.dev": "llmkube",
    "inference.networking.x-k8s.io": "inference_extension",
}


def family_of(group: str) -> Family | None:
    """The family whose API group this is."""
    name = _BY_GROUP.get(group)
    return _load(name) if name else None


def family_groups() -> Iterator[str]:
    """The API groups of all families; none of these is imported for that."""
    yield from _BY_GROUP


def families() -> Iterator[Family]:
    """All families, in the order of their names."""
    yield from map(_load, sorted(set(_BY_GROUP.values())))


def _load(name: str) -> Family:
    family = importlib.import_module(f"policies.families.{name}.family").FAMILY
    if not isinstance(family, Family):
        raise TypeError(f"policies.families.{name}.family.FAMILY must be a Family")
    return family
