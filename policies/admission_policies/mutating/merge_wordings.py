"""What kube-apiserver says about an apply configuration that it can't merge into an object: every wording.

Source: k8s.io/apiserver `pkg/admission/plugin/policy/mutating/patch/smd.go`, structured-merge-diff `typed/merge.go`, `typed/validate.go`,
`typed/helpers.go`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from weighbridge.policies.ground.go_text import quote


def joined(errors: Iterable[tuple[str, str]]) -> str:
    """Errors as one text, each with its place."""
    texts = [f"{path}: {text}" if path else text for path, text in errors]
    return texts[0] if len(texts) == 1 else "\n".join(["errors:", *(f"  {text}" for text in texts)])


# --- the steps of a merge ---


def configuration_not_typed(why: str) -> str:
    """The apply configuration doesn't fit its type."""
    return f"failed to convert patch object to typed object: {why}"


def changes_atomics(paths: Iterable[str]) -> str:
    """The apply configuration has values that are replaced as a whole."""
    return f"invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: {', '.join(paths)}"


def object_not_typed(why: str) -> str:
    """The object doesn't fit its type."""
    return f"failed to convert original object to typed object: {why}"


def not_merged(why: str) -> str:
    """Both fit their type, but not each other."""
    return f"failed to merge patch: {why}"


# --- values of another type; `side` comes before the text, and is empty or says which side of the merge is wrong ---

LEFT: Final = "lhs: "
RIGHT: Final = "rhs: "
NOT_DECLARED: Final = "field not declared in schema"
NO_TYPE: Final = "schema error: invalid atom: inlined"


def not_numeric(go_type: str, side: str) -> str:
    """A value isn't a number."""
    return f"{side}expected numeric (int or float), got {go_type}"


def not_a_string(syntax: str, side: str) -> str:
    """A value isn't a string; it is printed in Go's syntax."""
    return f"{side}expected string, got &value.valueUnstructured{{Value:{syntax}}}"


def not_a_boolean(value: str, side: str) -> str:
    """A value isn't a boolean."""
    return f"{side}expected boolean, got {value}"


def not_a_scalar(value: str, side: str) -> str:
    """A value is a list or a map."""
    return f"{side}expected any scalar, got {value}"


def not_a_map(value: str) -> str:
    """A value isn't a map."""
    return f"expected map, got {value}"


def not_a_list(value: str) -> str:
    """A value isn't a list."""
    return f"expected list, got {value}"


# --- items of associative lists ---

NULL_WITH_KEYS: Final = "associative list with keys may not have a null element"
NOT_A_MAP_WITH_KEYS: Final = "associative list with keys may not have non-map elements"
MAP_WITHOUT_KEYS: Final = "associative list without keys has an element that's a map type"
LIST_WITHOUT_KEYS: Final = "not supported: associative list with lists as elements"
NULL_WITHOUT_KEYS: Final = "associative list without keys has an element that's an explicit null"


def item_failed(position: int, why: object) -> str:
    """An item of a list can't be identified."""
    return f"element {position}: {why}"


def duplicate_items(key: str) -> str:
    """Two items of a list have the same identity."""
    return f"duplicate entries for key {key}"


def no_keys(keys: Sequence[str]) -> str:
    """An item has none of the keys of its list."""
    omitted = f"omits all key fields [{' '.join(map(quote, keys))}]"
    return f"associative list with keys has an element that {omitted} (and doesn't have default values for any key fields)"


def no_default_of_key(key: str) -> str:
    """The items of a list with keys aren't maps."""
    return f"couldn't find default value for {key}: associative list may not have non-map types"
