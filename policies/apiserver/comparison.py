"""What the schema of one CRD demands and that of another doesn't: a copy that lost its rules, or one of another release.

`compare` finds it and makes a schema of it. A place that the installed CRD doesn't know is no loss: the server drops what stands there,
so nothing is demanded of it, and no rule is kept that reads it. Where the system is of a release that isn't known here, as it is where the
installed CRD knows more than the wanted one, what differs may have been changed on purpose. So only what is gone as a whole counts: a
keyword that stands nowhere any more, or the schema of a field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from policies.cel.syntax.errors import Issues
from policies.cel.syntax.nodes import Select, walk
from policies.cel.syntax.parser import parse
from policies.cel.syntax.source import Source
from policies.cel.values.escaping import unescape
from policies.fields import items as items_of
from policies.fields import part, text
from policies.objects import JSONObject, JSONValue

RULES: Final = "x-kubernetes-validations"
#: Stands for the whole schema of a field.
SCHEMA: Final = "schema"
_PRESERVE: Final = "x-kubernetes-preserve-unknown-fields"
_INT_OR_STRING: Final = "x-kubernetes-int-or-string"
_LIST_TYPE: Final = "x-kubernetes-list-type"
#: What every object has, whatever its schema says.
_OF_EVERY_OBJECT: Final = frozenset({"apiVersion", "kind", "metadata"})
#: What makes the shape of a value, kept so that rules can be compiled and values compared with those before.
_SHAPE: Final = frozenset({
    "type", "nullable", "default", _INT_OR_STRING, _PRESERVE, "x-kubernetes-embedded-resource", _LIST_TYPE, "x-kubernetes-list-map-keys",
    "x-kubernetes-map-type",
})  # fmt: skip
_COMBINATORS: Final = ("allOf", "anyOf", "oneOf", "not")
#: What only people read. The CRDs that ship have other texts than upstream's.
_TEXTS: Final = frozenset({"title", "description", "example", "externalDocs"})
_NOTHING: Final = object()

_IsWeaker = Callable[[JSONValue, JSONValue], bool]


def _differs(found: JSONValue, wanted: JSONValue) -> bool:
    return bool(found != wanted)


def _lets_more(found: JSONValue, wanted: JSONValue) -> bool:
    return any(value not in wanted for value in found)


def _is_lower(found: JSONValue, wanted: JSONValue) -> bool:
    return bool(found < wanted)


def _is_higher(found: JSONValue, wanted: JSONValue) -> bool:
    return bool(found > wanted)


#: Keywords that demand something of a value, and when another value of theirs demands less.
_DEMANDS: Final[dict[str, _IsWeaker]] = {
    "enum": _lets_more,
    **dict.fromkeys(("pattern", "format", "multipleOf", *_COMBINATORS, _LIST_TYPE), _differs),
    **dict.fromkeys(("minimum", "minLength", "minItems", "minProperties"), _is_lower),
    **dict.fromkeys(("maximum", "maxLength", "maxItems", "maxProperties"), _is_higher),
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum", "uniqueItems"), _is_lower),
}


@dataclass(frozen=True, slots=True)
class Loss:
    """One lost check: the field (empty for the object), the keyword or `SCHEMA`, and the text of a CEL rule."""

    field: str
    keyword: str
    rule: str = ""

    def as_json(self) -> JSONObject:
        """The loss as reports hold it."""
        return {"field": self.field, "keyword": self.keyword, **({"rule": self.rule} if self.rule else {})}


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is lost, as a list and as the schema that demands it; `unknown_fields` are those that the installed CRD doesn't know."""

    losses: tuple[Loss, ...]
    unknown_fields: tuple[str, ...]
    schema: JSONObject


def compare(wanted: JSONObject, installed: JSONObject, newest: JSONObject | None = None, *, is_known_release: bool = True) -> Comparison:
    """What `wanted` demands and `installed` doesn't; both are structural schemas of the same kind.

    `newest` is that of the newest release that the installed one may be of, `wanted` unless given. `is_known_release` is whether what runs
    is of the release that `wanted` is of.
    """
    if _is_same(wanted, installed):
        return Comparison((), (), {_PRESERVE: True})
    is_known_release = is_known_release and not _knows_more(installed, wanted if newest is None else newest)
    comparer = _Comparer(None if is_known_release else _keywords(installed))
    schema, _ = comparer.node(wanted, installed, "")
    return Comparison(tuple(comparer.losses), tuple(comparer.unknown_fields), schema)


def common(one: JSONObject, other: JSONObject) -> JSONObject:
    """What two releases demand alike, and so does each one between them."""
    schema, _ = _common(one, other)
    return schema


