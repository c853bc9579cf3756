"""The cluster's objects that rules may look up.

Filled from manifests, a snapshot or watches. `complete` tells a known absence from ignorance: a store made from the manifests of one
folder holds some of the cluster's objects, one made from a cluster holds all of the kinds it names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from policies.objects import GroupVersionKind, JSONObject, JSONValue, name_of, namespace_of

#: Objects are kept by group and kind: whichever version they were read in, they are the same objects.
_GroupKind = tuple[str, str]


class ObjectStore:
    """Objects by group, kind, namespace and name."""

    def __init__(self, objects: Iterable[JSONObject] = (), *, complete: bool = False) -> None:
        self.complete = complete
        self._objects: dict[_GroupKind, dict[tuple[str, str], JSONObject]] = {}
        for obj in objects:
            self.put(obj)

    def put(self, obj: JSONObject) -> None:
        """Add or replace one object; one without kind, apiVersion or name is passed over."""
        gvk, name = GroupVersionKind.from_object(obj), name_of(obj)
        if gvk is not None and name:
            self._objects.setdefault((gvk.group, gvk.kind), {})[namespace_of(obj), name] = obj

    def discard(self, group: str, kind: str, namespace: str, name: str) -> None:
        """Forget one object."""
        self._objects.get((group, kind), {}).pop((namespace, name), None)

    def get(self, group: str, kind: str, namespace: str, name: str) -> JSONValue:
        """One object, or `None`."""
        return self._objects.get((group, kind), {}).get((namespace, name))

    def list(self, group: str, kind: str, namespace: str | None = None) -> Iterator[JSONObject]:
        """The objects of a kind, of one namespace or of all."""
        for (where, _), obj in self._objects.get((group, kind), {}).items():
            if namespace is None or where == namespace:
                yield obj

    def __len__(self) -> int:
        return sum(map(len, self._objects.values()))
