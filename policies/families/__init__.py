"""One folder per system, all with the same rooms, and modules that families share. A family is imported with the first kind of its group.

A folder is a family if it names its API groups in `GROUPS`; no other code names it.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from functools import cache

from weighbridge.policies.families.family import Family
from weighbridge.policies.ground.modules import modules_in
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of, namespace_of


def family_of(group: str) -> Family | None:
    """The family whose API group this is."""
    name = family_name(group)
    return _load(name) if name else None


def family_name(group: str) -> str | None:
    """The name of the family whose API group this is; the family isn't imported."""
    return _by_group().get(group)


def family_groups() -> Iterator[str]:
    """The API groups of all families, from their `GROUPS`; the families aren't imported."""
    yield from _by_group()


def family_names() -> Iterator[str]:
    """The names of all families, in the order of their API groups."""
    yield from dict.fromkeys(_by_group().values())


def families_of(groups: Iterable[str]) -> Iterator[Family]:
    """The families that own one of these API groups, in the order of their names; other families aren't imported."""
    yield from map(_load, sorted({name for group in groups if (name := _by_group().get(group))}))


def families() -> Iterator[Family]:
    """All families, in the order of their names."""
    yield from map(_load, sorted(family_names()))


@cache
def _by_group() -> dict[str, str]:
    """The families by their API groups, sorted."""
    found: dict[str, str] = {}
    for name, is_folder in modules_in(__path__):
        groups = getattr(importlib.import_module(f"{__name__}.{name}"), "GROUPS", ()) if is_folder else ()
        found.update(dict.fromkeys(groups, name))
    return dict(sorted(found.items()))


@cache
def _load(name: str) -> Family:
    family = importlib.import_module(f"{__name__}.{name}.family").FAMILY
    if not isinstance(family, Family):
        raise TypeError(f"{__name__}.{name}.family.FAMILY must be a Family")
    return family


def readers_of(gvk: GroupVersionKind, obj: JSONObject, groups: Iterable[str]) -> Iterator[Family]:
    """The families of these groups whose predictions read an object of another system's kind, such as a ConfigMap."""
    if gvk.group in _by_group():
        return
    place = namespace_of(obj), name_of(obj)
    for family in families_of(groups):
        named = {(kind.namespace, kind.name) for kind in family.looks_up if kind.gvk.kind == gvk.kind and kind.name}
        if gvk.kind in family.influences and all(kind.gvk.kind != gvk.kind for kind in family.kinds) and (not named or place in named):
            yield family
