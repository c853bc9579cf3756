"""The types that a schema gives to data: how each node is read as a CEL value, and its type.

A `DeclaredType` is one schema node as CEL sees it: objects with properties become structs whose undeclared fields are invisible, formats
become timestamps, durations and bytes, int-or-string is dyn, unknown content isn't exposed. `SelfTypes` names the structs below the `self`
of one rule. Sizes are the server's worst cases, for estimates of costs. Source: k8s.io/apiserver `pkg/cel/common/schemas.go`,
`pkg/cel/types.go`.
"""

from __future__ import annotations

from enum import Enum, auto
from functools import cached_property
from typing import Final

from weighbridge.policies.cel.values import types
from weighbridge.policies.cel.values.escapes import RESERVED, escape
from weighbridge.policies.cel.values.types import Type
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema.node import Schema

#: The largest request the server takes.
MAX_REQUEST_SIZE: Final = 3 * 1024 * 1024


class Shape(Enum):
    """The form of a node's data."""

    OBJECT = auto()
    MAP = auto()
    EMPTY = auto()
    LIST = auto()
    STRING = auto()
    BYTES = auto()
    DURATION = auto()
    DATE = auto()
    DATE_TIME = auto()
    INT = auto()
    DOUBLE = auto()
    BOOL = auto()
    INT_OR_STRING = auto()
    HIDDEN = auto()
    INVALID = auto()
    JSON = auto()
    VALUE = auto()


_STRING_SHAPES: Final = {
    "byte": Shape.BYTES, "duration": Shape.DURATION, "date": Shape.DATE, "date-time": Shape.DATE_TIME,
}  # fmt: skip
_SCALAR_SHAPES: Final = {"integer": Shape.INT, "number": Shape.DOUBLE, "boolean": Shape.BOOL}
_SCALAR_TYPES: Final = {
    Shape.STRING: types.STRING, Shape.BYTES: types.BYTES, Shape.DURATION: types.DURATION, Shape.DATE: types.TIMESTAMP,
    Shape.DATE_TIME: types.TIMESTAMP, Shape.INT: types.INT, Shape.DOUBLE: types.DOUBLE, Shape.BOOL: types.BOOL,
    Shape.INT_OR_STRING: types.DYN, Shape.JSON: types.DYN, Shape.VALUE: types.DYN,
}  # fmt: skip
#: The smallest JSON of each shape.
_MIN_SIZES: Final = {
    Shape.STRING: 2, Shape.BYTES: 2, Shape.DURATION: 3, Shape.DATE: 12, Shape.DATE_TIME: 21, Shape.INT: 1, Shape.DOUBLE: 1,
    Shape.BOOL: 4, Shape.INT_OR_STRING: 1, Shape.LIST: 2, Shape.MAP: 2, Shape.EMPTY: 2,
}  # fmt: skip
#: The longest texts of formats whose length is limited.
_FORMAT_LENGTHS: Final = {Shape.DURATION: 32, Shape.DATE: 12, Shape.DATE_TIME: 32}
_STRING_SCHEMA: Final = Schema({"type": "string"})
#: The longest name of an object, a subdomain as of RFC 1123, in bytes.
_LONGEST_NAME: Final = 253
_METADATA_SCHEMA: Final = Schema({"type": "object", "properties": {"name": {"type": "string"}, "generateName": {"type": "string"}}})