class _Comparer:
    """One comparison. With `used`, the keywords that the installed CRD still has, only whole losses count; with `None` all count."""

    def __init__(self, used: frozenset[str] | None) -> None:
        self._used = used
        self.losses: list[Loss] = []
        self.unknown_fields: list[str] = []

    def node(self, wanted: JSONObject, installed: JSONObject, field: str) -> tuple[JSONObject, set[str]]:
        """The schema of what is lost at a place and below it, and the names of the fields there that no rule may read."""
        if not _is_open(wanted):
            if _is_open(installed):
                self.losses.append(Loss(field, SCHEMA))
                return wanted, set()
            if not _is_alike(wanted, installed):
                return {_PRESERVE: True}, {_last(field)}
        kept: JSONObject = {key: value for key, value in wanted.items() if key in _SHAPE}
        if wanted.get("format") and wanted["format"] == installed.get("format"):
            kept["format"] = wanted["format"]
        # The largest CRDs have ten thousand places, few of which demand anything.
        if not _DEMANDS.keys().isdisjoint(wanted):
            self._demands(kept, wanted, installed, field)
        gone = self._below(kept, wanted, installed, field)
        if "required" in wanted:
            self._required(kept, wanted, installed, field)
        if RULES in wanted:
            self._rules(kept, wanted, installed, field, gone)
        return kept, gone

    def _demands(self, kept: JSONObject, wanted: JSONObject, installed: JSONObject, field: str) -> None:
        for keyword, is_weaker in _DEMANDS.items():
            value = wanted.get(keyword)
            if value is not None and value is not False and self._is_lost(keyword, wanted, installed, is_weaker):
                kept[keyword] = wanted[keyword]
                self.losses.append(Loss(field, keyword))

    def _is_lost(self, keyword: str, wanted: JSONObject, installed: JSONObject, is_weaker: _IsWeaker) -> bool:
        if keyword in _COMBINATORS and wanted.get(_INT_OR_STRING):
            return False
        found = installed.get(keyword)
        if found is None and keyword == _LIST_TYPE:
            return bool(wanted[keyword] in ("set", "map")) and self._counts(keyword)
        if found is None or found is False:
            return self._counts(keyword)
        return self._used is None and is_weaker(found, wanted[keyword])

    def _counts(self, keyword: str) -> bool:
        """Whether a keyword that is missing at a place counts as lost."""
        return self._used is None or keyword not in self._used

    def _below(self, kept: JSONObject, wanted: JSONObject, installed: JSONObject, field: str) -> set[str]:
        gone: set[str] = set()
        if "properties" in wanted:
            self._properties(kept, gone, wanted, installed, field)
        for keyword, where in (("items", f"{field}[*]"), ("additionalProperties", f"{field}.*")):
            child = wanted.get(keyword)
            if isinstance(child, dict):
                found = installed.get(keyword)
                kept[keyword], below = self.node(child, found if isinstance(found, dict) else {}, where)
                gone |= below
            elif child is not None:
                kept[keyword] = child
        return gone

    def _properties(self, kept: JSONObject, gone: set[str], wanted: JSONObject, installed: JSONObject, field: str) -> None:
        properties: JSONObject = {}
        known = part(installed, "properties")
        for name, child in part(wanted, "properties").items():
            where = f"{field}.{name}" if field else name
            if not field and name in _OF_EVERY_OBJECT:
                properties[name] = child
            elif name in known:
                properties[name], below = self.node(child, known[name], where)
                gone |= below
            elif _keeps_unknown(installed):
                self.losses.append(Loss(where, SCHEMA))
                properties[name] = child
            else:
                self.unknown_fields.append(where)
                gone.add(name)
        if properties:
            kept["properties"] = properties

    def _required(self, kept: JSONObject, wanted: JSONObject, installed: JSONObject, field: str) -> None:
        if not self._counts("required"):
            return
        there = installed.get("required") or ()
        properties = part(kept, "properties")
        lost = [name for name in wanted.get("required") or () if name not in there and name in properties]
        if lost:
            kept["required"] = lost
            self.losses += (Loss(f"{field}.{name}" if field else name, "required") for name in lost)

    def _rules(self, kept: JSONObject, wanted: JSONObject, installed: JSONObject, field: str, gone: set[str]) -> None:
        if not self._counts(RULES):
            return
        there = {text(rule, "rule").strip() for rule in items_of(installed, RULES)}
        lost = [rule for rule in items_of(wanted, RULES) if text(rule, "rule").strip() not in there and not _names(rule) & gone]
        if lost:
            kept[RULES] = lost
            self.losses += (Loss(field, RULES, text(rule, "rule").strip()) for rule in lost)


