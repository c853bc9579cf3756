"""Which extensions a schema uses anywhere, found in one walk through its JSON.

Most schemas use none of them, and then whole steps of a request can be left out.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.objects import JSONObject

#: Some node has a CEL rule. Combinators can't hold any.
RULES: Final = "x-kubernetes-validations"
#: Some node is an object with apiVersion, kind and metadata of its own.
EMBEDDED: Final = "x-kubernetes-embedded-resource"


def marks(schema: JSONObject) -> frozenset[str]:
    """Which of `RULES` and `EMBEDDED` some node of `schema` has."""
    found: set[str] = set()
    todo: list[JSONObject] = [schema]
    while todo:
        node = todo.pop()
        if node.get(RULES):
            found.add(RULES)
        if node.get(EMBEDDED):
            found.add(EMBEDDED)
        properties = node.get("properties")
        if properties:
            todo.extend(properties.values())
        items, values = node.get("items"), node.get("additionalProperties")
        if items:
            todo.append(items)
        if isinstance(values, dict):
            todo.append(values)
    return frozenset(found)
