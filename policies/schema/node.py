"""A typed, lazy view of a structural schema (the `openAPIV3Schema` of a CRD version).

The view reads the schema's JSON on demand: if an object uses only a few fields of a schema of a megabyte, only these fields are read. The
JSON isn't checked here; that happens when the CRD is read. Source:
https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.server_release import release

_NAME_FORMATS: Final = ("k8sshortname", "k8slongname")
#: Formats that kube-apiserver checks on strings and on values without a type, written without dashes; other names are ignored.
STRING_FORMATS: Final = frozenset(
    {
        "bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uuid", "uuid3", "uuid4", "uuid5", "isbn", "isbn10",
        "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor", "byte", "password", "date", "duration", "datetime", *_NAME_FORMATS,
    },
)  # fmt: skip
NUMBER_FORMATS: Final = {"integer": ("int32", "int64"), "number": ("float", "double")}

#: Levels of a schema that are followed. Real CRDs have at most a few dozen; the interpreter's stack holds some hundred.
MAX_DEPTH: Final = 128


def is_text_format(name: str) -> bool:
    """Whether a format is checked on strings; the name is as written."""
    bare = name.replace("-", "")
    return bare in STRING_FORMATS and (bare not in _NAME_FORMATS or release().knows_name_formats)


class SchemaTooDeepError(ValueError):
    """A schema nests deeper than `MAX_DEPTH`, and an object has a value at that depth."""

    def __init__(self) -> None:
        from weighbridge.policies.schema.errors import nests_too_deep

        super().__init__(nests_too_deep(MAX_DEPTH))


@dataclass(frozen=True, slots=True)
class ValidationRule:
    """One entry of ``x-kubernetes-validations``; absent texts are empty."""

    rule: str
    message: str = ""
    message_expression: str = ""
    reason: str = ""
    field_path: str = ""
    optional_old_self: bool = False

    @classmethod
    def from_json(cls, raw: JSONObject) -> ValidationRule:
        """Read one entry."""
        return cls(
            rule=raw.get("rule") or "",
            message=raw.get("message") or "",
            message_expression=raw.get("messageExpression") or "",
            reason=raw.get("reason") or "",
            field_path=raw.get("fieldPath") or "",
            optional_old_self=bool(raw.get("optionalOldSelf")),
        )


class Schema:
    """One node. Missing keywords read as `None`, empty or false; `raw` is the node's JSON. Nodes below it have the same class."""

    def __init__(self, raw: JSONObject) -> None:
        self.raw = raw

    def __repr__(self) -> str:
        return f"Schema(type={self.type!r}, keywords={sorted(self.raw)})"

    @property
    def type(self) -> str:
        """``object``, ``array``, ``string``, ``integer``, ``number``, ``boolean``, or empty."""
        return self.raw.get("type") or ""

    @property
    def format(self) -> str:
        """The format's name as written, or empty."""
        return self.raw.get("format") or ""

    @cached_property
    def types(self) -> tuple[str, ...]:
        """The types that validation accepts: none, one, or integer and string for an int-or-string."""
        if self.int_or_string:
            return ("integer", "string")
        return (self.type,) if self.type else ()

    @cached_property
    def known_format(self) -> str:
        """The format's name as written if the server checks it, else empty."""
        kind = self.types[0] if len(self.types) == 1 else ""
        if kind in ("", "string") or not release().enforces_number_formats:
            return self.format if is_text_format(self.format) else ""
        return self.format if self.format in NUMBER_FORMATS.get(kind, ()) else ""

    @property
    def nullable(self) -> bool:
        """Whether null is a value here."""
        return bool(self.raw.get("nullable"))

    @property
    def has_default(self) -> bool:
        """Whether there is a default that isn't null."""
        return self.raw.get("default") is not None

    @property
    def default(self) -> JSONValue:
        """The default, not copied; `None` where there is none."""
        return self.raw.get("default")

    @cached_property
    def properties(self) -> dict[str, Schema]:
        """The declared fields; empty if there are none."""
        return {name: type(self)(raw) for name, raw in (self.raw.get("properties") or {}).items()}

    @cached_property
    def additional_properties(self) -> Schema | None:
        """The schema of a map's values; `None` if there is none or it is a boolean."""
        raw = self.raw.get("additionalProperties")
        return type(self)(raw) if isinstance(raw, dict) else None

    @property
    def additional_properties_bool(self) -> bool | None:
        """``additionalProperties`` if it is a boolean."""
        raw = self.raw.get("additionalProperties")
        return raw if isinstance(raw, bool) else None

    @cached_property
    def items(self) -> Schema | None:
        """The schema of a list's items."""
        raw = self.raw.get("items")
        return type(self)(raw) if isinstance(raw, dict) else None

    @property
    def required(self) -> list[str]:
        """The names of the fields that must be there."""
        return self.raw.get("required") or []

    @property
    def enum(self) -> list[JSONValue] | None:
        """The allowed values."""
        return self.raw.get("enum")

    @property
    def pattern(self) -> str:
        """The regular expression (RE2, searched, not anchored), or empty."""
        return self.raw.get("pattern") or ""

    def bound(self, keyword: str) -> int | None:
        """An integer keyword (maxLength, minItems, maxProperties, ...)."""
        value: int | float | None = self.raw.get(keyword)
        return None if value is None else int(value)

    def number(self, keyword: str) -> int | float | None:
        """A numeric keyword (maximum, minimum, multipleOf) in the JSON's own kind."""
        value: int | float | None = self.raw.get(keyword)
        return value

    def flag(self, keyword: str) -> bool:
        """A boolean keyword (exclusiveMinimum, uniqueItems, ...)."""
        return bool(self.raw.get(keyword))

    @cached_property
    def all_of(self) -> list[Schema]:
        """``allOf``."""
        return [type(self)(raw) for raw in self.raw.get("allOf") or []]

    @cached_property
    def any_of(self) -> list[Schema]:
        """``anyOf``."""
        return [type(self)(raw) for raw in self.raw.get("anyOf") or []]

    @cached_property
    def one_of(self) -> list[Schema]:
        """``oneOf``."""
        return [type(self)(raw) for raw in self.raw.get("oneOf") or []]

    @cached_property
    def not_(self) -> Schema | None:
        """``not``."""
        raw = self.raw.get("not")
        return type(self)(raw) if isinstance(raw, dict) else None

    @property
    def preserve_unknown_fields(self) -> bool:
        """``x-kubernetes-preserve-unknown-fields``."""
        return bool(self.raw.get("x-kubernetes-preserve-unknown-fields"))

    @property
    def embedded_resource(self) -> bool:
        """``x-kubernetes-embedded-resource``."""
        return bool(self.raw.get("x-kubernetes-embedded-resource"))

    @property
    def int_or_string(self) -> bool:
        """``x-kubernetes-int-or-string``."""
        return bool(self.raw.get("x-kubernetes-int-or-string"))

    @property
    def list_type(self) -> str:
        """``x-kubernetes-list-type``: ``atomic``, ``set``, ``map``, or empty (which means atomic)."""
        return self.raw.get("x-kubernetes-list-type") or ""

    @property
    def list_map_keys(self) -> list[str]:
        """``x-kubernetes-list-map-keys``."""
        return self.raw.get("x-kubernetes-list-map-keys") or []

    @property
    def map_type(self) -> str:
        """``x-kubernetes-map-type``: ``granular``, ``atomic``, or empty (which means granular)."""
        return self.raw.get("x-kubernetes-map-type") or ""

    @cached_property
    def validations(self) -> list[ValidationRule]:
        """The CEL rules of this node."""
        return [ValidationRule.from_json(raw) for raw in self.raw.get("x-kubernetes-validations") or []]

    @cached_property
    def has_rules(self) -> bool:
        """Whether this node or one below it has a CEL rule (combinators can't hold any)."""
        if self.raw.get("x-kubernetes-validations"):
            return True
        children = [*self.properties.values(), self.additional_properties, self.items]
        return any(child.has_rules for child in children if child is not None)


class SchemaAsWritten(Schema):
    """A schema as the server sees it when it looks at defaults: unknown formats count too, and an int-or-string has no type."""

    @cached_property
    def types(self) -> tuple[str, ...]:
        """The type, if any."""
        return (self.type,) if self.type else ()

    @cached_property
    def known_format(self) -> str:
        """The format's name as written, whatever it is."""
        return self.format
