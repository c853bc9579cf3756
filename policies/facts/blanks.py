"""Blanks all texts of a cluster's object that can be secrets, and says where they were.

A text is kept only if its field is known to name, choose, place or size something: by the last word of the field's name, by an enumeration
in the CRD's schema, or because a family says that its rules read it. All other texts are blanked: values of variables, headers and
annotations, the entries of maps with an author's keys, messages, contents of files, and unknown fields. In arguments the flags, the
programs of engines, and the values of flags that size a workload are kept. Credentials are removed from kept texts. Numbers and booleans
are kept.
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
#: A flag, also one of vLLM with the part of its JSON: ``--compilation-config.mode``, ``-cc.mode``, ``-cc.splitting_ops+``.
_FLAG: Final = expression(r"--[a-zA-Z][a-zA-Z0-9._-]*\+?|-[a-zA-Z][a-zA-Z0-9-]{0,4}|-[a-z]{2}(?:\.[a-z_]+)+\+?")
#: A variable in an argument, of the environment or of a template.
_REFERENCE: Final = expression(r"\$\([A-Za-z_][A-Za-z0-9_]*\)|\{\{\s*\.?[A-Za-z_][A-Za-z0-9_]*\s*\}\}")
_TIME: Final = expression(r"[0-9TZ:+.-]{1,40}")
#: Whether a text of such a field is a secret depends on the fields next to it.
_AMBIGUOUS: Final = frozenset({"value", "values"})
#: The types of an autoscaler's target (Kubernetes v1.36, autoscaling/v2 MetricTarget).
_TARGETS: Final = frozenset({"Value", "AverageValue", "Utilization"})
#: The schema of fields that the CRD doesn't describe.
_NONE: Final[JSONObject] = {}


@dataclass(frozen=True, slots=True)
class Needed:
    """Further texts that rules read.

    `fields` are names of fields (or with the field above, ``model.value``), and `values` names of flags (``--port``) and variables.
    `references` are fields whose texts are names of objects, which other names can replace. If a reference is given with the field above
    (``poolRef.name``), names of objects that don't exist are replaced too. Flags whose values are such names (``--pool-name``) are among
    them. `names` are names with a meaning, such as `default`, which are kept. `entries` are keys of an author's map, such as a ConfigMap's,
    whose texts are settings, and `annotations` those of which a word is read.
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
    """The object without secrets, and the paths of what was blanked; `schema` is that of its CRD, if there is one."""
    walk = _Walk(needed)
    return walk.of_map(obj, (), schema or _NONE), walk.paths


class _Walk:
    """One walk over one object. Below a `free` value a text can be a secret, whatever its field."""

    def __init__(self, needed: Needed) -> None:
        self._fields = needed.fields | needed.references
        self._values = needed.values
        self._entries = needed.entries
        self.paths: list[Path] = []

    def of_map(self, value: JSONObject, path: Path, schema: JSONObject, *, free: bool = False, chosen: bool = False) -> JSONObject:
        """Blank a map: fields by the schema, and entries by the author's keys. With `chosen` its own texts choose or size something."""
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
                # The author's key says nothing about its value, unless a family reads it there.
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
        """Whether a family reads the field, by its name alone or together with the name of the field above."""
        return path[-1] in self._fields or self._is_named(path)

    def _is_named(self, path: Path) -> bool:
        """Whether a family reads the field by its name together with the name of the field above."""
        return ".".join(map(str, path[-2:])) in self._fields

    def _is_plain(self, beside: JSONObject) -> bool:
        """Whether a value belongs to a toleration, a taint, an autoscaler's target or a variable that is read."""
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
        """Blank arguments: flags are kept, and so are values that are needed or size a workload."""
        found: list[JSONValue] = []
        flag = ""
        for index, argument in enumerate(arguments):
            kept, flag = self._argument(argument, flag) if isinstance(argument, str) else (argument, "")
            if kept != argument:
                self.paths.append((*path, index))
            found.append(kept)
        return found

    def _argument(self, argument: str, before: str) -> tuple[str, str]:
        """The kept part of an argument after the flag `before`, and the flag whose value is the next argument."""
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
    """Whether the schema allows no secret: it is an enumeration, a time, or an amount."""
    if text in (schema.get("enum") or ()):
        return True
    if schema.get("x-kubernetes-int-or-string") is True:
        return _NUMBER.fullmatch(text) is not None
    return schema.get("format") in {"date", "date-time"} and _TIME.fullmatch(text) is not None
