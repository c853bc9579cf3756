"""Places in a schema: the path of a node, which of its children have structure, and what may be below it.

Generated functions belong to places. A place knows its depth, so that generation stops before the interpreter's stack does, and a label for
comments. Searches below a place look at a bounded number of nodes and answer "maybe" beyond that, so that a schema of a megabyte costs only
as much as the part that objects reach.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.schema.node import Schema

_SEARCH_LIMIT: Final = 200
#: The mode of a root that keeps its type and metadata.
ROOT: Final = "root"


@dataclass(frozen=True, slots=True)
class Place:
    """A node of the schema. `mode` distinguishes several functions of one concern for the same node."""

    schema: Schema
    label: str = ""
    depth: int = 0
    mode: str = ""

    def field(self, name: str, mode: str = "") -> Place:
        """The declared field `name`; KeyError where there is none."""
        return Place(self.schema.properties[name], f"{self.label}.{name}" if self.label else name, self.depth + 1, mode)

    def value(self, mode: str = "") -> Place | None:
        """The values of a map, if they have a schema."""
        schema = self.schema.additional_properties
        return None if schema is None else Place(schema, f"{self.label}[*]", self.depth + 1, mode)

    def item(self, mode: str = "") -> Place | None:
        """The items of a list, if they have a schema."""
        schema = self.schema.items
        return None if schema is None else Place(schema, f"{self.label}[]", self.depth + 1, mode)

    def branch(self, schema: Schema, keyword: str) -> Place:
        """A schema under a combinator, which applies to the same value."""
        return Place(schema, f"{self.label} {keyword}", self.depth + 1)


def holds_fields(schema: Schema) -> bool:
    """Whether the schema describes fields or values of a map."""
    return bool(schema.raw.get("properties")) or isinstance(schema.raw.get("additionalProperties"), dict)


def holds_items(schema: Schema) -> bool:
    """Whether the schema describes items of a list."""
    return isinstance(schema.raw.get("items"), dict)


def describes_list(schema: Schema) -> bool:
    """Whether the schema has the items or the list type of a list."""
    return holds_items(schema) or bool(schema.list_type)


def holds_structure(schema: Schema) -> bool:
    """Whether there is anything below this node."""
    return holds_fields(schema) or holds_items(schema)


def type_test(schema: Schema, variable: str) -> str:
    """The test that `variable` is of the kind of container that the schema describes, by structure or a list type."""
    tests = [f"type({variable}) is dict"] * holds_fields(schema) + [f"type({variable}) is list"] * describes_list(schema)
    return " or ".join(tests)


def may_hold(schema: Schema, wanted: Callable[[JSONObject], bool]) -> bool:
    """Whether `wanted` is true of the raw node or of one below it; also true if there are too many to look at."""
    pending: list[JSONObject] = [schema.raw]
    looked_at = 0
    while pending:
        raw = pending.pop()
        looked_at += 1
        if looked_at > _SEARCH_LIMIT or wanted(raw):
            return True
        pending.extend((raw.get("properties") or {}).values())
        pending.extend(child for child in (raw.get("items"), raw.get("additionalProperties")) if isinstance(child, dict))
    return False
