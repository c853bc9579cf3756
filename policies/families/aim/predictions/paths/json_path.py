"""The value that a JSONPath in a path template finds in a service, as client-go finds it in the operator's structures.

A label or an annotation in brackets is looked up by its key. Elsewhere the operators put keys into double quotes, which client-go reads as
indices and refuses. A structure has all its fields: one that the author left out is empty, and an error only if it is a pointer. If a
structure has several embedded structures, client-go searches only the last one.

Source: client-go, util/jsonpath/parser.go and jsonpath.go; kaiwo dbca1b55, internal/controller/aim/shared/route_template.go; aim-engine
v0.2.1, internal/aimservice/httproute_template.go.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.families.aim.predictions.paths import go_types
from weighbridge.policies.families.aim.predictions.paths.go_types import LIST, MAP, STRUCT, Go
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import part, text, text_map
from weighbridge.policies.ground.objects import JSONObject, JSONValue

#: Fields that the API server writes when it stores an object, and again when the object changes.
_BY_SERVER: Final = ("creationTimestamp", "deletionTimestamp", "generation", "managedFields", "resourceVersion")
#: Fields that the API server changes with each change of the service.
_CHANGING: Final = ("generation", "managedFields", "resourceVersion")
#: A placeholder for the uid, which a service gets when it is stored: it has the same length, and only characters that a path may have.
UID: Final = "uidx0uid-uidx-uidx-uidx-uidx0uidx0uid"
_KEYED: Final = expression(r"\.metadata\.(labels|annotations)\[['\"]([^'\"]+)['\"]\]")
_STEP: Final = expression(r"\.((?:\\.|[^\s.,\[\]$@{}\\])+)|\[([^\]]*)\]")
_INDEX: Final = expression(r"-?[0-9]+")
_SLICE: Final = expression(r"-?[0-9]*(?::-?[0-9]*){1,2}")


class PathTemplateError(Exception):
    """A template that gives no path, and why."""


class UnreadPathError(Exception):
    """A JSONPath whose result in the operator isn't known."""


class ChangingPathError(UnreadPathError):
    """A JSONPath whose result isn't the same for the whole life of a service."""


class GoValue(NamedTuple):
    """A value with its type in Go; `None` is an absent one."""

    value: JSONValue
    type: Go


def looked_up(expression: str, service: JSONObject, dialect: Dialect) -> GoValue:
    """The only value that a JSONPath finds. Raises `PathTemplateError` if there isn't exactly one, and `UnreadPathError`."""
    if not expression:
        raise PathTemplateError("{} has nothing in it")
    if keyed := _KEYED.fullmatch(expression):
        kind, key = keyed.groups()
        found = text_map(service, "metadata", kind)
        if key not in found:
            raise PathTemplateError(f"the service has no {kind[:-1]} {key}")
        return GoValue(found[key], Go(go_types.TEXT))
    path = expression[1:] if expression[0] in "$@" else expression
    if path[:1].isalpha() and path not in ("true", "false"):
        raise PathTemplateError(f"{{{expression}}} begins without a dot")
    if path == ".metadata.uid":
        return GoValue(text(part(service, "metadata"), "uid") or UID, Go(go_types.TEXT))
    _refuse_what_only_the_server_knows(path, expression, service)
    try:
        found_one = _walked(path, _root(service, dialect), expression)
        if found_one.type.is_pointer and found_one.value is None:
            raise _missing(path.rpartition(".")[2], expression)
    except PathTemplateError:
        if path.startswith(".status."):
            raise UnreadPathError(f"{{{expression}}} is empty until the service runs") from None
        raise
    return found_one


def _root(service: JSONObject, dialect: Dialect) -> GoValue:
    """The service as the operator reads it: with the operator's finalizer, which it adds first of all."""
    metadata = part(service, "metadata")
    finalizers = [one for one in metadata.get("finalizers") or [] if one != dialect.finalizer]
    held = {**service, "metadata": {**metadata, "finalizers": [*finalizers, dialect.finalizer]}}
    return GoValue(held, go_types.AIM_ENGINE if dialect.is_aim_engine else go_types.KAIWO)


