"""Demands in the schema of one CRD that another CRD lacks, if the other is a copy that lost them.

`compare` finds them and makes a schema of them. Nothing is demanded that the installed CRD may lack on purpose:

- A CRD with a field, a value, a bound or a rule that the other lacks is one of another release, so what it lacks isn't a loss.
- A place that the installed CRD doesn't know isn't a loss: the server drops its value, so nothing is demanded of it, and rules that read it
  are left out. Such a CRD is an older one; the rest is demanded only if a newer release is known to run with it.
- What remains is a copy with fewer checks. If the running release is known, each missing check is lost. If not, upstream may have dropped
  one; then only what no release drops counts as lost: a kind of check that occurs nowhere in the copy, or the schema of a field.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from weighbridge.policies.cel.syntax.errors import Issues
from weighbridge.policies.cel.syntax.nodes import Select, walk
from weighbridge.policies.cel.syntax.parser import parse
from weighbridge.policies.cel.syntax.source import Source
from weighbridge.policies.cel.values.escapes import unescape
from weighbridge.policies.ground.fields import items as items_of
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.findings import Reported
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass

RULES: Final = "x-kubernetes-validations"
#: The whole schema of a field.
SCHEMA: Final = "schema"
_PRESERVE: Final = "x-kubernetes-preserve-unknown-fields"
_INT_OR_STRING: Final = "x-kubernetes-int-or-string"
_LIST_TYPE: Final = "x-kubernetes-list-type"
#: Fields that every object has, whether or not its schema has them.
_OF_EVERY_OBJECT: Final = frozenset({"apiVersion", "kind", "metadata"})
#: Keywords of a value's shape. They are kept so that rules can be compiled and values compared with old ones.
_SHAPE: Final = frozenset({
    "type", "nullable", "default", _INT_OR_STRING, _PRESERVE, "x-kubernetes-embedded-resource", _LIST_TYPE, "x-kubernetes-list-map-keys",
    "x-kubernetes-map-type",
})  # fmt: skip
_COMBINATORS: Final = ("allOf", "anyOf", "oneOf", "not")
#: Texts for people. Those of the shipped CRDs differ from upstream's.
_TEXTS: Final = frozenset({"title", "description", "example", "externalDocs"})
_NOTHING: Final = object()

#: Keywords that check a value.
_DEMANDS: Final = frozenset({
    "enum", "pattern", "format", "multipleOf", *_COMBINATORS, _LIST_TYPE, "minimum", "minLength", "minItems", "minProperties", "maximum",
    "maxLength", "maxItems", "maxProperties", "exclusiveMinimum", "exclusiveMaximum", "uniqueItems",
})  # fmt: skip


#: Keywords that are a sign of another release if they are added or have another value.
_TELLING: Final = _DEMANDS | {"default"}
_CHECKS: Final = _DEMANDS | {"required", RULES}


@dataclass(frozen=True, slots=True)
class Loss(Reported):
    """One lost check: the field (empty for the object), the keyword or `SCHEMA`, and the text if it is a CEL rule."""

    field: str
    keyword: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The lost checks, as a list and as a schema; `unknown_fields` are those that the installed CRD doesn't know."""

    losses: tuple[Loss, ...]
    unknown_fields: tuple[str, ...]
    schema: JSONObject


def compare(wanted: JSONObject, installed: JSONObject, newest: JSONObject | None = None, *, is_known_release: bool = True) -> Comparison:
    """The checks of `wanted` that `installed` has lost; both are structural schemas of the same kind.

    `newest` is the schema of the newest release from which `installed` may come, by default `wanted`. `is_known_release` says that the
    running system is known to have the release of `wanted`.
    """
    nothing = Comparison((), (), {_PRESERVE: True})
    if _is_same(wanted, installed) or _knows_more(installed, wanted if newest is None else newest):
        return nothing
    comparer = _Comparer(None if is_known_release else _keywords(installed), is_between=newest is not None and newest is not wanted)
    schema, _ = comparer.node(wanted, installed, "")
    is_older = bool(comparer.unknown_fields)
    if (is_older and not is_known_release) or (comparer.is_changed and not is_older):
        return nothing
    return Comparison(tuple(comparer.losses), tuple(comparer.unknown_fields), schema)


def common(one: JSONObject, other: JSONObject) -> JSONObject:
    """The schema of the checks that two releases have in common, and with them each release between them."""
    schema, _ = _common(one, other)
    return schema


