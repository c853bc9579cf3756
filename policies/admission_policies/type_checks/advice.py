"""What to do about a warning: the field that may be meant, or why the policy isn't at fault.

The type check and the run of a policy see different types. When a policy runs, an object is plain JSON: dates, durations and bytes are
texts, and fields without a type exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from weighbridge.policies.admission_policies.environment import VARIABLES_TYPE, PolicyTypes
from weighbridge.policies.admission_policies.type_checks import wordings
from weighbridge.policies.cel.check.checked import Refused, operands_with
from weighbridge.policies.cel.check.errors import no_matching_overload, undefined_field
from weighbridge.policies.cel.library.authz import AUTHORIZER
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.cel.values.types import Kind, Type, unwrapped
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.spelling import close_matches

_UNDEFINED: Final = expression(undefined_field("(.*)"))
_OPERANDS: Final = expression(no_matching_overload(".*", [".*"], member=False))


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do, and the nearest name. Both are empty if nothing is known."""

    hint: str = ""
    nearest: str = ""


def advice_on(refused: Iterable[tuple[PolicyTypes, Refused]]) -> Advice:
    """The first advice on an expression, in the order of its kinds and errors."""
    return next((advice for types, wrong in refused for advice in _advice(types, wrong)), Advice())


def _advice(types: PolicyTypes, wrong: Refused) -> Iterator[Advice]:
    for issue in wrong.issues.sorted():
        undefined = _UNDEFINED.fullmatch(issue.message)
        if undefined is not None:
            yield from _of_field(types, wrong, undefined[1])
        elif issue.message.endswith(f"'{AUTHORIZER.name}'"):
            yield Advice(wordings.NO_REQUEST_RESOURCE)
        elif (mismatch := _OPERANDS.fullmatch(issue.message)) is not None:
            yield from _of_operands(mismatch[1])


def _of_operands(operands: str) -> Iterator[Advice]:
    """The advice on operands of wrong types, which are given by their types."""
    for name, what in wordings.TEXTS_WHEN_RUN.items():
        if expression(rf"\b{name}\b").search(operands):
            yield Advice(wordings.text_when_run(what))
    if expression(r"\bnull\b").search(operands):
        yield Advice(wordings.NO_NULL)


def _of_field(types: PolicyTypes, wrong: Refused, name: str) -> Iterator[Advice]:
    """The advice on a missing field."""
    for operand in operands_with(wrong.root, name):
        type_ = unwrapped(operand.type)[0] if operand.type is not None else None
        if type_ is None or type_.kind is not Kind.STRUCT:
            continue
        declared = types.declared_as(type_.name)
        hidden = _hidden(declared, name) if declared is not None else ""
        if hidden:
            yield Advice(wordings.avoid(hidden, name))
        else:
            yield from _near(types, type_, name)


def _hidden(declared: DeclaredType, name: str) -> str:
    """Why the type check doesn't know a field that the server may know; empty if there is no such reason."""
    if name in declared.properties:
        return wordings.no_type_of_field(name)
    if declared.schema.preserve_unknown_fields:
        return wordings.field_of_no_schema(name)
    return ""


def _near(types: PolicyTypes, type_: Type, name: str) -> Iterator[Advice]:
    known = list(types.fields(type_.name))
    near = close_matches(name, known, n=1)
    if near:
        yield Advice(nearest=near[0])
    elif known and type_.name != VARIABLES_TYPE:
        yield Advice(wordings.fields_here(known))
