"""Applies a JSON patch as the API server does, with its messages and its deviations from RFC 6902.

``replace`` adds a missing member, a path without a leading slash leads nowhere, and negative indexes count from the end. Source:
gopkg.in/evanphx/json-patch.v4 `patch.go`, k8s.io/apiserver `pkg/admission/plugin/policy/mutating/patch/json_patch.go`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from weighbridge.policies.admission_policies.mutating import patch_wordings as wordings
from weighbridge.policies.admission_policies.mutating.foreign import ServerPanicError
from weighbridge.policies.admission_policies.mutating.wordings import PANIC_WITHOUT_VALUE
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema.go_values import deep_copy


class PatchError(Exception):
    """A patch that can't be applied; the text is the server's."""


class UnmetTestError(Exception):
    """A ``test`` that failed: the patch does nothing."""


#: Marks the missing value of an operation, which is null if it is added.
_NOTHING: Final[Any] = object()


@dataclass(frozen=True, slots=True)
class PatchOperation:
    """One operation of a patch; missing texts are empty."""

    op: str
    path: str = ""
    source: str = ""
    value: JSONValue = _NOTHING

    def touches(self, place: Path) -> bool:
        """Whether the operation reads or changes a place, something in it, or something that contains it."""
        names = [str(step) for step in place]
        return any(
            all(_decoded(part) == name for part, name in zip(pointer.split("/")[1:], names, strict=False))
            for pointer in (self.path, self.source)
            if pointer
        )


def apply_patch(document: JSONObject, operations: list[PatchOperation]) -> JSONValue:
    """A copy of the document with the patch applied; raises PatchError and UnmetTestError."""
    holder = [deep_copy(document)]
    for operation in operations:
        step = _STEPS.get(operation.op)
        if step is None:
            raise PatchError(wordings.unknown_operation(operation.op))
        step(holder, operation)
    return holder[0]


def _is_readable(text: str) -> bool:
    """Whether Go's quoted form of a text can be read as JSON."""
    return not any(character in "\a\v" or (character < " " and character not in "\b\f\n\r\t") or character == "\x7f" for character in text)


def _find(document: JSONValue, path: str) -> tuple[Any, str] | None:
    """The container at the end of a path, and the last key; `None` if there is no container."""
    parts = path.split("/")
    if len(parts) < 2:
        return None
    container = document
    for part in parts[1:-1]:
        try:
            container = _get(container, _decoded(part))
        except PatchError:
            return None
        if not isinstance(container, (dict, list)):
            return None
    return container, _decoded(parts[-1])


def _decoded(key: str) -> str:
    return key.replace("~1", "/").replace("~0", "~")


def _index(key: str) -> int:
    """An index; raises PatchError with the error of Go's parser."""
    digits = key[1:] if key[:1] in ("+", "-") else key
    if not (digits.isascii() and digits.isdigit()):
        raise PatchError(wordings.no_index(key))
    number = int(key)
    if abs(number) >= 1 << 63:
        raise PatchError(wordings.index_too_great(key))
    return number


def _position(key: str, length: int) -> int:
    """The position of an index in a list of that length; raises PatchError."""
    number = _index(key)
    if number >= length or number < -length:
        raise PatchError(wordings.index_out_of_bounds(number))
    return number + length if number < 0 else number


def _get(container: Any, key: str) -> JSONValue:
    """The value under a key, or null; raises PatchError for bad indexes."""
    if isinstance(container, dict):
        return container.get(key)
    return container[_position(key, len(container))]


def _add(container: Any, key: str, value: JSONValue) -> None:
    if isinstance(container, dict):
        container[key] = value
    elif key == "-":
        container.append(value)
    else:
        try:
            _index(key)
        except PatchError as error:
            raise PatchError(wordings.no_index_to_add(key, error)) from None
        container.insert(_position(key, len(container) + 1), value)


def _remove(container: Any, key: str) -> None:
    if isinstance(container, dict):
        if key not in container:
            raise PatchError(wordings.no_key_to_remove(key))
        del container[key]
    else:
        del container[_position(key, len(container))]


def _set(container: Any, key: str, value: JSONValue) -> None:
    container[key if isinstance(container, dict) else _position(key, len(container))] = value


def _value(operation: PatchOperation) -> JSONValue:
    return None if operation.value is _NOTHING else deep_copy(operation.value)


def _bad_text(text: str) -> str:
    """The error of Go's JSON parser for a text with escapes that JSON doesn't have."""
    bad = next(character for character in text if not _is_readable(character))
    return wordings.invalid_escape("a" if bad == chr(7) else "v" if bad == chr(11) else "x")


# --- operations ---


