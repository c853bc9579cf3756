"""Merges an apply configuration into an object by their type, as server-side apply does.

Nothing is removed: maps merge by key, associative lists by the keys of their items, sets are united, and everything else is replaced. A
configuration with something atomic is refused, since it would remove the parts that it doesn't have. Errors have the server's words. Where
the server walks a map in random order, this uses the order of the text. Source: k8s.io/apiserver
`pkg/admission/plugin/policy/mutating/patch/smd.go`, structured-merge-diff `typed/merge.go`, `typed/validate.go`, `typed/helpers.go`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, Final, TypeAlias

from weighbridge.policies.admission_policies.mutating import merge_wordings as wordings
from weighbridge.policies.admission_policies.mutating.foreign import Foreign
from weighbridge.policies.admission_policies.mutating.merge_types import BOOLEAN, NUMERIC, STRING, Atom, Lazy, ListType, MapType
from weighbridge.policies.admission_policies.mutating.natives import syntax_text, type_text, value_text
from weighbridge.policies.ground.go_text import json_text, quote
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import release


class MergeError(Exception):
    """An apply configuration that can't be applied; the text is the server's."""


#: An error: its place, and what is wrong.
_Error: TypeAlias = tuple[str, str]
#: Marks a missing value on one side of a merge; it differs from null.
_ABSENT: Final[Any] = object()


def apply_configuration(atom: Atom, stored: JSONObject, patch: JSONObject) -> JSONObject:
    """`stored` with `patch` merged into it; raises MergeError."""
    errors = _mistakes(atom, patch, duplicates=False)
    if errors:
        raise MergeError(wordings.configuration_not_typed(wordings.joined(errors)))
    atomics = list(_atomics(atom, patch, ""))
    if atomics:
        raise MergeError(wordings.changes_atomics(atomics))
    errors = _mistakes(atom, stored, duplicates=release().merges_into_duplicates)
    if errors:
        raise MergeError(wordings.object_not_typed(wordings.joined(errors)))
    merged, errors = _merge(atom, stored, patch)
    if errors:
        raise MergeError(wordings.not_merged(wordings.joined(errors)))
    return {} if merged is _ABSENT else merged


def _under(prefix: str, errors: list[_Error]) -> list[_Error]:
    return [(prefix + path, text) for path, text in errors]


# --- which of its types a value has ---


def _deduced(atom: Atom, value: Any) -> Atom:
    """The one of an atom's types that fits a value, or all of them."""
    if isinstance(value, (str, bool, int, float)):
        return Atom(scalar=atom.scalar) if atom.scalar is not None else atom
    if isinstance(value, list):
        return Atom(list=atom.list) if atom.list is not None else atom
    if isinstance(value, dict):
        return Atom(map=atom.map) if atom.map is not None else atom
    return atom


def _shown(value: Any) -> str:
    return f"&{{{value_text(value)}}}"


def _scalar_mistake(scalar: str, value: Any, side: str = "") -> list[_Error]:
    if value is _ABSENT or value is None:
        return []
    is_bool = isinstance(value, bool)
    is_number = isinstance(value, (int, float)) and not is_bool
    if scalar == NUMERIC:
        return [] if is_number else [("", wordings.not_numeric(type_text(value), side))]
    if scalar == STRING:
        return [] if isinstance(value, str) else [("", wordings.not_a_string(syntax_text(value), side))]
    if scalar == BOOLEAN:
        return [] if is_bool else [("", wordings.not_a_boolean(_shown(value), side))]
    return [] if is_bool or is_number or isinstance(value, str) else [("", wordings.not_a_scalar(_shown(value), side))]


# --- whether a value fits its type ---


def _mistakes(atom: Atom, value: Any, *, duplicates: bool) -> list[_Error]:
    fitting = _deduced(atom, value)
    if fitting.map is not None:
        return _map_mistakes(fitting.map, value, duplicates=duplicates)
    if fitting.scalar is not None:
        return _scalar_mistake(fitting.scalar, value)
    assert fitting.list is not None  # noqa: S101 - an atom has a type
    return _list_mistakes(fitting.list, value, duplicates=duplicates)


def _map_mistakes(type_: MapType, value: Any, *, duplicates: bool) -> list[_Error]:
    if value is None:
        return []
    if not isinstance(value, dict):
        return [("", wordings.not_a_map(_shown(value)))]
    errors: list[_Error] = []
    for key, inner in value.items():
        declared = type_.type_of(key)
        if declared is None:
            return [*errors, (f".{key}", wordings.NOT_DECLARED)]
        errors += _under(f".{key}", _mistakes(declared.atom, inner, duplicates=duplicates))
    return errors


