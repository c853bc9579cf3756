"""Finds the objects of a run that are applied together, and those that occur twice.

Two renderings of one chart or base aren't applied to one cluster, and neither are two with the same object: each is judged together with
the rest of the tree, without the others. If an object occurs twice, the last one counts, by the names of files, so that the order of
arguments changes no verdict.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final, TypeAlias

from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.inputs.surroundings import places_of
from weighbridge.webhook.manifests import Manifest

if TYPE_CHECKING:
    from weighbridge.webhook.rendering.built import Built

Identity: TypeAlias = tuple[str, str, str, str]
#: The most others with its name with which an object is compared.
_MOST_COMPARED: Final = 100


@dataclass(frozen=True, slots=True)
class Contexts:
    """The context of each object of a run, and for each context its objects by number.

    Of objects with the same name in a context the later one replaces the earlier one.
    """

    numbers: Sequence[int]
    members: Sequence[Sequence[int]]

    def placed(self, given: Sequence[Manifest], namespaces: Sequence[str]) -> list[list[tuple[JSONObject, str]]]:
        """The objects of each context, each with its namespace if it names none."""
        return [[(given[number].value, namespaces[number]) for number in members] for members in self.members]


def identity_of(obj: JSONObject, namespace: str) -> Identity | None:
    """The identity of an object; `None` if it has no name."""
    gvk = GroupVersionKind.from_object(obj)
    name = name_of(obj)
    return (gvk.group, gvk.kind, namespace_of(obj) or namespace, name) if gvk is not None and name else None


def contexts_of(given: Sequence[Manifest], built: Mapping[str, Built], namespaces: Sequence[str]) -> Contexts:
    """The contexts of the objects of a run, each given with its namespace if it names none.

    `built` has the renderings by their titles, which are the sources of their objects.
    """
    # The rendering of a HelmRelease is applied instead of the chart itself.
    parts: dict[str, list[int]] = {"": [], **{title: [] for title in sorted(built, key=lambda one: (not built[one].is_delivered, one))}}
    for number, manifest in enumerate(given):
        parts[manifest.document.source if manifest.document.source in built else ""].append(number)
    places = places_of(given[number].document.source for number in parts[""])
    plain = sorted(parts[""], key=lambda number: (places[given[number].document.source], given[number].document.index))
    if not built:
        return Contexts([0] * len(given), [plain])
    identities = {title: {identity_of(given[one].value, namespaces[one]) for one in parts[title]} - {None} for title in parts}
    found: dict[tuple[str, ...], int] = {}
    members: list[list[int]] = []
    number_of: dict[str, int] = {}
    for title, own in parts.items():
        chosen = _together(title, identities, built)
        # The objects of a rendering replace those of files, except the files themselves.
        key = tuple(chosen) if not any(identities[one] & identities[""] for one in chosen) else (title, *chosen)
        if key not in found:
            found[key] = len(members)
            others = [one for name in reversed(chosen) if name != title for one in parts[name]]
            members.append([*others, *plain, *(own if title else ())])
        number_of[title] = found[key]
    sources = (manifest.document.source for manifest in given)
    return Contexts([number_of[source if source in built else ""] for source in sources], members)


def _place(manifest: Manifest) -> tuple[str, int]:
    return manifest.document.source, manifest.document.index


def _together(title: str, identities: Mapping[str, AbstractSet[Identity | None]], built: Mapping[str, Built]) -> list[str]:
    """A rendering and those that may be applied with it, by their titles."""
    chosen = [title] if title else []
    for other in identities:
        if (
            other
            and other not in chosen
            and not any(built[one].sources & built[other].sources or identities[one] & identities[other] for one in chosen)
        ):
            chosen.append(other)
    return chosen


def repeated(
    given: Sequence[Manifest],
    built: Mapping[str, Built],
    roots: Mapping[str, AbstractSet[str]],
    named: Iterable[str],
    namespaces: Sequence[str],
) -> dict[int, list[Manifest]]:
    """The objects, by number, that occur more than once, with the other occurrences.

    Objects for different clusters aren't compared: what programs render, resources of different kustomizations, and files whose paths
    differ in the name of one folder only, such as `dev/model.yaml` and `prod/model.yaml`.
    """
    places: dict[Identity, list[int]] = defaultdict(list)
    for number, manifest in enumerate(given):
        identity = identity_of(manifest.value, namespaces[number]) if manifest.document.source not in built else None
        if identity is not None:
            places[identity].append(number)
    folders = [os.path.normpath(path) for path in named]
    found: dict[int, list[Manifest]] = {}
    for numbers in places.values():
        for number in numbers if len(numbers) > 1 else ():
            source = given[number].document.source
            others = [
                given[other]
                for other in numbers[:_MOST_COMPARED]
                if other != number and _applied_together(source, given[other].document.source, roots, folders)
            ]
            if others:
                found[number] = sorted(others, key=_place)
    return found


def _applied_together(one: str, other: str, roots: Mapping[str, AbstractSet[str]], folders: Sequence[str]) -> bool:
    if one == other:
        return True
    own, others = roots.get(os.path.normpath(one), frozenset()), roots.get(os.path.normpath(other), frozenset())
    if own or others:
        return bool(own & others)
    return not any(_are_mirrored(one, other, folder) for folder in folders)


def _are_mirrored(one: str, other: str, folder: str) -> bool:
    """Whether two files of a folder have paths that differ in the name of one folder."""
    start = "" if folder == os.curdir else os.path.join(folder, "")
    if not (one.startswith(start) and other.startswith(start)):
        return False
    mine, its = (path[len(start) :].split(os.sep) for path in (one, other))
    differing = [index for index, (left, right) in enumerate(zip(mine, its, strict=False)) if left != right]
    return len(mine) == len(its) and len(differing) == 1 and differing[0] < len(mine) - 1
