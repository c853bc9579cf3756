"""Finds the objects of a run that are applied to the same cluster, so that their pods share its nodes.

Two renderings of one base aren't applied together, nor are resources of different kustomizations, nor the objects of folders that only
differ in their name, such as `dev` and `prod`: such folders have a common object, by kind and name.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final, TypeAlias

from weighbridge.policies.ground.objects import GroupVersionKind, name_of
from weighbridge.webhook.manifests import Manifest

if TYPE_CHECKING:
    from weighbridge.webhook.rendering.built import Built

#: The most others with its name with which an object is compared.
_MOST_COMPARED: Final = 20
#: A folder, and the names of similar folders in it.
_Alike: TypeAlias = Mapping[str, AbstractSet[str]]


def companies(
    given: Sequence[Manifest], contexts: Sequence[int], built: Iterable[str], roots: Mapping[str, AbstractSet[str]]
) -> list[list[int]]:
    """The objects of each cluster, by number; an object that is applied to several clusters is in several.

    `contexts` has the context of each object.
    """
    rendered = set(built)
    apart: dict[tuple[int, str], list[int]] = defaultdict(list)
    for number, manifest in enumerate(given):
        source = manifest.document.source
        own = roots.get(os.path.normpath(source), frozenset()) if source not in rendered else frozenset()
        for root in sorted(own) or [""]:
            apart[contexts[number], root].append(number)
    return [company for numbers in apart.values() for company in _by_folders(given, numbers)]


def applied(given: Sequence[Manifest], found: Iterable[Sequence[int]], built: Mapping[str, Built]) -> list[Sequence[int]]:
    """The companies, without those that are only a chart or a folder from which a HelmRelease or an Application renders what is applied."""
    delivered = [one for one in built.values() if one.is_delivered]

    def is_applied(number: int) -> bool:
        own = built.get(given[number].document.source)
        return own is None or own.is_delivered or not any(own.sources & other.sources for other in delivered)

    return [numbers for numbers in found if any(map(is_applied, numbers))]


def _by_folders(given: Sequence[Manifest], numbers: Sequence[int]) -> list[list[int]]:
    """The objects, once for each name of similar folders, with those outside of these."""
    alike = _alike(given, numbers)
    if not alike:
        return [list(numbers)]
    name_of_number = {number: _name_in(given[number].document.source, alike) for number in numbers}
    names = sorted({name for name in name_of_number.values() if name})
    return [[number for number in numbers if name_of_number[number] in ("", name)] for name in names]


def _alike(given: Sequence[Manifest], numbers: Sequence[int]) -> _Alike:
    places: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for number in numbers:
        gvk, name = GroupVersionKind.from_object(given[number].value), name_of(given[number].value)
        if gvk is not None and name:
            places[gvk.group, gvk.kind, name].append(given[number].document.source)
    found: dict[str, set[str]] = defaultdict(set)
    for sources in places.values():
        first, *others = dict.fromkeys(sources)
        for other in others[:_MOST_COMPARED]:
            mine, its = first.split(os.sep), other.split(os.sep)
            differing = [index for index, (left, right) in enumerate(zip(mine, its, strict=False)) if left != right]
            if len(mine) == len(its) and len(differing) == 1 and differing[0] < len(mine) - 1:
                found[os.sep.join(mine[: differing[0]])] |= {mine[differing[0]], its[differing[0]]}
    return found


def _name_in(source: str, alike: _Alike) -> str:
    """The name of the similar folder in which a file is; empty if it is in none."""
    steps = source.split(os.sep)
    for index in range(len(steps) - 1):
        if steps[index] in alike.get(os.sep.join(steps[:index]), ()):
            return steps[index]
    return ""