def _list_mistakes(type_: ListType, value: Any, *, duplicates: bool) -> list[_Error]:
    if value is None:
        return []
    if not isinstance(value, list):
        return [("", wordings.not_a_list(_shown(value)))]
    errors: list[_Error] = []
    seen: set[Hashable] = set()
    for position, item in enumerate(value):
        name = f"[{position}]"
        if type_.associative:
            try:
                token, name = _element(type_, item)
            except MergeError as error:
                return [*errors, ("", wordings.item_failed(position, error))]
            if token in seen and not duplicates:
                errors.append(("", wordings.duplicate_items(name)))
            seen.add(token)
        errors += _under(name, _mistakes(type_.element.atom, item, duplicates=duplicates))
    return errors


# --- items of associative lists ---


def _element(type_: ListType, item: Any) -> tuple[Hashable, str]:
    """The identity of an item, and its place as printed; raises MergeError."""
    if not type_.keys:
        return _set_element(item)
    if item is None:
        raise MergeError(wordings.NULL_WITH_KEYS)
    if not isinstance(item, dict):
        raise MergeError(wordings.NOT_A_MAP_WITH_KEYS)
    found = {key: item[key] if key in item else _key_default(type_, key) for key in type_.keys}
    values = [(key, found[key]) for key in sorted(found) if found[key] is not _ABSENT]
    if not values:
        raise MergeError(wordings.no_keys(type_.keys))
    token = tuple((key, _token(value)) for key, value in values)
    return token, f"[{','.join(f'{key}={_key_text(value)}' for key, value in values)}]"


def _set_element(item: Any) -> tuple[Hashable, str]:
    if isinstance(item, dict):
        raise MergeError(wordings.MAP_WITHOUT_KEYS)
    if isinstance(item, list):
        raise MergeError(wordings.LIST_WITHOUT_KEYS)
    if item is None:
        raise MergeError(wordings.NULL_WITHOUT_KEYS)
    return _token(item), f"[={_key_text(item)}]"


def _key_default(type_: ListType, key: str) -> Any:
    item = type_.element.atom.map
    if item is None:
        raise MergeError(wordings.no_default_of_key(key))
    return item.defaults.get(key, _ABSENT)