class DeclaredType:
    """One schema node; `root` marks the root of a resource, whose type and object metadata are always declared."""

    #: The Go types in which the server holds maps and lists.
    go_types = ("*common.unstructuredMap", "*common.unstructuredList")

    def __init__(self, schema: Schema, *, root: bool = False) -> None:
        self.schema = schema
        self._root = root or (schema.embedded_resource and schema.type == "object")

    def __repr__(self) -> str:
        return f"DeclaredType({self.shape.name}, {self.schema!r})"

    @cached_property
    def shape(self) -> Shape:
        """The form of the data."""
        schema = self.schema
        if schema.int_or_string:
            return Shape.INT_OR_STRING
        if schema.type == "object":
            return self._object_shape()
        if schema.type == "array":
            return Shape.LIST
        if schema.type == "string":
            return _STRING_SHAPES.get(schema.format, Shape.STRING)
        if schema.type in _SCALAR_SHAPES:
            return _SCALAR_SHAPES[schema.type]
        return Shape.HIDDEN if schema.preserve_unknown_fields else Shape.INVALID

    def _object_shape(self) -> Shape:
        if self._root or self.schema.properties:
            return Shape.OBJECT
        return Shape.MAP if self.schema.additional_properties is not None else Shape.EMPTY

    @property
    def nullable(self) -> bool:
        """Whether null is a value of this node."""
        return self.schema.nullable

    @property
    def list_type(self) -> str:
        """``set``, ``map`` or another word, which means atomic."""
        return self.schema.list_type

    @cached_property
    def escaped_keys(self) -> list[str]:
        """The keys of a map list, by the names under which the server looks them up: it escapes them, even in raw objects."""
        return [escape(key) or key for key in self.schema.list_map_keys]

    @cached_property
    def element(self) -> DeclaredType | None:
        """The items of a list, the values of a map."""
        inner = self.schema.items if self.shape is Shape.LIST else self.schema.additional_properties
        return None if inner is None else DeclaredType(inner)

    @cached_property
    def properties(self) -> dict[str, DeclaredType]:
        """All declared properties by their real names, including those that rules can't see."""
        found = {name: DeclaredType(schema) for name, schema in self.schema.properties.items()}
        if self._root and not _has_type_and_object_meta(self.schema):
            string = DeclaredType(_STRING_SCHEMA)
            found |= {"kind": string, "apiVersion": string, "metadata": DeclaredType(_metadata_schema(self.schema))}
        return found

    @cached_property
    def fields(self) -> dict[str, str]:
        """The fields that rules can name: identifier to property."""
        if self.shape is not Shape.OBJECT:
            return {}
        escaped = ((escape(name), name) for name in self.properties)
        return {identifier: name for identifier, name in escaped if identifier is not None and self.properties[name].exposed}

    def property_of(self, identifier: str, *, keywords: bool = True) -> str | None:
        """The property that an identifier names; with `keywords` a reserved word may be used as it is."""
        found = self.fields.get(identifier)
        if found is None and keywords and identifier in RESERVED:
            return self.fields.get(f"__{identifier}__")
        return found

    @cached_property
    def is_plain(self) -> bool:
        """Whether two pieces of data of this type are equal exactly if their JSON is equal in Python, provided that they fit the type."""
        if self.nullable or self.schema.preserve_unknown_fields or self._root:
            return False
        if self.shape is Shape.OBJECT:
            return all(inner.is_plain for inner in self.properties.values())
        if self.shape in (Shape.LIST, Shape.MAP):
            return self.list_type not in ("set", "map") and self.element is not None and self.element.is_plain
        return self.shape in (Shape.STRING, Shape.BOOL, Shape.INT, Shape.DOUBLE)

    @cached_property
    def number_fields(self) -> tuple[tuple[str, DeclaredType], ...]:
        """The properties in which plain data can have numbers or bools. Python doesn't distinguish the kinds of these when it compares."""
        return tuple((name, inner) for name, inner in self.properties.items() if inner.holds_numbers)

    @cached_property
    def holds_numbers(self) -> bool:
        """Whether plain data of this type can have numbers or bools in it."""
        if self.shape is Shape.OBJECT:
            return bool(self.number_fields)
        if self.shape in (Shape.LIST, Shape.MAP):
            return self.element is not None and self.element.holds_numbers
        return self.shape is not Shape.STRING

    @cached_property
    def exposed(self) -> bool:
        """Whether rules can see this node."""
        if self.shape in (Shape.HIDDEN, Shape.INVALID):
            return False
        if self.shape in (Shape.LIST, Shape.MAP):
            return self.element is not None and self.element.exposed
        return True

    @cached_property
    def min_size(self) -> int:
        """The fewest bytes that the JSON of this node can have."""
        if self.shape is not Shape.OBJECT:
            return _MIN_SIZES.get(self.shape, 2)
        size = 2
        for name in self.schema.required:
            declared = self.properties.get(name)
            if declared is not None and declared.exposed and not declared.schema.has_default:
                size += len(name.encode()) + declared.min_size + 4
        return size

    @cached_property
    def max_elements(self) -> int:
        """The most elements, entries or bytes the node's data can have."""
        schema = self.schema
        if self.shape is Shape.LIST:
            bound = schema.bound("maxItems")
            return (MAX_REQUEST_SIZE - 2) // (self._element_min_size + 1) if bound is None else max(bound, 0)
        if self.shape is Shape.MAP:
            bound = schema.bound("maxProperties")
            return (MAX_REQUEST_SIZE - 2) // (self._element_min_size + 6) if bound is None else max(bound, 0)
        if self.shape in (Shape.STRING, Shape.BYTES, Shape.INT_OR_STRING):
            return self._max_length
        return _FORMAT_LENGTHS.get(self.shape, 0)

    @property
    def _element_min_size(self) -> int:
        return self.element.min_size if self.element is not None else 0

    @property
    def _max_length(self) -> int:
        length = self.schema.bound("maxLength")
        if length is not None:
            # A code point takes up to four bytes; the length of bytes is counted as it is.
            return max(length, 0) * (1 if self.shape is Shape.BYTES else 4)
        if self.shape is Shape.STRING and self.schema.enum:
            return max((len(value.encode()) for value in self.schema.enum if isinstance(value, str)), default=0)
        return MAX_REQUEST_SIZE - 2


