"""Cases about the rules of a definition."""

from __future__ import annotations

from typing import Final

from tests.acceptance.definitions import with_root, with_rule, with_x
from tests.acceptance.schemas import (
    ALWAYS,
    INT_OR_STRING,
    LIST_TYPE,
    MAP_TYPE,
    NUMBER,
    PRESERVE,
    RULES_KEY,
    TEXT,
    a_list,
    a_map,
    a_map_list,
)
from weighbridge.policies.ground.objects import JSONObject, JSONValue

#: Rules on ``spec.x``: its schema, the rule and what else the rule has.
RULES: Final[dict[str, tuple[JSONObject, str, JSONObject]]] = {
    "good": (TEXT, "self.size() > 3", {}),
    "empty": (TEXT, " ", {}),
    "no-bool": (TEXT, "self", {}),
    "undeclared": (TEXT, "foo == self && self.bar", {}),
    "undefined-field": (a_map(a=TEXT), "self.b == ''", {}),
    "no-overload": (TEXT, "self == 1", {}),
    "syntax": (TEXT, "self ==", {}),
    "type-name": (a_map(a=TEXT), "self == 1", {}),
    "constant": (TEXT, "int('x') == 1", {}),
    "constant-and-old": (a_list(TEXT), "int('x') == oldSelf.size()", {}),
    "message": (TEXT, "true", {"message": "m"}),
    "message-blank": (TEXT, "true", {"message": "  "}),
    "message-lines": (TEXT, "true", {"message": "a\nb"}),
    "rule-lines": (TEXT, "true &&\ntrue", {}),
    "rule-lines-and-message": (TEXT, "true &&\ntrue", {"message": "m"}),
    "message-expression": (TEXT, "true", {"messageExpression": "'got ' + string(self.size())"}),
    "message-expression-blank": (TEXT, "true", {"messageExpression": "\t"}),
    "message-expression-number": (TEXT, "true", {"messageExpression": "1"}),
    "message-expression-wrong": (TEXT, "true", {"messageExpression": "self.x"}),
    "message-expression-constant": (TEXT, "true", {"messageExpression": "string(int('x'))"}),
    "message-expression-dear": (NUMBER, "self >= oldSelf", {"messageExpression": "'may only grow from ' + string(oldSelf)"}),
    "message-expression-of-wrong-rule": (TEXT, "self.x", {"messageExpression": "self.x"}),
    "reason": (TEXT, "true", {"reason": "FieldValueForbidden"}),
    "reason-other": (TEXT, "true", {"reason": "Because<"}),
    "reason-empty": (TEXT, "true", {"reason": ""}),
    "field-path": (a_map(a=TEXT), "true", {"fieldPath": ".a"}),
    "field-path-nowhere": (a_map(a=TEXT), "true", {"fieldPath": ".b"}),
    "field-path-blank": (a_map(a=TEXT), "true", {"fieldPath": " "}),
    "field-path-lines": (a_map(a=TEXT), "true", {"fieldPath": ".a\n"}),
    "field-path-key": ({"type": "object", "additionalProperties": TEXT}, "true", {"fieldPath": "['a b']"}),
    "field-path-any": ({"type": "object", "additionalProperties": True}, "true", {"fieldPath": "['a b']"}),
    "field-path-unfinished": (a_map(a=TEXT), "true", {"fieldPath": ".a["}),
    "old-self": (TEXT, "self == oldSelf", {}),
    "optional-old-self": (TEXT, "oldSelf.hasValue()", {"optionalOldSelf": True}),
    "optional-old-self-unused": (TEXT, "true", {"optionalOldSelf": True}),
    "optional-old-self-false": (TEXT, "self == oldSelf", {"optionalOldSelf": False}),
    "optional-old-self-false-unused": (TEXT, "true", {"optionalOldSelf": False}),
    "on-object-without-fields": ({"type": "object"}, "self == self", {}),
    "on-preserving": ({PRESERVE: True}, "true", {}),
    "on-int-or-string": ({INT_OR_STRING: True}, "self == 'a' || self == 1", {}),
    "on-list-of-unknown": (a_list({PRESERVE: True}), "true", {}),
    "on-map": ({"type": "object", "additionalProperties": NUMBER}, "self.all(k, self[k] > 1)", {}),
    "dear-on-list": (a_list(TEXT), "self.all(a, self.all(b, a == b || a != b))", {}),
    "dear-a-little": (a_list(NUMBER, maxItems=1360), "self.all(a, self.exists(b, a == b))", {}),
    "new-functions": (a_list(NUMBER, maxItems=5), "self.sort() == self || ip('1.2.3.4').family() == 4", {}),
    "unknown-function": (TEXT, "math.abs(-1) == 1", {}),
    "authorizer": (TEXT, "authorizer.path('/x').check('get').allowed()", {}),
    "several-errors": (TEXT, "self.a + self.b == x", {"reason": "x"}),
}


