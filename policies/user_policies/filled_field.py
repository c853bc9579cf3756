"""The field that a policy fills in, found by the schema of its kind, and the values that fit it.

A fill-in may write what an author may write: below the kind's own fields, and single labels and annotations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from weighbridge.policies.cel.syntax.nodes import Call, Expr, ListLiteral, Literal, MapLiteral
from weighbridge.policies.cel.syntax.source import Source
from weighbridge.policies.cel.values.declared import DeclaredType, Shape
from weighbridge.policies.cel.values.types import Kind, Type, unwrapped
from weighbridge.policies.config.field_paths import PathError, Segment, steps_of
from weighbridge.policies.families.fill.record import PATH as RECORD
from weighbridge.policies.ground.objects import Path, field
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.spelling import closest
from weighbridge.policies.user_policies.compiler import Fault

_METADATA: Final = "metadata"
_MAPS_OF_METADATA: Final = ("labels", "annotations")
_NOT_THE_AUTHORS: Final = frozenset({"apiVersion", "kind", "status"})
_TEXTS: Final = frozenset({Shape.STRING, Shape.BYTES, Shape.DATE, Shape.DATE_TIME, Shape.DURATION})
#: The types of values that fit a scalar, with their names in messages.
_SCALARS: Final = {
    **dict.fromkeys(_TEXTS, ((Kind.STRING,), "string")),
    Shape.INT: ((Kind.INT,), "int"),
    Shape.DOUBLE: ((Kind.DOUBLE, Kind.INT), "double"),
    Shape.BOOL: ((Kind.BOOL,), "bool"),
    Shape.INT_OR_STRING: ((Kind.INT, Kind.STRING), "int or string"),
}
_MAPS: Final = frozenset({Shape.OBJECT, Shape.MAP, Shape.EMPTY})
#: Types of values that JSON doesn't have.
_NO_JSON: Final = frozenset({Kind.BYTES, Kind.DURATION, Kind.NULL, Kind.OPAQUE, Kind.TIMESTAMP, Kind.TYPE})


@dataclass(frozen=True, slots=True)
class FilledField:
    """A field with its type."""

    path: Path
    declared: DeclaredType

    @property
    def is_list(self) -> bool:
        """Whether its value is a list."""
        return self.declared.shape is Shape.LIST


def field_at(text: str, root: DeclaredType) -> FilledField | Fault:
    """The field that a path names in objects of this type, or an error."""
    try:
        steps = steps_of(text)
        declared = _below(steps, root)
    except PathError as error:
        return Fault(str(error), 1, error.column)
    path = tuple(step.name for step in steps)
    fault = _may_not_be_filled(steps, path)
    return fault or FilledField(path, declared)


def _below(steps: Iterable[Segment], root: DeclaredType) -> DeclaredType:
    """The type at the end of the steps. Raises PathError."""
    declared, walked = root, list[str]()
    for step in steps:
        shape = declared.shape
        if shape is Shape.OBJECT:
            inner = declared.properties.get(step.name)
            if inner is None:
                raise PathError(_undefined(step.name, declared), step.column)
            declared = inner
        elif shape is Shape.MAP and declared.element is not None:
            declared = declared.element
        elif shape is Shape.LIST:
            raise PathError(f"{field(walked)} is a list, and an item of a list can't be named; name the list", step.column)
        elif shape is not Shape.JSON:
            raise PathError(f"{field(walked)} is {wanted_type(declared)}, which has no fields", step.column)
        walked.append(step.name)
    return declared


def _undefined(name: str, declared: DeclaredType) -> str:
    near = closest(name, declared.properties)
    return f"undefined field {name!r}" + (f"; did you mean {near}?" if near else "")


def _may_not_be_filled(steps: list[Segment], path: Path) -> Fault | None:
    first = steps[0]
    if first.name in _NOT_THE_AUTHORS:
        return Fault(f"{first.name} isn't for authors to write; name a field of the spec, a label or an annotation", 1, first.column)
    if path == RECORD:
        return Fault("this annotation is Weighbridge's own; name another one", 1, steps[-1].column)
    if first.name == _METADATA and (len(path) != 3 or path[1] not in _MAPS_OF_METADATA):
        return Fault("name one label or annotation, such as .metadata.labels['team']; nothing else of metadata is filled in", 1, 1)
    return Fault("is an object as a whole; name a field in it", 1, 1) if len(path) == 1 else None


# --- values ---


def misfits(text: str, root: Expr, declared: DeclaredType) -> Iterator[Fault]:
    """The errors of an expression as the value of a field: its type, or parts of a literal value."""
    for node, problem in _misfits(root, declared):
        place = Source(text).location(node.offset)
        yield Fault(problem, max(place.line, 1), max(place.column + 1, 1))


def _misfits(node: Expr, declared: DeclaredType) -> Iterator[tuple[Expr, str]]:
    branches = _branches(node)
    if branches:
        for branch in branches:
            yield from _misfits(branch, declared)
        return
    if isinstance(node, MapLiteral) and declared.shape is Shape.OBJECT:
        yield from _of_map(node, declared)
    elif isinstance(node, (MapLiteral, ListLiteral)) and declared.shape in (Shape.MAP, Shape.LIST) and declared.element is not None:
        element = declared.element
        is_meant = isinstance(node, MapLiteral) is (declared.shape is Shape.MAP)
        if not is_meant:
            yield node, _wrong(node, declared)
            return
        for inner in [entry.value for entry in node.entries] if isinstance(node, MapLiteral) else node.elements:
            yield from _misfits(inner, element)
    elif node.type is not None and not fits(node.type, declared):
        yield node, _wrong(node, declared)
    elif isinstance(node, Literal) and declared.schema.enum and node.value not in declared.schema.enum:
        allowed = [str(value) for value in declared.schema.enum]
        near = closest(str(node.value), allowed)
        yield node, f"{node.value!r} is none of {', '.join(allowed)}" + (f"; did you mean {near}?" if near else "")


def _branches(node: Expr) -> list[Expr]:
    """The expressions of which an expression gives one: the branches of a conditional, or the content of an optional."""
    if isinstance(node, Call) and node.function == "_?_:_":
        return node.args[1:]
    is_optional = isinstance(node, Call) and "optional_of" in node.overloads
    return node.args if isinstance(node, Call) and is_optional else []


def _of_map(node: MapLiteral, declared: DeclaredType) -> Iterator[tuple[Expr, str]]:
    for entry in node.entries:
        key = entry.key
        if not isinstance(key, Literal):
            continue
        inner = declared.properties.get(key.value) if isinstance(key.value, str) else None
        if inner is None:
            yield key, _undefined(str(key.value), declared)
        else:
            yield from _misfits(entry.value, inner)


def _wrong(node: Expr, declared: DeclaredType) -> str:
    type_ = unwrapped(node.type)[0] if node.type is not None else None
    if type_ is not None and type_.kind is Kind.NULL:
        return "null fills in nothing; write optional.none() where there is no value"
    return f"yields {_plain(type_)}, and {wanted_type(declared)} is needed"


def _plain(type_: Type | None) -> str:
    return "an object" if type_ is not None and type_.kind is Kind.STRUCT else str(type_)


def fits(type_: Type, declared: DeclaredType) -> bool:
    """Whether values of a type can fit a field; a value that is known only at run time can."""
    held, _ = unwrapped(type_)
    if held.is_dyn or held.kind is Kind.PARAMETER:
        return True
    shape = declared.shape
    if shape in _SCALARS:
        return held.kind in _SCALARS[shape][0]
    if shape is Shape.LIST:
        return held.kind is Kind.LIST and (declared.element is None or fits(held.parameters[0], declared.element))
    if shape in _MAPS:
        return held.kind is Kind.STRUCT or (held.kind is Kind.MAP and _fits_as_map(held, declared))
    return held.kind not in _NO_JSON


def _fits_as_map(type_: Type, declared: DeclaredType) -> bool:
    key, value = type_.parameters
    if not (key.kind is Kind.STRING or key.is_dyn or key.kind is Kind.PARAMETER):
        return False
    return declared.shape is not Shape.MAP or declared.element is None or fits(value, declared.element)


def wanted_type(declared: DeclaredType) -> str:
    """The type of a field as messages name it."""
    shape = declared.shape
    if shape in _SCALARS:
        return _SCALARS[shape][1]
    if shape is Shape.LIST:
        return f"list({wanted_type(declared.element)})" if declared.element is not None else "list"
    if shape is Shape.MAP and declared.element is not None:
        return f"map(string, {wanted_type(declared.element)})"
    return "an object" if shape in _MAPS else "any value of JSON"