class ValuesOf(DeclaredType):
    """The type of a sum whose left side is a set or a map list: a list of values that is still one."""

    def __init__(self, summand: DeclaredType) -> None:
        super().__init__(summand.schema)
        self.__dict__ |= {"shape": Shape.LIST, "element": VALUE_TYPE, "escaped_keys": summand.escaped_keys}


#: The type of values, which needn't be read from JSON.
VALUE_TYPE: Final = DeclaredType(Schema({}))
VALUE_TYPE.__dict__["shape"] = Shape.VALUE
#: The type of a list of values of which some can't be read.
LIST_OF_VALUES: Final = DeclaredType(Schema({}))
LIST_OF_VALUES.__dict__ |= {"shape": Shape.LIST, "element": VALUE_TYPE}
#: The type of the sum of a list and a list of an object: a search in it fails at an element that can't be read.
JOINED_LISTS: Final = DeclaredType(Schema({}))
JOINED_LISTS.__dict__ |= {"shape": Shape.LIST, "element": VALUE_TYPE}
#: The type of data without a known schema: every value is read by the kind of its JSON.
JSON_TYPE: Final = DeclaredType(Schema({}))
JSON_TYPE.__dict__ |= {"shape": Shape.JSON, "go_types": ("*types.baseMap", "*types.baseList")}
#: The type of such data of an object that the server holds as Go structs, which expressions read directly from 1.37 on.
TYPED_JSON: Final = DeclaredType(Schema({}))
TYPED_JSON.__dict__ |= {"shape": Shape.JSON, "go_types": ("*common.reflectSchemalessTypedStruct", "*common.reflectSchemalessTypedList")}


def _metadata_schema(resource: Schema) -> Schema:
    """What rules see of an object's metadata."""
    if not release().bounds_names:
        return _METADATA_SCHEMA
    metadata = resource.properties.get("metadata")
    declared = metadata.properties if metadata is not None else {}
    # At least one byte is appended to a prefix.
    longest = {"name": _LONGEST_NAME, "generateName": _LONGEST_NAME - 1}
    properties = {}
    for name, most in longest.items():
        own = declared[name].bound("maxLength") if name in declared else None
        properties[name] = {"type": "string", "maxLength": most if own is None else min(own, most)}
    return Schema({"type": "object", "properties": properties})


def _has_type_and_object_meta(schema: Schema) -> bool:
    properties = schema.properties
    if not all(name in properties and properties[name].type == "string" for name in ("kind", "apiVersion")):
        return False
    metadata = properties.get("metadata")
    if metadata is None or metadata.type != "object":
        return False
    inner = metadata.properties
    return all(name in inner and inner[name].type == "string" for name in ("name", "generateName"))


class SelfTypes:
    """The types below one rule's `self`; structs are named by their paths."""

    def __init__(self, declared: DeclaredType, name: str = "selfType0") -> None:
        self.declared = declared
        self._structs: dict[str, DeclaredType] = {}
        self.type = self._type(declared, name)

    def _type(self, declared: DeclaredType, name: str) -> Type:
        scalar = _SCALAR_TYPES.get(declared.shape)
        if scalar is not None:
            return scalar
        if declared.shape is Shape.LIST and declared.element is not None:
            return types.list_of(self._type(declared.element, f"{name}.@idx"))
        if declared.shape is Shape.MAP and declared.element is not None:
            return types.map_of(types.STRING, self._type(declared.element, f"{name}.@elem"))
        self._structs[name] = declared
        return types.struct(name)

    def has_struct(self, name: str) -> bool:
        """Whether there is a struct with this name."""
        return name in self._structs

    def named(self, _name: str) -> Type | None:
        """The struct with a name that an expression can write; rules of CRDs can write none."""
        return None

    def field(self, struct: str, identifier: str, *, keywords: bool = True) -> Type | None:
        """The type of a struct's field, or `None` if there is no such field."""
        declared = self._structs[struct]
        name = declared.property_of(identifier, keywords=keywords)
        return None if name is None else self._type(declared.properties[name], f"{struct}.{escape(name)}")