def _common(one: JSONObject, other: JSONObject) -> tuple[JSONObject, set[str]]:
    """What two schemas demand alike, and the names of fields that only one of them has, or has otherwise."""
    kept: JSONObject = {key: value for key, value in one.items() if (key in _SHAPE or key == "format") and value == other.get(key)}
    kept |= {key: one[key] for key in _DEMANDS if key in one and one[key] == other.get(key)}
    properties, gone = {}, set(part(one, "properties").keys() ^ part(other, "properties").keys())
    for name, child in part(one, "properties").items():
        found = part(other, "properties").get(name)
        if found is not None and _is_alike(child, found):
            properties[name], below = _common(child, found)
            gone |= below
        else:
            gone.add(name)
    if properties:
        kept["properties"] = properties
    for keyword in ("items", "additionalProperties"):
        child, found = one.get(keyword), other.get(keyword)
        if isinstance(child, dict) and isinstance(found, dict) and _is_alike(child, found):
            kept[keyword], below = _common(child, found)
            gone |= below
        elif child is not None or found is not None:
            kept[keyword] = {_PRESERVE: True} if isinstance(child, dict) else child
    kept["required"] = [name for name in one.get("required") or () if name in (other.get("required") or ()) and name in properties]
    there = {text(rule, "rule").strip() for rule in items_of(other, RULES)}
    kept[RULES] = [rule for rule in items_of(one, RULES) if text(rule, "rule").strip() in there and not _names(rule) & gone]
    return {key: value for key, value in kept.items() if value != []}, gone


def _is_open(schema: JSONObject) -> bool:
    """Whether a schema says nothing of a value, but that it may be an object."""
    if schema.get(_INT_OR_STRING) or "properties" in schema or isinstance(schema.get("additionalProperties"), dict):
        return False
    return not schema.get("type") or (schema["type"] == "object" and _keeps_unknown(schema))


def _keeps_unknown(schema: JSONObject) -> bool:
    """Whether fields that a schema doesn't know are stored."""
    return bool(schema.get(_PRESERVE)) or schema.get("additionalProperties") is True


def _is_alike(wanted: JSONObject, installed: JSONObject) -> bool:
    """Whether two schemas are of values of the same type."""
    if _is_open(wanted):
        return True
    return (
        wanted.get("type") == installed.get("type")
        and bool(wanted.get(_INT_OR_STRING)) == bool(installed.get(_INT_OR_STRING))
        and isinstance(wanted.get("additionalProperties"), dict) == isinstance(installed.get("additionalProperties"), dict)
    )


def _last(field: str) -> str:
    return field.removesuffix("[*]").removesuffix(".*").rpartition(".")[2].removesuffix("[*]")


def _names(rule: JSONObject) -> set[str]:
    """The names of fields that a rule or its message reads."""
    return set(_selected(text(rule, "rule")) | _selected(text(rule, "messageExpression")))


@cache
def _selected(expression: str) -> frozenset[str]:
    if not expression:
        return frozenset()
    source = Source(expression)
    return frozenset(unescape(node.field) or node.field for node in walk(parse(source, Issues(source))) if isinstance(node, Select))


def _schemas(schema: JSONObject) -> Iterator[JSONObject]:
    """A schema and those below it, combinators aside."""
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += part(node, "properties").values()
        waiting += (child for key in ("items", "additionalProperties") if isinstance(child := node.get(key), dict))


def _keywords(schema: JSONObject) -> frozenset[str]:
    """The keywords that stand anywhere in a schema."""
    return frozenset(key for node in _schemas(schema) for key, value in node.items() if value)


def _is_same(wanted: JSONObject, installed: JSONObject) -> bool:
    """Whether two schemas are the same, texts aside. That is the usual case, and takes a seventh of the time of a comparison."""
    for key, value in wanted.items():
        if key in _TEXTS:
            continue
        found = installed.get(key, _NOTHING)
        if key == "properties" and isinstance(found, dict):
            if value.keys() != found.keys() or not all(_is_same(child, found[name]) for name, child in value.items()):
                return False
        elif key in ("items", "additionalProperties") and isinstance(value, dict) and isinstance(found, dict):
            if not _is_same(value, found):
                return False
        elif value != found:
            return False
    return all(key in wanted or key in _TEXTS for key in installed)


def _knows_more(installed: JSONObject, wanted: JSONObject) -> bool:
    """Whether there is a field that only the installed schema knows."""
    known = part(wanted, "properties")
    for name, child in part(installed, "properties").items():
        if name not in known:
            if known or not _keeps_unknown(wanted):
                return True
        elif _knows_more(child, known[name]):
            return True
    for key in ("items", "additionalProperties"):
        child, found = installed.get(key), wanted.get(key)
        if isinstance(child, dict) and isinstance(found, dict) and _knows_more(child, found):
            return True
    return False