class _Comparer:
    """One comparison. With `used`, the keywords that the installed CRD still has, only whole losses count; with `None` all count.

    `is_changed` says that the installed CRD differs from the wanted one somewhere, or checks more. If the wanted release `is_between` two,
    it isn't known which one checks more.
    """

    def __init__(self, used: frozenset[str] | None, *, is_between: bool = False) -> None:
        self._used, self._is_between = used, is_between
        self.is_changed = False
        self.losses: list[Loss] = []
        self.unknown_fields: list[str] = []

    def node(self, wanted: JSONObject, installed: JSONObject, field: str) -> tuple[JSONObject, set[str]]:
        """The schema of the lost checks at a place and below it, and the names of fields there that no rule may read."""
        if not _is_open(wanted):
            if _is_open(installed):
                self.losses.append(Loss(field, SCHEMA))
                return wanted, set()
            if not _is_alike(wanted, installed):
                self.is_changed = True
                return {_PRESERVE: True}, {_last(field)}
        kept: JSONObject = {key: value for key, value in wanted.items() if key in _SHAPE}
        if wanted.get("format") and wanted["format"] == installed.get("format"):
            kept["format"] = wanted["format"]
        # The largest CRDs have ten thousand places, few of which have checks.
        if not _CHECKS.isdisjoint(installed) or "default" in installed:
            self.is_changed = self.is_changed or self._says_else(wanted, installed)
        if not _DEMANDS.isdisjoint(wanted):
            self._demands(kept, wanted, installed, field)
        gone = self._below(kept, wanted, installed, field)
        if "required" in wanted:
            self._required(kept, wanted, installed, field)
        if RULES in wanted:
            self._rules(kept, wanted, installed, field, gone)
        return kept, gone

    def _says_else(self, wanted: JSONObject, installed: JSONObject) -> bool:
        """Whether the installed schema differs here: by the value of a keyword, or by a keyword, rule or required field that it adds."""
        for keyword in _TELLING & installed.keys():
            if keyword in _COMBINATORS and wanted.get(_INT_OR_STRING):
                continue
            if _says(keyword, wanted):
                if _is_other(wanted[keyword], installed[keyword]) and (keyword == _LIST_TYPE or _says(keyword, installed)):
                    return True
            elif _says(keyword, installed) and not self._is_between:
                return True
        if self._is_between:
            return False
        return not _required_of(installed) <= _required_of(wanted) or not _rules_of(installed) <= _rules_of(wanted)

    def _demands(self, kept: JSONObject, wanted: JSONObject, installed: JSONObject, field: str) -> None:
        # Sorted by name, as reports list them.
        for keyword in sorted(_DEMANDS & wanted.keys()):
            if _says(keyword, wanted) and not _says(keyword, installed) and self._counts(keyword):
                if keyword in _COMBINATORS and wanted.get(_INT_OR_STRING):
                    continue
                kept[keyword] = wanted[keyword]
                self.losses.append(Loss(field, keyword))

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
        there = _rules_of(installed)
        lost = [rule for rule in items_of(wanted, RULES) if text(rule, "rule").strip() not in there and not _names(rule) & gone]
        if lost:
            kept[RULES] = lost
            self.losses += (Loss(field, RULES, text(rule, "rule").strip()) for rule in lost)


def _common(one: JSONObject, other: JSONObject) -> tuple[JSONObject, set[str]]:
    """The common checks of two schemas, and the names of fields that only one of them has or that differ in type."""
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
    there = _rules_of(other)
    kept[RULES] = [rule for rule in items_of(one, RULES) if text(rule, "rule").strip() in there and not _names(rule) & gone]
    return {key: value for key, value in kept.items() if value != []}, gone


def _says(keyword: str, schema: JSONObject) -> bool:
    """Whether a keyword has an effect at a place. The list type `atomic` has none, since it is the default."""
    value = schema.get(keyword)
    if keyword == _LIST_TYPE:
        return value in ("set", "map")
    if keyword == "default":
        return keyword in schema
    return value is not None and value is not False and value != []


def _is_other(value: JSONValue, found: JSONValue) -> bool:
    """Whether two values of a keyword differ; the order of a list doesn't matter."""
    if isinstance(value, list) and isinstance(found, list):
        return len(value) != len(found) or any(each not in found for each in value)
    return bool(value != found)


def _required_of(schema: JSONObject) -> set[str]:
    return set(schema.get("required") or ())


def _rules_of(schema: JSONObject) -> set[str]:
    return {text(rule, "rule").strip() for rule in items_of(schema, RULES)}


def _is_open(schema: JSONObject) -> bool:
    """Whether a schema says at most that a value is an object."""
    if schema.get(_INT_OR_STRING) or "properties" in schema or isinstance(schema.get("additionalProperties"), dict):
        return False
    return not schema.get("type") or (schema["type"] == "object" and _keeps_unknown(schema))


def _keeps_unknown(schema: JSONObject) -> bool:
    """Whether fields that a schema doesn't know are stored."""
    return bool(schema.get(_PRESERVE)) or schema.get("additionalProperties") is True


def _is_alike(wanted: JSONObject, installed: JSONObject) -> bool:
    """Whether two schemas have the same type."""
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


@lru_cache(maxsize=4096)
def _selected(expression: str) -> frozenset[str]:
    if not expression:
        return frozenset()
    source = Source(expression)
    return frozenset(unescape(node.field) or node.field for node in walk(parse(source, Issues(source))) if isinstance(node, Select))


def _schemas(schema: JSONObject) -> Iterator[JSONObject]:
    """A schema and those below it, without combinators."""
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += part(node, "properties").values()
        waiting += (child for key in ("items", "additionalProperties") if isinstance(child := node.get(key), dict))


def _keywords(schema: JSONObject) -> frozenset[str]:
    """The keywords of all checks in a schema."""
    return frozenset(key for node in _schemas(schema) for key in node if key in _CHECKS and _says(key, node))


def _is_same(wanted: JSONObject, installed: JSONObject) -> bool:
    """Whether two schemas are equal apart from texts. They usually are, and this takes a seventh of the time of a comparison."""
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
    """Whether the installed schema has a field that the other lacks."""
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
