"""What a JSONPath in a path template finds in a service, as client-go finds it in the operator's structures.

A label or an annotation in brackets is looked up by its key. Elsewhere the operators put keys into double quotes, which client-go reads as
indices and refuses. A structure has all its fields: one that the author left out is empty, and an error only if it is a pointer.

Source: client-go, util/jsonpath/parser.go and jsonpath.go; kaiwo dbca1b55, internal/controller/aim/shared/route_template.go; aim-engine
v0.2.1, internal/aimservice/httproute.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.objects import JSONObject, JSONValue

#: What the API server puts into an object when it stores it.
_BY_SERVER: Final = (".metadata.uid", ".metadata.creationTimestamp", ".metadata.resourceVersion", ".metadata.generation")
_KEYED: Final = expression(r"\.metadata\.(labels|annotations)\[['\"]([^'\"]+)['\"]\]")
_STEP: Final = expression(r"\.((?:\\.|[^\s.,\[\]$@{}\\])+)|\[([^\]]*)\]")
_INDEX: Final = expression(r"-?[0-9]+")
_SLICE: Final = expression(r"-?[0-9]*(?::-?[0-9]*){1,2}")
#: The fields of the structures that are no pointers, with their empty values.
_EMPTY: Final[dict[str, JSONValue]] = {
    ".metadata.annotations": {},
    ".metadata.generateName": "",
    ".metadata.labels": {},
    ".spec.env": "",
    ".spec.imagePullSecrets": "",
    ".spec.runtimeConfigName": "",
    ".spec.serviceAccountName": "",
    ".spec.template.allowUnoptimized": False,
}
_EMPTY_OF_ONE: Final[dict[bool, dict[str, JSONValue]]] = {
    True: {".spec.template.name": ""},
    False: {".spec.cacheModel": False, ".spec.defaultStorageClassName": "", ".spec.templateRef": ""},
}


class PathTemplateError(Exception):
    """A template that gives no path, and why."""


class UnreadPathError(Exception):
    """A JSONPath whose result in the operator isn't known."""


def looked_up(expression: str, service: JSONObject, dialect: Dialect) -> JSONValue:
    """The one value that a JSONPath finds. Raises `PathTemplateError` where there is none, and `UnreadPathError`."""
    if not expression:
        raise PathTemplateError("{} has nothing in it")
    if keyed := _KEYED.fullmatch(expression):
        kind, key = keyed.groups()
        found = text_map(service, "metadata", kind)
        if key not in found:
            raise PathTemplateError(f"the service has no {kind[:-1]} {key}")
        return found[key]
    if expression in _BY_SERVER:
        raise UnreadPathError(f"what {{{expression}}} is only the server knows")
    path = expression[1:] if expression[0] in "$@" else expression
    if path[:1].isalpha() and path not in ("true", "false"):
        raise PathTemplateError(f"{{{expression}}} begins without a dot")
    try:
        return _walked(path, service, expression)
    except PathTemplateError:
        empty = {**_EMPTY, **_EMPTY_OF_ONE[dialect.is_aim_engine]}
        if path in empty:
            return empty[path]
        if path.startswith(".status."):
            raise UnreadPathError(f"{{{expression}}} is empty until the service runs") from None
        raise


def _walked(path: str, service: JSONObject, expression: str) -> JSONValue:
    at = 0
    value: JSONValue = service
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            unterminated = path[at] == "["
            raise (PathTemplateError(f"{{{expression}}}: unterminated array") if unterminated else _unread(expression))
        at = step.end()
        if step[1] is None:
            value = _item(value, step[2], expression)
        elif step[1] == "*":
            value = _only(list(value.values()) if isinstance(value, dict) else value, expression)
        else:
            value = _field(value, step[1].replace("\\", ""), expression)
    return value


def _field(value: JSONValue, key: str, expression: str) -> JSONValue:
    if not isinstance(value, dict) or value.get(key) is None:
        raise PathTemplateError(f"{{{expression}}}: {key} is not found")
    return value[key]


def _item(value: JSONValue, index: str, expression: str) -> JSONValue:
    if index == "*":
        return _only(value, expression)
    if "," in index or index.startswith("?") or _SLICE.fullmatch(index):
        raise _unread(expression)
    if not _INDEX.fullmatch(index):
        raise PathTemplateError(f"{{{expression}}}: [{index}] is no index; only labels and annotations have keys in brackets")
    if not isinstance(value, list) or not -len(value) <= int(index) < len(value):
        raise PathTemplateError(f"{{{expression}}}: there is no item {index}")
    return value[int(index)]


def _unread(expression: str) -> UnreadPathError:
    return UnreadPathError(f"{{{expression}}} isn't read here")


def _only(values: JSONValue, expression: str) -> JSONValue:
    """What a wildcard finds."""
    if not isinstance(values, list) or len(values) != 1:
        raise PathTemplateError(f"{{{expression}}} finds {len(values) if isinstance(values, list) else 0} values, not one")
    return values[0]
