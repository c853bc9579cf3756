"""The run-time steps of the tracked form, where errors are values.

Every function here takes and returns errors (`CelError` objects) as well as values, so that a rule can absorb them as upstream does and the
cost of each step can be counted although an earlier one failed. Source: cel-go's `interpreter/interpretable.go` and `attributes.go`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from weighbridge.policies.cel.emit.constants import membership_token
from weighbridge.policies.cel.run_time_errors import (
    NO_SUCH_OVERLOAD,
    element_not_optional,
    entry_not_optional,
    invalid_qualifier_type,
    unsupported_range,
)
from weighbridge.policies.cel.values.access import (
    dereference,
    elements,
    entry_at,
    get,
    held_at,
    is_list,
    is_map,
    item_at,
    iterated_keys,
    list_of_held,
    opened,
    pairs,
    qualify,
    qualify_held,
    reopened,
    used,
    valid_key,
)
from weighbridge.policies.cel.values.go_values import go_text
from weighbridge.policies.cel.values.undecided import CostExceededError
from weighbridge.policies.cel.values.values import (
    NONE,
    CelError,
    DataList,
    DataMap,
    MapValue,
    Optional,
    Uint,
    Unreadable,
    Value,
    go_type_name,
)

#: The states of a chain of selects and indexes: plain, optional from some step on, or decided.
PLAIN: Final = 0
OPTIONAL: Final = 1
DECIDED: Final = 2


def attempt(function: Callable[..., Value], *args: Value) -> Value:
    """`function` of the arguments, or the first error among them, or the error it raises."""
    for arg in args:
        if arg.__class__ is CelError:
            return arg
    try:
        return function(*args)
    except CelError as error:
        return error


def start(value: Value) -> tuple[Value, int]:
    """Begin a chain at a value."""
    if value.__class__ is CelError:
        return value, DECIDED
    try:
        content, optional, empty = opened(value)
    except CelError as error:
        return error, DECIDED
    if empty:
        return NONE, DECIDED
    return content, OPTIONAL if optional else PLAIN


def step(value: Value, state: int, key: Value, *, optional: bool = False) -> tuple[Value, int, int]:
    """One step of a chain: the value it leads to, the state, and what it costs (an optional step into nothing costs nothing)."""
    wants_optional = optional or state == OPTIONAL
    try:
        if key.__class__ is CelError:
            raise key
        valid_key(key)
        if not wants_optional:
            return _get_held(value, key), PLAIN, 1
        found, present = qualify_held(value, key)
    except CelError as error:
        return error, DECIDED, 0 if wants_optional else 1
    return (found, OPTIONAL, 1) if present else (NONE, DECIDED, 0)


def presence(value: Value, state: int, key: str) -> tuple[Value, int, int]:
    """The last step of a chain inside ``has()``."""
    try:
        _, present = qualify(used(value), key)
    except CelError as error:
        return error, DECIDED, 1 if state == PLAIN else 0
    return present, DECIDED, 1 if state == PLAIN or present else 0


def tested(value: Value) -> Value:
    """The result of ``has()`` for a chain that was decided early: an empty optional has nothing."""
    return False if value is NONE else value


def finish(value: Value, state: int) -> Value:
    """The value of a finished chain."""
    if state == OPTIONAL:
        return Optional(present=True, value=value)
    return attempt(used, value)


def finish_key(value: Value, state: int) -> Value:
    """As `finish`, for a key: the server takes an element that can't be read for a value of a type that no key has."""
    if state == PLAIN and value.__class__ is Unreadable:
        return CelError(invalid_qualifier_type("*types.Err"))
    return finish(value, state)


def _get_held(container: Value, key: Value) -> Value:
    """``container[key]``; an element of a list that can't be read is an error only in the next step, which costs as well."""
    container = used(container)
    if container.__class__ is DataList and key.__class__ is int and 0 <= key < len(container):
        return held_at(container, key)
    return get(container, key)


def variable(value: Value) -> Value:
    """The value of a variable."""
    return reopened(value)


def as_bool(value: Value) -> Value:
    """The value if it is a bool or an error; for any other value an error."""
    return value if value.__class__ is bool or value.__class__ is CelError else CelError(NO_SUCH_OVERLOAD)


