"""Checks whether a JSON document is a schema at all, so that its readers needn't.

Only shapes are checked (that a map is a map), not the rules of structural schemas: an accepted CRD satisfies those.
Source: JSONSchemaProps of apiextensions.k8s.io/v1.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Final

from weighbridge.policies.apiserver import wordings
from weighbridge.policies.ground.objects import JSONValue

_TYPES: Final = ("array", "boolean", "integer", "number", "object", "string")
#: Keywords that a CRD can't have, since a server refuses them. If they were ignored, every value would be accepted.
_FORBIDDEN: Final = frozenset({"$ref", "definitions", "dependencies", "patternProperties"})

_MAX_FLOAT: Final = sys.float_info.max

_Test = Callable[[JSONValue], bool]


def _is(kind: type) -> _Test:
    return lambda value: isinstance(value, kind)


def _is_number(value: JSONValue) -> bool:
    # Neither NaN nor a number that a float can't hold.
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -_MAX_FLOAT <= value <= _MAX_FLOAT


def _is_whole(value: JSONValue) -> bool:
    return _is_number(value) and (isinstance(value, int) or value.is_integer())


def _are_texts(value: JSONValue) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_map_or_flag(value: JSONValue) -> bool:
    return isinstance(value, (dict, bool))


def _is_type(value: JSONValue) -> bool:
    return value in _TYPES


_MAP: Final = (_is(dict), wordings.A_MAP)
_TEXT: Final = (_is(str), wordings.A_TEXT)
_FLAG: Final = (_is(bool), wordings.A_FLAG)
_NUMBER: Final = (_is_number, wordings.A_NUMBER)
_WHOLE: Final = (_is_whole, wordings.A_WHOLE_NUMBER)
_LIST: Final = (_is(list), wordings.A_LIST)
_TEXTS: Final = (_are_texts, wordings.TEXTS)

_KEYWORDS: Final[dict[str, tuple[_Test, str]]] = {
    "type": (_is_type, wordings.one_of(_TYPES)),
    "format": _TEXT,
    "pattern": _TEXT,
    "nullable": _FLAG,
    "properties": _MAP,
    "items": _MAP,
    "additionalProperties": (_is_map_or_flag, wordings.A_SCHEMA_OR_TRUE),
    "required": _TEXTS,
    "enum": _LIST,
    **dict.fromkeys(("allOf", "anyOf", "oneOf"), _LIST),
    "not": _MAP,
    **dict.fromkeys(("maximum", "minimum", "multipleOf"), _NUMBER),
    **dict.fromkeys(("maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties"), _WHOLE),
    **dict.fromkeys(("exclusiveMaximum", "exclusiveMinimum", "uniqueItems"), _FLAG),
    **dict.fromkeys(("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource", "x-kubernetes-int-or-string"), _FLAG),
    "x-kubernetes-list-type": _TEXT,
    "x-kubernetes-map-type": _TEXT,
    "x-kubernetes-list-map-keys": _TEXTS,
    "x-kubernetes-validations": _LIST,
}
_RULE_KEYWORDS: Final[dict[str, tuple[_Test, str]]] = {
    **dict.fromkeys(("rule", "message", "messageExpression", "reason", "fieldPath"), _TEXT),
    "optionalOldSelf": _FLAG,
}


def shape_problems(schema: JSONValue, field: str) -> Iterator[tuple[str, str]]:
    """Every place where `schema` isn't a schema: the field, what it has, and what would be right."""
    pending: list[tuple[JSONValue, str]] = [(schema, field)]
    while pending:
        node, where = pending.pop()
        if not isinstance(node, dict):
            yield where, wordings.misshapen(_found(node), wordings.NOT_A_SCHEMA)
            continue
        for keyword, value in node.items():
            known = _KEYWORDS.get(keyword)
            if known is not None:
                if value is not None and not known[0](value):
                    yield f"{where}.{keyword}", wordings.unwanted(_found(value), known[1])
            elif keyword in _FORBIDDEN:
                yield f"{where}.{keyword}", wordings.UNSUPPORTED_KEYWORD
        pending.extend(_children(node, where))
        yield from _rule_problems(node.get("x-kubernetes-validations"), f"{where}.x-kubernetes-validations")


def _children(node: dict[str, JSONValue], where: str) -> Iterator[tuple[JSONValue, str]]:
    properties = node.get("properties")
    if isinstance(properties, dict):
        for name, child in properties.items():
            yield child, f"{where}.properties[{name}]"
    for keyword in ("items", "additionalProperties", "not"):
        if isinstance(node.get(keyword), dict):
            yield node[keyword], f"{where}.{keyword}"
    for keyword in ("allOf", "anyOf", "oneOf"):
        branches = node.get(keyword)
        if isinstance(branches, list):
            for index, child in enumerate(branches):
                yield child, f"{where}.{keyword}[{index}]"


def _rule_problems(rules: JSONValue, where: str) -> Iterator[tuple[str, str]]:
    for index, rule in enumerate(rules if isinstance(rules, list) else ()):
        if not isinstance(rule, dict):
            yield f"{where}[{index}]", wordings.misshapen(_found(rule), wordings.NOT_A_RULE)
            continue
        for keyword, (test, wanted) in _RULE_KEYWORDS.items():
            value = rule.get(keyword)
            if value is not None and not test(value):
                yield f"{where}[{index}].{keyword}", wordings.unwanted(_found(value), wanted)


def _found(value: JSONValue) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return wordings.the_number(value)
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:39] + "…")
    return wordings.A_MAP if isinstance(value, dict) else wordings.A_LIST
