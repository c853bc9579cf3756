"""Cases about the rules of a definition."""

from __future__ import annotations

from typing import Final

from tests.acceptance.definitions import with_root, with_rule, with_x
from weighbridge.policies.ground.objects import JSONObject, JSONValue

_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "integer"}
_PRESERVE: Final = "x-kubernetes-preserve-unknown-fields"
_EMBEDDED: Final = "x-kubernetes-embedded-resource"
_INT_OR_STRING: Final = "x-kubernetes-int-or-string"
_LIST_TYPE: Final = "x-kubernetes-list-type"
_MAP_TYPE: Final = "x-kubernetes-map-type"
_KEYS: Final = "x-kubernetes-list-map-keys"
_RULES: Final = "x-kubernetes-validations"
_RULE: Final = [{"rule": "true"}]


def _object(**properties: JSONValue) -> JSONObject:
    return {"type": "object", "properties": properties}


def _list(items: JSONValue, **more: JSONValue) -> JSONObject:
    return {"type": "array", "items": items} | more


def _map_list(item: JSONObject, *keys: str, **more: JSONValue) -> JSONObject:
    return {"type": "array", "items": item, _LIST_TYPE: "map", _KEYS: list(keys)} | more


#: Rules on ``spec.x``: its schema, the rule and what else the rule has.
RULES: Final[dict[str, tuple[JSONObject, str, JSONObject]]] = {
    "good": (_TEXT, "self.size() > 3", {}),
    "empty": (_TEXT, " ", {}),
    "no-bool": (_TEXT, "self", {}),
    "undeclared": (_TEXT, "foo == self && self.bar", {}),
    "undefined-field": (_object(a=_TEXT), "self.b == ''", {}),
    "no-overload": (_TEXT, "self == 1", {}),
    "syntax": (_TEXT, "self ==", {}),
    "type-name": (_object(a=_TEXT), "self == 1", {}),
    "constant": (_TEXT, "int('x') == 1", {}),
    "constant-and-old": (_list(_TEXT), "int('x') == oldSelf.size()", {}),
    "message": (_TEXT, "true", {"message": "m"}),
    "message-blank": (_TEXT, "true", {"message": "  "}),
    "message-lines": (_TEXT, "true", {"message": "a\nb"}),
    "rule-lines": (_TEXT, "true &&\ntrue", {}),
    "rule-lines-and-message": (_TEXT, "true &&\ntrue", {"message": "m"}),
    "message-expression": (_TEXT, "true", {"messageExpression": "'got ' + string(self.size())"}),
    "message-expression-blank": (_TEXT, "true", {"messageExpression": "\t"}),
    "message-expression-number": (_TEXT, "true", {"messageExpression": "1"}),
    "message-expression-wrong": (_TEXT, "true", {"messageExpression": "self.x"}),
    "message-expression-constant": (_TEXT, "true", {"messageExpression": "string(int('x'))"}),
    "message-expression-dear": (_NUMBER, "self >= oldSelf", {"messageExpression": "'may only grow from ' + string(oldSelf)"}),
    "message-expression-of-wrong-rule": (_TEXT, "self.x", {"messageExpression": "self.x"}),
    "reason": (_TEXT, "true", {"reason": "FieldValueForbidden"}),
    "reason-other": (_TEXT, "true", {"reason": "Because<"}),
    "reason-empty": (_TEXT, "true", {"reason": ""}),
    "field-path": (_object(a=_TEXT), "true", {"fieldPath": ".a"}),
    "field-path-nowhere": (_object(a=_TEXT), "true", {"fieldPath": ".b"}),
    "field-path-blank": (_object(a=_TEXT), "true", {"fieldPath": " "}),
    "field-path-lines": (_object(a=_TEXT), "true", {"fieldPath": ".a\n"}),
    "field-path-key": ({"type": "object", "additionalProperties": _TEXT}, "true", {"fieldPath": "['a b']"}),
    "field-path-any": ({"type": "object", "additionalProperties": True}, "true", {"fieldPath": "['a b']"}),
    "field-path-unfinished": (_object(a=_TEXT), "true", {"fieldPath": ".a["}),
    "old-self": (_TEXT, "self == oldSelf", {}),
    "optional-old-self": (_TEXT, "oldSelf.hasValue()", {"optionalOldSelf": True}),
    "optional-old-self-unused": (_TEXT, "true", {"optionalOldSelf": True}),
    "optional-old-self-false": (_TEXT, "self == oldSelf", {"optionalOldSelf": False}),
    "optional-old-self-false-unused": (_TEXT, "true", {"optionalOldSelf": False}),
    "on-object-without-fields": ({"type": "object"}, "self == self", {}),
    "on-preserving": ({_PRESERVE: True}, "true", {}),
    "on-int-or-string": ({_INT_OR_STRING: True}, "self == 'a' || self == 1", {}),
    "on-list-of-unknown": (_list({_PRESERVE: True}), "true", {}),
    "on-map": ({"type": "object", "additionalProperties": _NUMBER}, "self.all(k, self[k] > 1)", {}),
    "dear-on-list": (_list(_TEXT), "self.all(a, self.all(b, a == b || a != b))", {}),
    "dear-a-little": (_list(_NUMBER, maxItems=1360), "self.all(a, self.exists(b, a == b))", {}),
    "new-functions": (_list(_NUMBER, maxItems=5), "self.sort() == self || ip('1.2.3.4').family() == 4", {}),
    "unknown-function": (_TEXT, "math.abs(-1) == 1", {}),
    "authorizer": (_TEXT, "authorizer.path('/x').check('get').allowed()", {}),
    "several-errors": (_TEXT, "self.a + self.b == x", {"reason": "x"}),
}


