"""Equality of decoded values, in which an unset list or map equals an empty one.

Source: ``equality.Semantic`` of k8s.io/apimachinery/pkg/api/equality; the Go types say which fields are lists and maps.
"""

from __future__ import annotations

from weighbridge.policies.apiserver.acceptance.go_types import AnyJSON, ByItself, Float, GoType, ListOf, MapOf, Struct
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.schema.go_values import deep_equal

_Pair = tuple[JSONValue, JSONValue, GoType]


def semantically_equal(one: JSONValue, other: JSONValue, kind: GoType) -> bool:
    """Whether two decoded values of a type are equal; `None` is an unset one."""
    pending: list[_Pair] = [(one, other, kind)]
    while pending:
        left, right, of = pending.pop()
        if left is right:
            continue
        if isinstance(of, (ListOf, MapOf)):
            left, right = left or type(right or [])(), right or type(left or [])()
        if isinstance(of, Float) and left is not None and right is not None:
            if float(left) != float(right):
                return False
        elif isinstance(left, dict) and isinstance(right, dict) and not isinstance(of, AnyJSON):
            if isinstance(of, MapOf) and left.keys() != right.keys():
                return False
            pending += _pairs(left, right, of)
        elif isinstance(left, list) and isinstance(right, list) and not isinstance(of, AnyJSON):
            if len(left) != len(right):
                return False
            item = _item_type(of)
            pending += [(a, b, item) for a, b in zip(left, right, strict=True)]
        elif not deep_equal(left, right):
            return False
    return True


def _pairs(left: JSONObject, right: JSONObject, of: GoType) -> list[_Pair]:
    if isinstance(of, ByItself):
        of = of.map_type
    if isinstance(of, Struct):
        return [(left.get(key), right.get(key), known.type) for key, known in of.fields.items()]
    value = of.value if isinstance(of, MapOf) else AnyJSON()
    return [(left.get(key), right.get(key), value) for key in left]


def _item_type(of: GoType) -> GoType:
    held = of.list_type if isinstance(of, ByItself) else of
    return held.item if isinstance(held, ListOf) else AnyJSON()
