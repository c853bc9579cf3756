"""The fill-ins of a policy as JSON patches in CEL, and their record on the object.

The server can't turn a map or a list into text, so only a literal one is recorded. A text with quotes or control characters isn't recorded
either; the webhook then takes the value for the author's.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count
from json import dumps
from typing import Final

from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.cel.syntax.nodes import Call, Expr, ListLiteral, Literal, MapLiteral
from weighbridge.policies.cel.values.escapes import RESERVED
from weighbridge.policies.cel.values.types import Kind, unwrapped
from weighbridge.policies.cel.values.values import Uint
from weighbridge.policies.families.fill.record import PATH as RECORD
from weighbridge.policies.families.fill.record import field_text
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import texts
from weighbridge.policies.ground.objects import JSONValue, Path, pointer
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.user_policies.compiled_policy import CompiledFillIn
from weighbridge.policies.user_policies.fill_ins import with_defaults
from weighbridge.policies.user_policies.native.texts import Untranslatable, literal
from weighbridge.policies.user_policies.vocabulary import OBJECT, VARIABLES

_NAME: Final = expression(r"[A-Za-z_][A-Za-z0-9_]*")
#: Texts that are written in JSON as they are.
_PLAIN: Final = r"""r'^[^"\\\x00-\x1f]*$'"""
_QUOTE: Final = '"'
#: Types whose text is their JSON, each with a value.
_DEFAULTS: Final = {Kind.BOOL: "false", Kind.DOUBLE: "0.0", Kind.INT: "0", Kind.UINT: "0u"}
#: Texts that look like a record; other ones are replaced.
_LIST: Final = r"r'(?s)^\[.+\]$'"
#: The record that an object has.
_HELD: Final = f"{OBJECT}.metadata.annotations[{literal(str(RECORD[-1]))}]"
#: Marks a computed value, which isn't a literal.
_WORKED_OUT: Final = object()


@dataclass(frozen=True, slots=True)
class Patch:
    """A mutation: the variables that it needs, each with its name and expression, and its own expression."""

    variables: list[tuple[str, str]]
    expression: str


class FreeNames:
    """Names of variables that aren't taken."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken

    def free(self, name: str) -> str:
        """A free name, which is then taken: the given one, or that with a number."""
        found = next(one for one in chain([name], (f"{name}_{number}" for number in count(2))) if one not in self._taken)
        self._taken.add(found)
        return found


@dataclass(frozen=True, slots=True)
class Recording:
    """How values are recorded: the named source, the most bytes, and the variable with the earlier record."""

    source: str
    max_bytes: int
    held: str


def patch(entry: CompiledFillIn, text: str, definition: ResourceDefinition, names: FreeNames, recording: Recording | None) -> Patch:
    """The mutation of a fill-in whose expression has this text. Raises Untranslatable."""
    value, root = _Value(entry, text, names), entry.expression.compiled.checked.root
    variables = list(value.variables)
    adds = [*_parents(entry.field.path, definition), _add(entry.field.path, value.text)]
    if recording is not None:
        variables.append((recording.held, f"{_optional(RECORD)}.orValue('').matches({_LIST}) ? {_HELD} : ''"))
        entry_name, record_name, held = names.free("entry"), names.free("record"), f"{VARIABLES}.{recording.held}"
        said, record = f"{VARIABLES}.{entry_name}", f"{VARIABLES}.{record_name}"
        known = literal(entries(entry.field.path, value.constant, recording.source, definition)) if value.is_constant else ""
        variables.append((entry_name, known or value.entry(field_text(entry.field.path), recording.source)))
        longer = f"{held}.substring(0, {held}.size() - 1) + ',' + {said} + ']'"
        variables.append((record_name, f"{held}.contains({said}) ? {held}\n: {held} == '' ? '[' + {said} + ']'\n: {longer}"))
        fits = f"size(bytes({record})) <= {recording.max_bytes}" + ("" if known else f" && {said} != ''")
        noted = [one for one in _parents(RECORD, definition) if one not in adds]
        note = "\n      + ".join([*noted, _add(RECORD, record)])
        adds.append(f"({fits}\n    ? {note}\n    : [])")
    if root.type is not None and unwrapped(root.type)[0].is_dyn:
        if any(one.type is not None and one.type.is_optional for one in _branches(root)):
            raise Untranslatable("yields an optional or a value, and the API server takes an optional for a value; write optional.of() too")
        value.tests.append(f"{value.text} != null")
    tests = [f"{_optional(entry.field.path)}.orValue(null) == null", *value.tests]
    added = "\n  + ".join(adds)
    return Patch(variables, f"{' && '.join(tests)}\n? {added}\n: []")