def both(left: Value, right: Value) -> Value:
    """``left && right`` where left isn't false: false wins over an error, an error over true."""
    if right is False:
        return False
    left = as_bool(left)
    return left if left.__class__ is CelError else as_bool(right)


def either(left: Value, right: Value) -> Value:
    """``left || right`` where left isn't true."""
    if right is True:
        return True
    left = as_bool(left)
    return left if left.__class__ is CelError else as_bool(right)


def choice_error(condition: Value) -> CelError:
    """The outcome of a conditional whose condition is neither true nor false."""
    return condition if condition.__class__ is CelError else CelError(NO_SUCH_OVERLOAD)


def belongs(value: Value, members: frozenset[object]) -> Value:
    """``value in [constants]``."""
    return value if value.__class__ is CelError else membership_token(value) in members


def run_over(value: Value) -> Value:
    """The range of a fold: a list whose items may be errors, or an error."""
    if value.__class__ is CelError or value.__class__ is list:
        return value
    if value.__class__ is DataList:
        return [attempt(item_at, value, position) for position in range(len(value))]
    return attempt(elements, value)


def run_over_pairs(value: Value) -> Value:
    """The range of a fold with two variables."""
    if value.__class__ is CelError:
        return value
    if is_list(value):
        return list(enumerate(run_over(value)))
    if value.__class__ is DataMap:
        return [(key, attempt(entry_at, value, key)) for key in iterated_keys(value)]
    if value.__class__ is MapValue:
        return [(key, attempt(used, inner)) for key, inner in value.items()]
    return attempt(pairs, value) if is_map(value) else CelError(unsupported_range(go_type_name(value)))


def appended(accumulated: Value, more: Value) -> Value:
    """A fold's list with one more element. Only the fold uses the list, so it grows in place."""
    if accumulated.__class__ is CelError:
        return accumulated
    if more.__class__ is CelError:
        return more
    accumulated += elements(more)
    return accumulated


def element(found: Value, part: Value, *, optional: bool = False) -> Value:
    """A list literal with one more element, or the first error; an empty optional part is left out."""
    if part.__class__ is CelError:
        return part
    # A list with an element that can't be read is of this class.
    parts = found.raw if found.__class__ is DataList else found
    if not optional:
        parts.append(part)
    elif part.__class__ is not Optional:
        return CelError(element_not_optional(go_text(part)))
    elif part.present:
        parts.append(part.value)
        return list_of_held(parts)
    return found


def put(entries: Value, key: Value, value: Value, *, optional: bool = False) -> Value:
    """A map literal with one more entry, or the first error."""
    for part in (entries, key, value):
        if part.__class__ is CelError:
            return part
    if not optional:
        entries.put(key, value)
    elif value.__class__ is not Optional:
        return CelError(entry_not_optional(go_text(key), go_text(value)))
    elif value.present:
        entries.put(key, value.value)
    else:
        entries.drop(key)
    return entries


def with_field(fields: Value, name: str, value: Value, *, optional: bool = False) -> Value:
    """The fields of a message literal with one more, or the first error; an empty optional one is left out."""
    if value.__class__ is CelError:
        return value
    if not optional:
        fields[name] = value
    elif value.__class__ is not Optional:
        return CelError(entry_not_optional(name, go_text(value)))
    elif value.present:
        fields[name] = value.value
    else:
        fields.pop(name, None)
    return fields


def is_present(value: Value) -> bool:
    """Whether an optional holds a value, so that ``or`` needn't evaluate its argument."""
    return value.__class__ is Optional and value.present


def no_optional() -> CelError:
    """The error of ``or`` and ``orValue`` on a value that isn't an optional."""
    return CelError(NO_SUCH_OVERLOAD)


#: The functions that generated code of the tracked form calls, by name.
TRACKED: Final = {
    function.__name__: function
    for function in (
        appended, as_bool, attempt, belongs, both, choice_error, dereference, either, element, finish, finish_key, is_present, no_optional,
        presence, put, run_over, run_over_pairs, start, step, tested, variable, with_field,
    )
} | {"CelError": CelError, "CostExceededError": CostExceededError, "MapValue": MapValue, "NONE": NONE, "Uint": Uint}  # fmt: skip