def _rule_below_list(rule: str, **list_: JSONValue) -> JSONObject:
    return with_x(_list(_object(a=_TEXT | {_RULES: [{"rule": rule}]}), **list_))


def _dear(count: int, **more: JSONValue) -> JSONObject:
    """A list within the limit of one rule, with so many rules."""
    rules = [{"rule": "self.all(a, self.all(b, a != b || true))", "message": f"m{number}"} for number in range(count)]
    return with_x(_list(_NUMBER, maxItems=1000) | {_RULES: rules} | more)


#: Rules in other places, and several of them.
RULE_PLACES: Final[dict[str, JSONObject]] = {
    "old-in-atomic-list": _rule_below_list("self == oldSelf"),
    "old-in-set": with_x(_list(_TEXT | {_RULES: [{"rule": "self == oldSelf"}]}, **{_LIST_TYPE: "set"})),
    "old-in-map-list": with_x(_map_list(_object(a=_TEXT, b=_TEXT | {_RULES: [{"rule": "self == oldSelf"}]}) | {"required": ["a"]}, "a")),
    "old-in-atomic-map": with_x(_object(a=_TEXT | {_RULES: [{"rule": "self == oldSelf"}]}) | {_MAP_TYPE: "atomic"}),
    "old-in-list-in-list": with_x(
        _map_list(_object(a=_TEXT, b=_list(_TEXT | {_RULES: [{"rule": "self == oldSelf"}]})) | {"required": ["a"]}, "a")
    ),
    "old-optional-in-list": with_x(_list(_TEXT | {_RULES: [{"rule": "oldSelf.hasValue()", "optionalOldSelf": True}]})),
    "in-branch": with_x(_TEXT | {"anyOf": [{_RULES: _RULE}]}),
    "beside-broken-schema": with_x(_object(a={"type": "string", "uniqueItems": True}) | {_RULES: [{"rule": "nonsense"}]}),
    "above-broken-schema": with_root(
        _object(spec=_object(a=_TEXT | {_RULES: [{"rule": "nonsense"}]}, b={"type": "string", "uniqueItems": True}))
    ),
    "on-unescapable-name": with_root(_object(**{"a b": _TEXT | {_RULES: [{"rule": "self.foo"}]}}) | {_RULES: _RULE}),
    "on-hidden-below-rule": with_root(_object(a={_PRESERVE: True, _RULES: _RULE}) | {_RULES: _RULE}),
    "on-items-of-object": with_x({"type": "object", "items": _TEXT | {_RULES: _RULE}, _RULES: _RULE}),
    "many-in-unbounded-map": with_x({"type": "object", "additionalProperties": _TEXT | {_RULES: [{"rule": "self.contains('a')"}]}}),
    "in-bounded-map": with_x(
        {"type": "object", "maxProperties": 10, "additionalProperties": _TEXT | {"maxLength": 10, _RULES: [{"rule": "self.contains('a')"}]}}
    ),
    "in-negative-map": with_x(
        {"type": "object", "maxProperties": -1, "additionalProperties": _TEXT | {_RULES: [{"rule": "self.contains('a')"}]}}
    ),
    "dear-in-bounded-list": with_x(_list(_list(_TEXT | {_RULES: [{"rule": "self.matches('a')"}]}, maxItems=100), maxItems=100)),
    "total-within": _dear(4),
    "total-above": _dear(30),
}


def definitions() -> dict[str, JSONObject]:
    """All of the cases, by name."""
    found = {f"rule-{name}": with_rule(schema, rule, **parts) for name, (schema, rule, parts) in RULES.items()}
    return found | {f"rules-{name}": crd for name, crd in RULE_PLACES.items()}