class _Value:
    """The value of a fill-in: its text, the variables that it needs, and the condition under which there is one."""

    def __init__(self, entry: CompiledFillIn, text: str, names: FreeNames) -> None:
        root = entry.expression.compiled.checked.root
        held, is_optional = unwrapped(root.type) if root.type is not None else (None, False)
        self.tests: list[str] = []
        self.variables: list[tuple[str, str]] = []
        self._type = held
        found = _constant(root)
        self.is_constant = found is not _WORKED_OUT
        self.constant: JSONValue = found if self.is_constant else None
        if self.is_constant:
            self.text = _cel(self.constant)
            return
        name = names.free("value")
        self.variables.append((name, text.strip()))
        self.text = f"{VARIABLES}.{name}"
        if is_optional:
            self.tests.append(f"{self.text}.hasValue()")
            self.text = f"{self.text}.value()"

    def entry(self, field: str, source: str) -> str:
        """An expression for the entry of the record; it gives an empty text if there can be none. Raises Untranslatable."""
        start, end = f'{{"field":{dumps(field, ensure_ascii=False)},"value":', f',"source":{dumps(source)}}}'
        # string() doesn't take an optional, so its content needs a default.
        plain = self.text.removesuffix(".value()")
        is_optional = plain != self.text
        kind = self._type.kind if self._type is not None else Kind.DYN

        def of(default: str) -> str:
            return f"{plain}.orValue({default})" if is_optional else plain

        def quoted(value: str) -> str:
            return f"{literal(start + _QUOTE)} + {value} + {literal(_QUOTE + end)}"

        def number(value: str) -> str:
            return f"{literal(start)} + string({value}) + {literal(end)}"

        if kind is Kind.STRING:
            value = of("''")
            return f"{value}.matches({_PLAIN})\n? {quoted(value)}\n: ''"
        if kind in _DEFAULTS:
            return number(of(_DEFAULTS[kind]))
        if self._type is not None and self._type.is_dyn:
            value = of("dyn('')")
            is_text = f"type({value}) == string && string({value}).matches({_PLAIN})"
            is_number = " || ".join(f"type({value}) == {name}" for name in ("bool", "int", "double"))
            return f"{is_text} ? {quoted('string(' + value + ')')}\n: {is_number} ? {number(value)}\n: ''"
        what = "list" if kind is Kind.LIST else "map"
        raise Untranslatable(
            f"works out a {what} for {field}, which the API server can't write into the record of what was filled in;"
            " annotations.objects switches the record off"
        )


def entries(path: Path, value: JSONValue, source: str, definition: ResourceDefinition) -> str:
    """The entries of the record for a value as it will be stored; a list has one for each item."""
    stored = with_defaults(value, path, definition)
    parts = [((*path, index), item) for index, item in enumerate(stored)] if isinstance(stored, list) else [(path, stored)]
    maps = [{"field": field_text(where), "value": part, "source": source} for where, part in parts]
    return dumps(maps, separators=(",", ":"), ensure_ascii=False)[1:-1]


def _parents(path: Path, definition: ResourceDefinition) -> Iterator[str]:
    """Patches that add missing maps around a field."""
    for depth in range(1, len(path)):
        parent = path[:depth]
        if parent[0] == "metadata" and depth == 1:
            continue
        if depth == 1 and _is_required(str(parent[0]), definition):
            continue
        yield f"({_optional(parent)}.orValue(null) == null ? {_add(parent, '{}')} : [])"


def _is_required(name: str, definition: ResourceDefinition) -> bool:
    """Whether an object without this part is refused, even if the part may be empty."""
    schema = definition.openapi_schema
    inner = schema.get("properties", {}).get(name)
    return name in texts(schema, "required") and bool(texts(inner, "required"))


def _add(path: Path, value: str) -> str:
    return f"[JSONPatch{{op: 'add', path: {literal(pointer(path))}, value: {value}}}]"


def _optional(path: Path) -> str:
    """An optional with the value of a field."""
    first, *rest = map(str, path)
    steps = (f".{step}" if _NAME.fullmatch(step) and step not in RESERVED else f"[?{literal(step)}]" for step in rest)
    return f"{OBJECT}.?{first}{''.join(steps)}"


def _branches(node: Expr) -> Iterator[Expr]:
    """The expressions of which an expression gives one."""
    inner: list[Expr] = []
    if isinstance(node, Call) and node.type is not None and node.type.is_dyn:
        inner = node.args[1:] if node.function == "_?_:_" else node.args if node.function == "dyn" else []
    if not inner:
        yield node
    for one in inner:
        yield from _branches(one)


# --- values that are written down ---


def _constant(node: Expr) -> object:
    """The JSON of a literal expression; `_WORKED_OUT` if a part of it is computed."""
    if isinstance(node, Literal):
        value = node.value
        if isinstance(value, (bytes, Uint)):
            return _WORKED_OUT
        return int(value) if isinstance(value, float) and value.is_integer() else value
    if isinstance(node, ListLiteral):
        found = [_constant(one) for one in node.elements]
        return _WORKED_OUT if node.optional or _WORKED_OUT in found else found
    if isinstance(node, MapLiteral):
        pairs = [(_constant(one.key), _constant(one.value)) for one in node.entries]
        is_plain = all(isinstance(key, str) and value is not _WORKED_OUT for key, value in pairs)
        return dict(pairs) if is_plain and not any(one.optional for one in node.entries) else _WORKED_OUT
    return _WORKED_OUT


def _cel(value: JSONValue) -> str:
    """JSON as CEL. The server requires the values of a list or a map to have one type, if it knows the types."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{literal(key)}: {one}' for key, one in zip(value, _parts(list(value.values())), strict=True))}}}"
    if isinstance(value, list):
        return f"[{', '.join(_parts(value))}]"
    if isinstance(value, str):
        return literal(value)
    return {True: "true", False: "false", None: "null"}[value] if isinstance(value, bool) or value is None else repr(value)


def _parts(values: list[JSONValue]) -> list[str]:
    is_mixed = len(values) > 1 and (len({type(one) for one in values}) > 1 or isinstance(values[0], (dict, list)))
    return [f"dyn({_cel(one)})" if is_mixed else _cel(one) for one in values]