def _rule_below_list(rule: str, **list_: JSONValue) -> JSONObject:
    return with_x(a_list(a_map(a=TEXT | {RULES_KEY: [{"rule": rule}]}), **list_))


def _dear(count: int, **more: JSONValue) -> JSONObject:
    """A list with a number of rules, each of which is within the limit."""
    rules = [{"rule": "self.all(a, self.all(b, a != b || true))", "message": f"m{number}"} for number in range(count)]
    return with_x(a_list(NUMBER, maxItems=1000) | {RULES_KEY: rules} | more)


#: Rules in other places, and several of them.
RULE_PLACES: Final[dict[str, JSONObject]] = {
    "old-in-atomic-list": _rule_below_list("self == oldSelf"),
    "old-in-set": with_x(a_list(TEXT | {RULES_KEY: [{"rule": "self == oldSelf"}]}, **{LIST_TYPE: "set"})),
    "old-in-map-list": with_x(a_map_list(a_map(a=TEXT, b=TEXT | {RULES_KEY: [{"rule": "self == oldSelf"}]}) | {"required": ["a"]}, "a")),
    "old-in-atomic-map": with_x(a_map(a=TEXT | {RULES_KEY: [{"rule": "self == oldSelf"}]}) | {MAP_TYPE: "atomic"}),
    "old-in-list-in-list": with_x(
        a_map_list(a_map(a=TEXT, b=a_list(TEXT | {RULES_KEY: [{"rule": "self == oldSelf"}]})) | {"required": ["a"]}, "a")
    ),
    "old-optional-in-list": with_x(a_list(TEXT | {RULES_KEY: [{"rule": "oldSelf.hasValue()", "optionalOldSelf": True}]})),
    "in-branch": with_x(TEXT | {"anyOf": [{RULES_KEY: ALWAYS}]}),
    "beside-broken-schema": with_x(a_map(a={"type": "string", "uniqueItems": True}) | {RULES_KEY: [{"rule": "nonsense"}]}),
    "above-broken-schema": with_root(
        a_map(spec=a_map(a=TEXT | {RULES_KEY: [{"rule": "nonsense"}]}, b={"type": "string", "uniqueItems": True}))
    ),
    "on-unescapable-name": with_root(a_map(**{"a b": TEXT | {RULES_KEY: [{"rule": "self.foo"}]}}) | {RULES_KEY: ALWAYS}),
    "on-hidden-below-rule": with_root(a_map(a={PRESERVE: True, RULES_KEY: ALWAYS}) | {RULES_KEY: ALWAYS}),
    "on-items-of-object": with_x({"type": "object", "items": TEXT | {RULES_KEY: ALWAYS}, RULES_KEY: ALWAYS}),
    "many-in-unbounded-map": with_x({"type": "object", "additionalProperties": TEXT | {RULES_KEY: [{"rule": "self.contains('a')"}]}}),
    "in-bounded-map": with_x(
        {
            "type": "object",
            "maxProperties": 10,
            "additionalProperties": TEXT | {"maxLength": 10, RULES_KEY: [{"rule": "self.contains('a')"}]},
        }
    ),
    "in-negative-map": with_x(
        {"type": "object", "maxProperties": -1, "additionalProperties": TEXT | {RULES_KEY: [{"rule": "self.contains('a')"}]}}
    ),
    "dear-in-bounded-list": with_x(a_list(a_list(TEXT | {RULES_KEY: [{"rule": "self.matches('a')"}]}, maxItems=100), maxItems=100)),
    "total-within": _dear(4),
    "total-above": _dear(30),
}


def definitions() -> dict[str, JSONObject]:
    """All of the cases, by name."""
    found = {f"rule-{name}": with_rule(schema, rule, **parts) for name, (schema, rule, parts) in RULES.items()}
    return found | {f"rules-{name}": crd for name, crd in RULE_PLACES.items()}
