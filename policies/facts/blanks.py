"""Blanks all texts of a cluster's object that can be secrets, and says where they were.

A text stays only where its field is known to name, choose, place or size something: by the last word of the field's name, by an enumeration
in the CRD's schema, or because a family says that its rules read it. All others are blank: values of variables, headers and annotations,
the entries of maps that the author keys, messages, contents of files, and unknown fields. Of arguments the flags
stay, the programs of engines, and the values of those that size a workload. What stays is freed of credentials. Numbers and booleans stay.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts.credentials import BLANK, without_credentials
from weighbridge.policies.facts.vocabulary import (
    ARGUMENTS,
    FREE_MAPS,
    KEPT_MAPS,
    PLAIN_ARGUMENTS,
    SIZES,
    is_harmless,
    is_harmless_label,
    last_word,
)
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.ground.records import dataclass

_NUMBER: Final = expression(r"-?[0-9]{1,12}(?:\.[0-9]{1,6})?[kKMGTmu]?i?%?")
_FLAG: Final = expression(r"--[a-zA-Z][a-zA-Z0-9._-]*|-[a-zA-Z][a-zA-Z0-9-]{0,4}")
#: A variable that an argument refers to, of the environment or of a template.
_REFERENCE: Final = expression(r"\$\([A-Za-z_][A-Za-z0-9_]*\)|\{\{\s*\.?[A-Za-z_][A-Za-z0-9_]*\s*\}\}")
_TIME: Final = expression(r"[0-9TZ:+.-]{1,40}")
#: Whether a text of such a field is a secret depends on the fields next to it.
_AMBIGUOUS: Final = frozenset({"value", "values"})
#: The types of an autoscaler's target (Kubernetes v1.36, autoscaling/v2 MetricTarget).
_TARGETS: Final = frozenset({"Value", "AverageValue", "Utilization"})
#: The schema of what the CRD says nothing of.
_NONE: Final[JSONObject] = {}


@dataclass(frozen=True, slots=True)
class Needed:
    """What rules read besides: texts by the names of their fields (or with the field above, ``model.value``), values of flags (``--port``)
    and variables by theirs.

    `references` are fields whose texts are names of objects, which other names may take the place of; where they are given with the field
    above (``poolRef.name``), also the names of objects that aren't there. Flags whose values are such names (``--pool-name``) are among
    them. `names` are names that mean something by themselves, as `default` may, and so stay. `entries` are keys of an author's map, such
    as a ConfigMap's, whose texts are settings, and `annotations` those of which a word is read.
    """

    fields: frozenset[str] = frozenset()
    references: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    entries: frozenset[str] = frozenset()
    annotations: frozenset[str] = frozenset()

    def __or__(self, other: Needed) -> Needed:
        return Needed(
            self.fields | other.fields,
            self.references | other.references,
            self.values | other.values,
            self.names | other.names,
            self.entries | other.entries,
            self.annotations | other.annotations,
        )


NOTHING: Final = Needed()


def blanked(obj: JSONObject, needed: Needed, schema: JSONObject | None = None) -> tuple[JSONObject, list[Path]]:
    """The object without secrets, and the paths of what was blanked; `schema` is that of its CRD, where there is one."""
    walk = _Walk(needed)
    return walk.of_map(obj, (), schema or _NONE), walk.paths


class _Walk:
    """One walk over one object. Below what is `free` every text may be anything."""

    def __init__(self, needed: Needed) -> None:
        self._fields = needed.fields | needed.references
        self._values = needed.values
        self._entries = needed.entries
        self.paths: list[Path] = []

    def of_map(self, value: JSONObject, path: Path, schema: JSONObject, *, free: bool = False, chosen: bool = False) -> JSONObject:
        """A map, by the fields that the schema has, and by the author's keys; with `chosen` its own texts choose or size something."""
        properties, others = part(schema, "properties"), schema.get("additionalProperties")
        found = {}
        for name, inner in value.items():
            where, declared = (*path, name), properties.get(name)
            is_field = isinstance(declared, dict) or not isinstance(others, dict)
            below: JSONObject = declared if isinstance(declared, dict) else others if isinstance(others, dict) else _NONE
            if free and name in self._entries and isinstance(inner, str):
                found[name] = self._of_text(inner, where, below, is_kept=True)
            elif chosen and isinstance(inner, str):
                found[name] = self._of_text(inner, where, below, is_kept=is_harmless_label(name))
            elif is_field:
                found[name] = self._of_field(inner, where, below, value, free=free)
            else:
                # The author's key says nothing of its value, unless a family reads it there.
                found[name] = self._of_value(inner, where, below, free=free, is_kept=self._is_named(where))
        return found

    def _of_field(self, value: JSONValue, path: Path, schema: JSONObject, beside: JSONObject, *, free: bool) -> JSONValue:
        name = str(path[-1])
        last = last_word(name)
        if isinstance(value, list) and last in ARGUMENTS:
            return self._of_arguments(value, path)
        if isinstance(value, dict) and "properties" not in schema:
            return self.of_map(value, path, schema, free=free or last in FREE_MAPS, chosen=not free and last in KEPT_MAPS)
        is_kept = self._is_needed(path) or (self._is_plain(beside) if name in _AMBIGUOUS else is_harmless(name))
        return self._of_value(value, path, schema, free=free, is_kept=(is_kept and not free) or self._is_named(path))

    def _is_needed(self, path: Path) -> bool:
        """Whether a family reads the field, by its name or by that and the name of the field above it."""
        return path[-1] in self._fields or self._is_named(path)

    def _is_named(self, path: Path) -> bool:
        """Whether a family reads the field by its name together with that of the field above it."""
        return ".".join(map(str, path[-2:])) in self._fields

    def _is_plain(self, beside: JSONObject) -> bool:
        """Whether a value belongs to a toleration, a taint, an autoscaler's target or a variable that is read, not to others or headers."""
        return (
            str(beside.get("type")) in _TARGETS
            or ("key" in beside and ("effect" in beside or "operator" in beside))
            or beside.get("name") in self._values
        )

    def _of_value(self, value: JSONValue, path: Path, schema: JSONObject, *, free: bool, is_kept: bool) -> JSONValue:
        if isinstance(value, dict):
            return self.of_map(value, path, schema, free=free)
        if isinstance(value, list):
            below = part(schema, "items")
            return [self._of_value(item, (*path, index), below, free=free, is_kept=is_kept) for index, item in enumerate(value)]
        return self._of_text(value, path, schema, is_kept=is_kept) if isinstance(value, str) else value

    def _of_text(self, text: str, path: Path, schema: JSONObject, *, is_kept: bool) -> str:
        if not text or _is_closed(text, schema):
            return text
        kept = without_credentials(text) if is_kept else BLANK
        if kept != text:
            self.paths.append(path)
        return kept

    def _of_arguments(self, arguments: list[JSONValue], path: Path) -> list[JSONValue]:
        """Arguments: flags stay, values where they are needed or size a workload."""
        found: list[JSONValue] = []
        flag = ""
        for index, argument in enumerate(arguments):
            kept, flag = self._argument(argument, flag) if isinstance(argument, str) else (argument, "")
            if kept != argument:
                self.paths.append((*path, index))
            found.append(kept)
        return found

    def _argument(self, argument: str, before: str) -> tuple[str, str]:
        """What is kept of an argument behind the flag `before`, and the flag that waits for the next one."""
        end = next((place for place, letter in enumerate(argument) if letter in "= "), len(argument))
        flag, between, value = argument[:end], argument[end : end + 1], argument[end + 1 :]
        if not _FLAG.fullmatch(flag):
            return self._flag_value(before, argument), ""
        return (f"{flag}{between}{self._flag_value(flag, value)}", "") if between else (flag, flag)

    def _flag_value(self, flag: str, value: str) -> str:
        name = flag.lstrip("-")
        if not value or value in PLAIN_ARGUMENTS or (name in SIZES and _NUMBER.fullmatch(value)):
            return value
        if _REFERENCE.fullmatch(value):
            return value
        return without_credentials(value) if f"--{name}" in self._values else BLANK


def _is_closed(text: str, schema: JSONObject) -> bool:
    """Whether the schema leaves no room for a secret: one of an enumeration, a time, an amount."""
    if text in (schema.get("enum") or ()):
        return True
    if schema.get("x-kubernetes-int-or-string") is True:
        return _NUMBER.fullmatch(text) is not None
    return schema.get("format") in {"date", "date-time"} and _TIME.fullmatch(text) is not None
