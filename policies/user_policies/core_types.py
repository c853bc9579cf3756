"""The types of built-in kinds that policies see: pods, services and claims, and kinds of the cluster that rules read.

They are those of the newest release. Quantities are integers or strings, as manifests have them.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from weighbridge.policies.apiserver.built_in_types import types_of
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import USUAL

_INT_OR_STRING: Final[JSONObject] = {"x-kubernetes-int-or-string": True}
_TIME: Final[JSONObject] = {"type": "string", "format": "date-time"}
_FORMS: Final[dict[str, JSONObject]] = {
    "bool": {"type": "boolean"},
    "bytes": {"type": "string", "format": "byte"},
    "duration": {"type": "string"},
    "fields": {"type": "object"},
    "float": {"type": "number"},
    "int32": {"type": "integer"},
    "int64": {"type": "integer"},
    "intstr": _INT_OR_STRING,
    "microtime": _TIME,
    "quantity": _INT_OR_STRING,
    "raw": {"type": "object"},
    "string": {"type": "string"},
    "time": _TIME,
}
#: The kinds that policies may look up.
_KINDS: Final = frozenset({
    "LimitRange", "Namespace", "PersistentVolume", "PersistentVolumeClaim", "Pod", "PriorityClass.scheduling.k8s.io",
    "RuntimeClass.node.k8s.io", "Service", "StorageClass.storage.k8s.io",
})  # fmt: skip


def kind_schema(kind: str) -> JSONObject | None:
    """The schema of a built-in kind, named ``Kind`` or ``Kind.group``; `None` where it isn't among them."""
    return type_schema(kind.partition(".")[0]) if kind in _KINDS else None


@cache
def type_schema(name: str) -> JSONObject:
    """The schema of a type such as ``ObjectMeta``."""
    fields = types_of(USUAL.name).fields(name)
    return {"type": "object", "properties": {key: _form(field.kind) for key, field in fields if key != "managedFields"}}


def _form(kind: str) -> JSONObject:
    if kind[0] == "[":
        return {"type": "array", "items": _form(kind.partition("]")[2])}
    if kind[0] == "{":
        return {"type": "object", "additionalProperties": _form(kind.partition("}")[2])}
    plain = kind.lstrip("~+").partition(":")[0]
    return _FORMS.get(plain) or type_schema(plain)