def _step_add(holder: list[JSONValue], operation: PatchOperation) -> None:
    if not _is_readable(operation.path):
        raise PatchError(wordings.path_not_decoded("add"))
    found = _find(holder[0], operation.path)
    if found is None:
        raise PatchError(wordings.no_quoted_path("add", operation.path))
    try:
        _add(*found, _value(operation))
    except PatchError as error:
        raise PatchError(wordings.operation_failed("add", operation.path, error)) from None


def _step_remove(holder: list[JSONValue], operation: PatchOperation) -> None:
    if not _is_readable(operation.path):
        raise PatchError(wordings.path_not_decoded("remove"))
    found = _find(holder[0], operation.path)
    if found is None:
        raise PatchError(wordings.no_quoted_path("remove", operation.path))
    try:
        _remove(*found)
    except PatchError as error:
        raise PatchError(wordings.operation_failed("remove", operation.path, error)) from None


def _step_replace(holder: list[JSONValue], operation: PatchOperation) -> None:
    path = operation.path
    if not _is_readable(path):
        raise PatchError(wordings.path_not_decoded("replace", _bad_text(path)))
    if not path:
        if operation.value is _NOTHING:
            raise ServerPanicError(PANIC_WITHOUT_VALUE)
        if isinstance(operation.value, (dict, list)) or operation.value is None:
            holder[0] = _value(operation)
        elif release().refuses_scalar_documents:
            raise PatchError(wordings.SCALAR_DOCUMENT)
        return
    found = _find(holder[0], path)
    if found is None:
        raise PatchError(wordings.no_path_to_replace(path))
    try:
        _get(*found)
    except PatchError:
        raise PatchError(wordings.no_key_to_replace(path)) from None
    _set(*found, _value(operation))


def _taken(holder: list[JSONValue], operation: PatchOperation, word: str) -> tuple[Any, str]:
    """The source of a ``move`` or ``copy``: the container and the key."""
    if not operation.source:
        raise PatchError(wordings.no_source(word))
    if not _is_readable(operation.source):
        raise PatchError(wordings.source_not_decoded(word, _bad_text(operation.source)))
    found = _find(holder[0], operation.source)
    if found is None:
        raise PatchError(wordings.no_path_to_take_from(word, operation.source))
    return found


def _destination(holder: list[JSONValue], operation: PatchOperation, word: str) -> tuple[Any, str]:
    """The destination of a ``move`` or ``copy``."""
    found = _find(holder[0], operation.path)
    if found is None:
        raise PatchError(wordings.no_destination(word, operation.path))
    return found


def _step_move(holder: list[JSONValue], operation: PatchOperation) -> None:
    container, key = _taken(holder, operation, "move")
    try:
        value = _get(container, key)
        _remove(container, key)
    except PatchError as error:
        raise PatchError(wordings.operation_failed("move", key, error)) from None
    if not _is_readable(operation.path):
        raise PatchError(wordings.path_not_decoded("move", _bad_text(operation.path)))
    destination = _destination(holder, operation, "move")
    try:
        _add(*destination, value)
    except PatchError as error:
        raise PatchError(wordings.operation_failed("move", operation.path, error)) from None


def _step_copy(holder: list[JSONValue], operation: PatchOperation) -> None:
    container, key = _taken(holder, operation, "copy")
    try:
        value = deep_copy(_get(container, key))
    except PatchError as error:
        raise PatchError(wordings.source_failed(operation.source, error)) from None
    if not _is_readable(operation.path):
        raise PatchError(wordings.path_not_decoded("copy"))
    destination = _destination(holder, operation, "copy")
    try:
        _add(*destination, value)
    except PatchError as error:
        raise PatchError(wordings.copy_not_added(error)) from None


def _step_test(holder: list[JSONValue], operation: PatchOperation) -> None:
    path = operation.path
    if not _is_readable(path):
        raise PatchError(wordings.path_not_decoded("test", _bad_text(path)))
    if not path:
        _require(_same(holder[0], operation.value))
        return
    found = _find(holder[0], path)
    if found is None:
        raise PatchError(wordings.no_path_to_test(path))
    try:
        value = _get(*found)
    except PatchError as error:
        raise PatchError(wordings.operation_failed("test", path, error)) from None
    _require(value is not None and operation.value is not _NOTHING and _same(value, operation.value))


def _require(holds: bool) -> None:
    if not holds:
        raise UnmetTestError


def _same(left: JSONValue, right: JSONValue) -> bool:
    """Whether two values have the same JSON text, up to the order of members."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_same, left, right))
    return isinstance(left, bool) is isinstance(right, bool) and bool(left == right)


_STEPS: Final[Mapping[str, Callable[[list[JSONValue], PatchOperation], None]]] = {
    "add": _step_add,
    "remove": _step_remove,
    "replace": _step_replace,
    "move": _step_move,
    "copy": _step_copy,
    "test": _step_test,
}