def _token(value: Any) -> Hashable:
    """The token by which values are compared; an integer equals the float with the same value."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return (value.__class__.__name__, json_text(value) if isinstance(value, (dict, list)) else value)
    return ("number", value)


def _key_text(value: Any) -> str:
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, dict):
        return "{" + ";".join(f"{key}={_key_text(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return f"[{','.join(map(_key_text, value))}]"
    return "null" if value is None else "{{undefined}}" if isinstance(value, Foreign) else json_text(value)


# --- what is atomic ---


def _atomics(atom: Atom, value: Any, path: str) -> Iterator[str]:
    if isinstance(value, dict) and atom.map is not None:
        if atom.map.atomic:
            yield path
        for key, inner in value.items():
            field = atom.map.fields.get(key)
            if field is not None:
                yield from _atomics(field.atom, inner, f"{path}.{key}")
    if isinstance(value, list) and atom.list is not None:
        if not atom.list.associative:
            yield path
        for position, item in enumerate(value):
            yield from _atomics(atom.list.element.atom, item, f"{path}[{position}]")


# --- the merge ---


def _merge(atom: Atom, left: Any, right: Any) -> tuple[Any, list[_Error]]:
    """The merge of two values of one type; one side may be missing."""
    left_atom, right_atom = _deduced(atom, left), _deduced(atom, right)
    if right is _ABSENT:
        return _merge_as(left_atom, left, right)
    if left is _ABSENT or left_atom == right_atom:
        return _merge_as(right_atom, left, right)
    _, errors = _merge_as(left_atom, left, right)
    merged, more = _merge_as(right_atom, left, right)
    return merged, errors + more


def _merge_as(atom: Atom, left: Any, right: Any) -> tuple[Any, list[_Error]]:
    if atom.map is not None:
        return _merge_maps(atom.map, left, right)
    if atom.scalar is not None:
        errors = _scalar_mistake(atom.scalar, left, wordings.LEFT), _scalar_mistake(atom.scalar, right, wordings.RIGHT)
        return (_ABSENT, errors[0] + errors[1]) if all(errors) else (_leaf(left, right), [])
    assert atom.list is not None  # noqa: S101 - an atom has a type
    return _merge_lists(atom.list, left, right)


def _leaf(left: Any, right: Any) -> Any:
    return left if right is _ABSENT else right


def _merge_maps(type_: MapType, left: Any, right: Any) -> tuple[Any, list[_Error]]:
    ours: JSONObject = left if isinstance(left, dict) else {}
    theirs: JSONObject = right if isinstance(right, dict) else {}
    if type_.atomic or not (ours or theirs):
        return _leaf(left, right), []
    merged: JSONObject = {}
    errors: list[_Error] = []
    for key in dict.fromkeys([*ours, *theirs]):
        declared = type_.type_of(key)
        if declared is None:
            errors.append((f".{key}", wordings.NO_TYPE))
            continue
        value, more = _merge(declared.atom, ours.get(key, _ABSENT), theirs.get(key, _ABSENT))
        errors += _under(f".{key}", more)
        if value is not _ABSENT:
            merged[key] = value
    return merged or _ABSENT, errors


def _merge_lists(type_: ListType, left: Any, right: Any) -> tuple[Any, list[_Error]]:
    ours: list[Any] = left if isinstance(left, list) else []
    theirs: list[Any] = right if isinstance(right, list) else []
    if not type_.associative or not (ours or theirs):
        return _leaf(left, right), []
    their_tokens, their_items, errors = _indexed(type_, theirs, duplicates=False)
    our_tokens, our_items, more = _indexed(type_, ours, duplicates=True)
    if errors or more:
        return _ABSENT, errors + more
    merged = [
        item
        for ours_at, token in _order(our_tokens, their_tokens, our_items, their_items)
        # Upstream loses errors of items.
        if (item := _merge_item(type_.element, ours, ours_at, token, our_items, their_items)) is not _ABSENT
    ]
    return merged or _ABSENT, []


def _merge_item(
    element: Lazy, ours: list[Any], ours_at: int | None, token: Hashable, our_items: dict[Hashable, Any], their_items: dict[Hashable, Any]
) -> Any:
    """One item of a merged list: ours unchanged, or theirs merged into ours."""
    if ours_at is not None:
        return _merge(element.atom, ours[ours_at], _ABSENT)[0]
    return _merge(element.atom, our_items.get(token, _ABSENT), their_items.get(token, _ABSENT))[0]


def _indexed(type_: ListType, items: list[Any], *, duplicates: bool) -> tuple[list[Hashable], dict[Hashable, Any], list[_Error]]:
    """The items of a list by their identity; one that occurs twice counts as null."""
    tokens: list[Hashable] = []
    found: dict[Hashable, Any] = {}
    errors: list[_Error] = []
    for position, item in enumerate(items):
        try:
            token, name = _element(type_, item)
        except MergeError as error:
            errors.append(("", wordings.item_failed(position, error)))
            continue
        if token in found and not duplicates:
            errors.append(("", wordings.duplicate_items(name)))
            continue
        found[token] = None if token in found else item
        tokens.append(token)
    return tokens, found, errors


def _order(
    ours: list[Hashable], theirs: list[Hashable], our_items: dict[Hashable, Any], their_items: dict[Hashable, Any]
) -> Iterator[tuple[int | None, Hashable]]:
    """The items of a merged list in order: the position of an item that only ours has, or `None` and the token of one of theirs.

    Common items are in the order of theirs. Items that only ours has remain between their neighbours.
    """
    shared = iter([token for token in theirs if token in our_items])
    next_shared = next(shared, _ABSENT)
    merged: set[Hashable] = set()
    at_ours = at_theirs = 0
    while at_ours < len(ours) or at_theirs < len(theirs):
        if at_ours < len(ours) and at_theirs < len(theirs):
            token = ours[at_ours]
            if token == theirs[at_theirs]:
                merged.add(token)
                yield None, token
                at_ours, at_theirs, next_shared = at_ours + 1, at_theirs + 1, next(shared, _ABSENT)
                continue
            if token in their_items and next_shared is not _ABSENT and next_shared != token:
                at_ours += 1
                continue
        if at_ours < len(ours):
            token = ours[at_ours]
            if token not in their_items:
                yield at_ours, token
                at_ours += 1
                continue
            if token in merged:
                at_ours += 1
        if at_theirs < len(theirs):
            token = theirs[at_theirs]
            merged.add(token)
            yield None, token
            at_theirs += 1
            if next_shared is not _ABSENT and next_shared == token:
                next_shared = next(shared, _ABSENT)
