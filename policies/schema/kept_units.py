"""The compiled units of one schema in a cache, under names that hold for every process that reads the same schema.

All of them belong to one group, the fingerprint of the schema. Whatever a unit refers to in the schema is named by the path that
leads there.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable
from functools import cached_property
from typing import Final

from weighbridge.policies.codegen import Cache
from weighbridge.policies.codegen.frozen import FrozenUnit, OriginResolver, freeze, thaw
from weighbridge.policies.codegen.writer import Origin
from weighbridge.policies.ground.digests import blake2b
from weighbridge.policies.schema.marks import marks
from weighbridge.policies.schema.node import Schema
from weighbridge.policies.schema.node_paths import NodePath, node_at, node_paths

#: The words of origins that this resolver restores.
NODE: Final = "node"
PATTERN: Final = "pattern"
FORMAT: Final = "format"
#: The key of the extensions that a schema uses.
_MARKS: Final = "marks"
#: Marshal's oldest format that knows all of JSON: it has no references, so equal values give equal bytes.
_WITHOUT_REFERENCES: Final = 2


class KeptUnits:
    """The units that are kept for `schema`; `name` is part of their content, since tracebacks show it.

    `digest` is that of the CRD's content, if it is known. Then `name` names one of the CRD's versions.
    """

    def __init__(self, schema: Schema, name: str, cache: Cache, digest: str = "") -> None:
        self._schema = schema
        self._name = name
        self._cache = cache
        self._digest = digest
        self._nodes: dict[NodePath, Schema] = {(): schema}
        self._met: dict[int, NodePath] = {id(schema.raw): ()}

    @cached_property
    def _fingerprint(self) -> str:
        """The fingerprint of the schema; empty if it has none, and then nothing is kept."""
        if self._digest:
            return blake2b(f"{self._digest} {self._name}".encode(), digest_size=32).hexdigest()
        try:
            data = marshal.dumps((self._name, self._schema.raw), _WITHOUT_REFERENCES)
        except ValueError:
            return ""
        return blake2b(data, digest_size=32).hexdigest()

    @cached_property
    def marks(self) -> frozenset[str]:
        """Which extensions the schema uses anywhere."""
        if not self._fingerprint:
            return marks(self._schema.raw)
        key = f"{self._fingerprint}/{_MARKS}"
        known = self._cache.get(key)
        if known is not None:
            return frozenset(known.decode().split())
        found = marks(self._schema.raw)
        self._cache.put(key, " ".join(sorted(found)).encode())
        return found

    @cached_property
    def _paths(self) -> dict[int, NodePath]:
        return node_paths(self._schema.raw)

    def path(self, node: Schema) -> NodePath | None:
        """The path to a node of the schema; `None` where it isn't one."""
        met = self._met.get(id(node.raw))
        return self._paths.get(id(node.raw)) if met is None else met

    def node(self, path: NodePath) -> Schema:
        """The node at a path; raises what `node_at` raises."""
        node = self._nodes.get(path)
        if node is None:
            node = self._nodes[path] = node_at(self._schema, path)
            self._met[id(node.raw)] = path
        return node

    def find(self, key: tuple[object, ...], resolver: OriginResolver) -> FrozenUnit | None:
        """The unit that was kept under `key`, which is plain data."""
        if not self._fingerprint:
            return None
        data = self._cache.get(f"{self._fingerprint}/{key!r}")
        return None if data is None else thaw(data, resolver)

    def keep(self, key: tuple[object, ...], unit: FrozenUnit, resolver: OriginResolver) -> None:
        """Keep a unit under `key`, if its constants can be kept."""
        if not self._fingerprint:
            return
        data = freeze(unit, resolver)
        if data is not None:
            self._cache.put(f"{self._fingerprint}/{key!r}", data)

    def origin_of(self, value: object) -> Origin | None:
        """The origin of a node; `None` for anything else."""
        path = self.path(value) if isinstance(value, Schema) else None
        return None if path is None else (NODE, path)

    def restore(self, origin: Origin) -> object:
        """The node, or the test of a pattern or format, that `origin` names; raises what `node_at` raises."""
        word, argument = origin
        if word == NODE:
            return self.node(argument)
        if word == PATTERN:
            return _asked_later(_pattern, argument)
        if word == FORMAT:
            return _asked_later(_format, argument)
        raise KeyError(word)


def _asked_later(make: Callable[[str], Callable[[str], object]], argument: str) -> Callable[[str], object]:
    """A test of texts that is made when the first text comes: importing what makes it takes longer than loading a whole unit."""
    made: list[Callable[[str], object]] = []

    def ask(text: str) -> object:
        if not made:
            made.append(make(argument))
        return made[0](text)

    return ask


def _pattern(argument: str) -> Callable[[str], object]:
    from weighbridge.policies.schema.patterns import compile_pattern

    return compile_pattern(argument).matches


def _format(argument: str) -> Callable[[str], object]:
    from weighbridge.policies.schema.formats.predicates import predicate

    return predicate(argument)