def _refuse_what_only_the_server_knows(path: str, expression: str, service: JSONObject) -> None:
    first, _, rest = path.removeprefix(".").partition(".")
    name = rest.replace("[", ".").partition(".")[0]
    if first == "metadata" and name in _CHANGING:
        raise ChangingPathError(f"{{{expression}}} changes with the service")
    if first == "metadata" and (name in _BY_SERVER or not name):
        raise UnreadPathError(f"what {{{expression}}} is only the server knows")
    if first == "status" and not part(service, "status"):
        raise UnreadPathError(f"{{{expression}}} is empty until the service runs")


def _walked(path: str, found: GoValue, expression: str) -> GoValue:
    at = 0
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            unterminated = path[at] == "["
            raise (PathTemplateError(f"{{{expression}}}: unterminated array") if unterminated else _unread(expression))
        at = step.end()
        if step[1] is None:
            found = _item(found, step[2], expression)
        elif step[1] == "*":
            found = _only(_parts(found), expression)
        else:
            found = _field(found, step[1].replace("\\", ""), expression)
    return found


def _field(found: GoValue, key: str, expression: str) -> GoValue:
    inner = field_of(found, key)
    if inner is not None:
        return inner
    if found.type.kind == go_types.OPAQUE or (found.type.kind == STRUCT and key[:1].isupper()):
        # Go's own name of the field, which client-go finds as well.
        raise _unread(expression)
    raise _missing(key, expression)


def field_of(found: GoValue, key: str) -> GoValue | None:
    """A field of a structure, or the value of a key of a map."""
    value, kind = found
    if value is None and kind.is_pointer:
        return None
    if kind.kind == MAP:
        held = value.get(key) if isinstance(value, dict) else None
        return GoValue(held, kind.item) if held is not None and kind.item is not None else None
    embedded: Go | None = None
    for name, of_field in kind.fields:
        if name == key:
            return GoValue(value.get(key) if isinstance(value, dict) else None, of_field)
        embedded = of_field if not name else embedded
    return field_of(GoValue(value if value is not None else {}, embedded), key) if embedded is not None else None


def _parts(found: GoValue) -> list[GoValue]:
    """The values that a wildcard finds: the fields of a structure, the values of a map, the items of a list."""
    value, kind = found
    if value is None and kind.is_pointer:
        return []
    if kind.kind == STRUCT:
        held = value if isinstance(value, dict) else {}
        return [GoValue(held.get(name) if name else held, of_field) for name, of_field in kind.fields]
    if kind.item is None:
        return []
    several = list(value.values()) if isinstance(value, dict) else value
    return [GoValue(one, kind.item) for one in several] if isinstance(several, list) else []


def _item(found: GoValue, index: str, expression: str) -> GoValue:
    if index == "*":
        return _only(_parts(found) if found.type.kind == LIST else [], expression)
    if "," in index or index.startswith("?") or _SLICE.fullmatch(index):
        raise _unread(expression)
    if not _INDEX.fullmatch(index):
        raise PathTemplateError(f"{{{expression}}}: [{index}] isn't an index; only labels and annotations have keys in brackets")
    inner = _parts(found) if found.type.kind == LIST else []
    if not -len(inner) <= int(index) < len(inner):
        raise PathTemplateError(f"{{{expression}}}: there is no item {index}")
    return inner[int(index)]


def _missing(key: str, expression: str) -> PathTemplateError:
    return PathTemplateError(f"{{{expression}}}: {key} is not found")


def _unread(expression: str) -> UnreadPathError:
    return UnreadPathError(f"{{{expression}}} isn't read here")


def _only(found: list[GoValue], expression: str) -> GoValue:
    if len(found) != 1:
        raise PathTemplateError(f"{{{expression}}} finds {len(found)} values, not one")
    return found[0]
