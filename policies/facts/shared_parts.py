"""Keeps equal parts of objects once. The CRDs of a cluster are several times as large as their different parts together.

A pod's schema occurs in most of them, and `{"type": "string"}` some thousand times.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Final

from weighbridge.policies.facts.kinds import CRDS
from weighbridge.policies.ground.memory import Memory
from weighbridge.policies.ground.objects import JSONObject, JSONValue

#: The most parts that are remembered: several times as many as the CRDs of a large cluster have.
_MOST: Final = 50_000


class SharedParts:
    """Replaces equal maps, lists and texts of objects by those of earlier objects."""

    def __init__(self) -> None:
        self._parts = Memory()

    def __call__(self, obj: JSONObject) -> JSONObject:
        """An object that equals this one; the object itself if it is nested too deeply."""
        if len(self._parts) > _MOST:
            self._parts.empty()
        try:
            shared = self._shared(obj)
        except RecursionError:
            return obj
        return shared if isinstance(shared, dict) else obj

    def _shared(self, value: JSONValue) -> JSONValue:
        """The part that equals `value`. Parts of a remembered map or list live as long as it does, so their identities are its key."""
        key: Hashable
        if type(value) is dict:
            value = {self._text(name): self._shared(part) for name, part in value.items()}
            key = dict, tuple([(id(name), id(part)) for name, part in value.items()])
        elif type(value) is list:
            value = [self._shared(part) for part in value]
            key = list, tuple(map(id, value))
        elif type(value) is str:
            return self._text(value)
        else:
            # Numbers may be equal and yet differ: 1, 1.0 and true.
            return value
        return self._parts.once(key, lambda: value)

    def _text(self, text: str) -> str:
        return self._parts.once(text, lambda: text)


def with_shared_schemas(objects: Iterable[JSONObject]) -> Iterator[JSONObject]:
    """The objects; CRDs among them have shared parts."""
    share = SharedParts()
    for obj in objects:
        yield share(obj) if obj.get("kind") == CRDS.gvk.kind else obj
