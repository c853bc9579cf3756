"""Random objects from a seed, to compare rules with their expressions: those of the cases, with changes to random fields.

A change drops a field, empties it, adds one from the schema, or sets another value: one that a case has there, a boundary, or a text of the
expressions. Only objects that the API server would store are drawn.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from operator import itemgetter
from random import Random
from typing import Any, Final

from tests.export.parts import facts, request
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.family import Family
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.verdict.engine import Phase, decide

#: An object, and the object that it replaces.
Pair = tuple[JSONObject, JSONObject | None]
#: A field by its parent and its key, with its schema and its path. Without a key it is any field that can be added.
Field = tuple[Any, Any, JSONObject, Path]
_WAYS: Final = ("drop", "empty", "another", "another", "another", "another")
#: Texts that are put before and after other texts, and into them.
_PIECES: Final = (
    "", " ", "-", "_", ".", "/", ":", "://", "@", "%", "%s", "{{", "}}", "{{.", "$(", "${", ")", "..", "=", ",", ";", '"', "'", "\\", "\t",
    "0", "9", "a", "A", "x" * 40, "x" * 64, "Ä", "İ", "B", "Gi", "k", "n", "e3", "v", "http", "x.y", "--",
)  # fmt: skip
_TEXTS: Final = (
    "",
    " ",
    "a",
    "A",
    "0",
    "1",
    "-1",
    "1.5",
    "x" * 63,
    "x" * 64,
    "x" * 300,
    "true",
    "null",
    "[]",
    "{}",
    "a/b",
    "a-b",
    "a.b",
    "Ä",
)
_NUMBERS: Final = (0, 1, -1, 2, 3, 8, 100, 101, 65535, 65536, 2147483647, -2147483648, 9223372036854775807)
_ANY: Final[tuple[JSONValue, ...]] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    1.5,
    "",
    "a",
    "1",
    "true",
    [],
    {},
    [""],
    ["a", "a"],
    {"a": "b"},
    [{}],
    {"": {}},
)
_METADATA: Final[JSONObject] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}
_LITERAL: Final = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")


@dataclass
class Words:
    """The source of random values: those of cases, by their path and by the name of their field; texts, and keys of maps."""

    at: dict[Path, list[JSONValue]] = field(default_factory=dict)
    called: dict[str, list[JSONValue]] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)

    def read(self, value: JSONValue, place: Path = ()) -> None:
        """Add the values of an object."""
        self.at.setdefault(place, []).append(value)
        if place:
            self.called.setdefault(str(place[-1]), []).append(value)
        if isinstance(value, dict):
            for key, inner in value.items():
                self.read(inner, (*place, key))
        elif isinstance(value, list):
            for inner in value:
                self.read(inner, (*place, 0))
        elif isinstance(value, str) and "\n" not in value:
            # The server shows no message with several lines.
            self.texts.append(value)

    def read_expressions(self, expressions: Sequence[str]) -> None:
        """Add the constants of expressions."""
        found = {text for one in expressions for match in _LITERAL.finditer(one) for text in match.groups() if text and "\n" not in text}
        self.texts += sorted(text for text in found if len(text) < 100)


@dataclass
class Drawing:
    """Draws objects of one kind."""

    family: Family
    definition: ResourceDefinition
    words: Words
    random: Random

    def around(self, seeds: Sequence[JSONObject], count: int, focus: Collection[str]) -> Iterator[Pair]:
        """A number of objects that the API server stores, each derived from a given one by a change of one field.

        All fields with a name in `focus` are changed in each way before others.
        """
        stored = self._stored(seeds)
        draws = [
            (not _is_in(at, focus), seed, number, how)
            for seed in stored
            for number, at in enumerate(self._fields(seed))
            for how in _ways(at)
        ]
        self.random.shuffle(draws)
        draws.sort(key=itemgetter(0))
        for _, seed, number, how in draws:
            drawn = deepcopy(seed)
            self._change_field(list(self._fields(drawn))[number], how, focus)
            found = self._pair(drawn, seed)
            if found is not None:
                yield found
                count -= 1
            if not count:
                return

    def far(self, seeds: Sequence[JSONObject], count: int, focus: Collection[str] = ()) -> Iterator[Pair]:
        """A number of objects that the API server stores, each derived from a given one by several changes."""
        stored, descendants = self._stored(seeds), list[JSONObject]()
        for number in range(50 * count):
            if not count or not stored:
                return
            is_descendant = bool(descendants) and self.random.random() < 0.3
            before = self.random.choice(descendants) if is_descendant else stored[number % len(stored)]
            drawn = deepcopy(before)
            for _ in range(self.random.choice((1, 1, 2, 2, 3))):
                fields = list(self._fields(drawn))
                if self.random.random() < 0.6:
                    fields = [one for one in fields if _is_in(one, focus)] or fields
                self._change_field(self.random.choice(fields), self.random.choice(_WAYS), focus)
            found = self._pair(drawn, before)
            if found is not None:
                yield found
                count -= 1
                descendants += [found[0]] if found[1] is None else []

    def _stored(self, seeds: Sequence[JSONObject]) -> list[JSONObject]:
        return [obj for seed in seeds if (obj := self.stored(seed, None)) is not None]

    def _pair(self, drawn: JSONObject, before: JSONObject) -> Pair | None:
        """A changed object as it is stored, sometimes with the object before the change; `None` if the API server doesn't store a
        change.
        """
        old = self._replaced(before) if self.random.random() < 0.2 else None
        obj = self.stored(drawn, old)
        return (obj, old) if obj is not None and {**obj, "status": None} != {**before, "status": None} else None

    def stored(self, obj: JSONObject, old: JSONObject | None) -> JSONObject | None:
        """The object as the API server stores it, every other time after the operator's own webhook; `None` if it doesn't."""
        found = self._accepted(obj, old)
        rewrite = self.family.rewrite.get(self.definition.gvk.kind)
        if found is not None and rewrite is not None and self.random.random() < 0.5:
            return self._accepted(rewrite(deepcopy(found), self.definition.openapi_schema).object, old)
        return found

    def _accepted(self, obj: JSONObject, old: JSONObject | None) -> JSONObject | None:
        decision = decide(request(obj, old), facts(), DEFAULT, Phase.APISERVER)
        return decision.object if decision.allowed and isinstance(decision.object, dict) else None

    def _replaced(self, obj: JSONObject) -> JSONObject:
        """The object after its operator: with a status from the cases, if they have one."""
        statuses = self.words.at.get(("status",))
        return {**obj, "status": deepcopy(self.random.choice(statuses))} if statuses else obj

    def _change_field(self, at: Field, how: str, focus: Collection[str]) -> None:
        """Change a field."""
        holder, key, schema, place = at
        if key is None:
            self._add(holder, schema, place, focus)
        elif how == "drop":
            del holder[key]
        elif how == "empty":
            holder[key] = _empty(holder[key])
        else:
            holder[key] = self._another(holder[key], schema, place)

    def _fields(self, obj: JSONObject) -> Iterator[Field]:
        """The fields of an object."""
        yield from self._within(obj.setdefault("metadata", {}), _METADATA, ("metadata",))
        whole = self.definition.openapi_schema
        for key in obj:
            if key not in ("apiVersion", "kind", "metadata", "status"):
                yield from self._at(obj, key, whole, ())

    def _at(self, holder: Any, key: Any, schema: JSONObject, place: Path) -> Iterator[Field]:
        inner, there = _schema_of(schema, key), (*place, 0 if isinstance(key, int) else key)
        yield holder, key, inner, there
        yield from self._within(holder[key], inner, there)

    def _within(self, value: Any, schema: JSONObject, place: Path) -> Iterator[Field]:
        if isinstance(value, dict):
            yield value, None, schema, place
        keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
        for key in keys:
            if place != ("metadata",) or key in _METADATA["properties"]:
                yield from self._at(value, key, schema, place)

    def _add(self, holder: JSONObject, schema: JSONObject, place: Path, focus: Collection[str]) -> None:
        """Add a field: one from the schema, or one that a case has there."""
        known = [key for key in schema.get("properties", {}) if key not in ("apiVersion", "kind", "metadata", "status")]
        seen = [key for value in self.words.at.get(place, ()) if isinstance(value, dict) for key in value] if place else []
        keys = [key for key in dict.fromkeys((*known, *seen)) if key not in holder]
        if "additionalProperties" in schema or not known:
            keys += [self.random.choice(self.words.texts), *map(str, place[-1:])]
        if self.random.random() < 0.7:
            keys = [key for key in keys if key in focus] or keys
        if keys:
            key = self.random.choice(keys)
            holder[key] = self._any(_schema_of(schema, key), (*place, key))

    def _any(self, schema: JSONObject, place: Path, depth: int = 0) -> JSONValue:
        """A value for a field: mostly one that a case has there, or in a field of this name; else one by the schema."""
        for known in (self.words.at.get(place), self.words.called.get(str(place[-1]))):
            if known and self.random.random() < 0.6:
                return deepcopy(self.random.choice(known))
        type_ = schema.get("type")
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        if type_ == "object" and depth < 4:
            own = schema.get("properties", {})
            chosen = [key for key in own if key in schema.get("required", ()) or self.random.random() < 0.3]
            return {key: self._any(own[key], (*place, key), depth + 1) for key in chosen}
        if type_ == "array" and depth < 4:
            return [self._any(schema.get("items", {}), (*place, 0), depth + 1) for _ in range(self.random.choice((0, 1, 1, 2, 3)))]
        if type_ in ("integer", "number"):
            return self.random.choice(_NUMBERS)
        if type_ == "boolean":
            return self.random.random() < 0.5
        if type_ == "string":
            return self._text(self.random.choice(self.words.texts))
        return deepcopy(self.random.choice((*_ANY, self.random.choice(self.words.texts))))

    def _another(self, value: Any, schema: JSONObject, place: Path) -> JSONValue:
        """Another value for a field."""
        is_free = schema.get("x-kubernetes-preserve-unknown-fields") is True or "type" not in schema
        if self.random.random() < (0.4 if is_free else 0.05):
            return deepcopy(self.random.choice(_ANY))
        if self.random.random() < 0.3:
            return self._any(schema, place)
        if isinstance(value, bool):
            return not value
        if isinstance(value, int | float):
            return self.random.choice((value + 1, value - 1, -value, 2 * value, self.random.choice(_NUMBERS)))
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, list):
            return self._list(value, schema, place)
        return {}

    def _list(self, value: list[Any], schema: JSONObject, place: Path) -> JSONValue:
        """Another list: an empty one, a shorter or a longer one, one with an item twice, or in another order."""
        one = deepcopy(self.random.choice(value)) if value else self._any(schema.get("items", {}), (*place, 0))
        more = self._any(schema.get("items", {}), (*place, 0))
        return self.random.choice(([], [*value, one], [one, *value], [*reversed(value)], value[1:], [*value, more], [more, *value], [one]))

    def _text(self, value: str) -> str:
        """Another text."""
        draw = self.random.choice
        piece, at = draw(_PIECES), self.random.randint(0, len(value))
        return draw(
            (
                draw(_TEXTS),
                draw(self.words.texts),
                value + piece,
                piece + value,
                value[:at] + piece + value[at:],
                value[1:],
                value[:-1],
                value[:at],
                value[at:],
                value.upper(),
                value.lower(),
                value.title(),
                value + draw(self.words.texts),
                value * 2,
            )
        )


def _ways(at: Field) -> Sequence[str]:
    """The ways in which a field is changed."""
    if at[1] is None:
        return ("add", "add")
    return ("drop", "empty") if isinstance(at[0][at[1]], dict) else _WAYS


def _is_in(at: Field, focus: Collection[str]) -> bool:
    """Whether a field has a name in the focus, or a field with such a name can be added."""
    return at[1] in focus or (at[1] is None and not _names(at[2]).isdisjoint(focus))


def _names(schema: JSONObject) -> set[str]:
    """The names of a struct's fields."""
    return set(schema.get("properties", {}))


def _empty(value: Any) -> JSONValue:
    """The empty value of the same type."""
    return type(value)() if value is not None else None


def _schema_of(schema: JSONObject, key: str | int) -> JSONObject:
    """The schema of a field or an item; an empty one if there is none."""
    if isinstance(key, int):
        return schema.get("items") or {}
    found = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
    return found if isinstance(found, dict) else {}
