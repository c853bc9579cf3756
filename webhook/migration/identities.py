"""The identities of objects in the migrated files, so that none is written twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of, namespace_of
from weighbridge.webhook.manifests.documents import Document
from weighbridge.webhook.manifests.flatten import Manifest, Standing, manifests, standing

#: Group, kind, namespace and name.
Identity: TypeAlias = tuple[str, str, str, str]


def identity(obj: JSONObject) -> Identity | None:
    """The identity of an object; `None` if the server gives the name."""
    gvk, name = GroupVersionKind.from_object(obj), name_of(obj)
    return (gvk.group, gvk.kind, namespace_of(obj), name) if gvk is not None and name else None


def identities(read: Iterable[Document]) -> Iterator[Identity]:
    """The identities of all objects of some documents."""
    for document in read:
        if standing(document) is Standing.MANIFEST:
            found = (identity(entry.value) for entry in manifests(document) if isinstance(entry, Manifest))
            yield from (one for one in found if one is not None)


def name_apart(obj: JSONObject, taken: set[Identity]) -> None:
    """Give a free name to a new object to which nothing refers by name; the name is then taken."""
    name, number = name_of(obj), 1
    while (one := identity(obj)) is not None and one in taken:
        number += 1
        obj["metadata"] = {**obj["metadata"], "name": f"{name}-{number}"}
    if one is not None:
        taken.add(one)
