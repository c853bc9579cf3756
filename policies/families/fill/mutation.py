"""Records each change that filling in makes to an object: a JSON Patch operation and the provenance of the value.

The patch is the list of these operations, not a comparison of two objects; missing parents are added on the way.
"""

from __future__ import annotations

from weighbridge.policies.families.fill.authorship import Authorship
from weighbridge.policies.ground.findings import Provenance
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, lookup, pointer
from weighbridge.policies.schema.go_values import deep_copy


class Mutation:
    """Edits `object` (the caller's own copy) and keeps the record.

    `authorship` knows who wrote its values; by default it reads the object's own metadata.
    """

    def __init__(self, obj: JSONObject, authorship: Authorship | None = None) -> None:
        self.object = obj
        self.authorship = authorship or Authorship.of_object(obj)
        self.patch: list[JSONObject] = []
        self.provenance: list[Provenance] = []

    def fill(self, path: Path, value: JSONValue, *, source: str, reason: str) -> bool:
        """Set `path` if it has no value. Returns whether it was set. A parent that is no map leaves the object as it is."""
        if lookup(self.object, path) is not None:
            return False
        return self._put(path, value, source=source, reason=reason)

    def replace(self, path: Path, value: JSONValue, *, source: str, reason: str) -> bool:
        """Set `path` over any value: for values that only a schema's default can have written."""
        if lookup(self.object, path) == value:
            return False
        return self._put(path, value, source=source, reason=reason)

    def remove(self, path: Path, *, source: str, reason: str) -> bool:
        """Remove the value at `path`. Returns whether there was one."""
        parent = lookup(self.object, path[:-1])
        if not isinstance(parent, dict) or str(path[-1]) not in parent:
            return False
        self.patch.append({"op": "remove", "path": pointer(path)})
        del parent[str(path[-1])]
        self.provenance.append(Provenance(path, None, source, reason))
        return True

    def append(self, path: Path, value: JSONValue, *, source: str, reason: str) -> bool:
        """Add an item to the end of the list at `path`, or make the list. Returns whether it was added."""
        items = lookup(self.object, path)
        if items is None:
            made = self._put(path, [value], source=source, reason=reason)
            if made:
                self.provenance[-1] = Provenance((*path, 0), value, source, reason)
            return made
        if not isinstance(items, list):
            return False
        self.patch.append({"op": "add", "path": f"{pointer(path)}/-", "value": deep_copy(value)})
        items.append(value)
        self.provenance.append(Provenance((*path, len(items) - 1), value, source, reason))
        return True

    def _put(self, path: Path, value: JSONValue, *, source: str, reason: str) -> bool:
        parent: JSONValue = self.object
        for depth, step in enumerate(path[:-1], start=1):
            if not isinstance(parent, dict):
                return False
            if parent.get(str(step)) is None:
                self.patch.append({"op": "add", "path": pointer(path[:depth]), "value": {}})
                parent[str(step)] = {}
            parent = parent[str(step)]
        key = str(path[-1])
        if not isinstance(parent, dict):
            return False
        # A copy, because a later addition to the value gets a separate operation.
        self.patch.append({"op": "replace" if key in parent else "add", "path": pointer(path), "value": deep_copy(value)})
        parent[key] = value
        self.provenance.append(Provenance(path, value, source, reason))
        return True
