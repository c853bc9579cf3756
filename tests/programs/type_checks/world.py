"""The kinds that generated policies are about: built-in ones, those of the systems that ship, and some with odd schemas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tests.cel.random_expressions import SCHEMA
from weighbridge.policies.apiserver.built_in import built_in_groups, plural_of
from weighbridge.policies.apiserver.built_in_types import built_in_types
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.webhook.inputs.bundled import bundled_crds

GROUP: Final = "types.test"
_TEXT: Final[JSONObject] = {"type": "string"}
_ODD: Final[JSONObject] = {
    "type": "object",
    "required": ["size"],
    "properties": {
        "size": {"type": "integer", "minimum": -5},
        "ratio": {"type": "number", "format": "double"},
        "enabled": {"type": "boolean", "default": True},
        "title": {"type": "string", "enum": ["a", "b"]},
        "until": {"type": "string", "format": "date-time"},
        "day": {"type": "string", "format": "date"},
        "grace": {"type": "string", "format": "duration"},
        "blob": {"type": "string", "format": "byte"},
        "worded": {"type": "string", "format": "int-or-string"},
        "port": {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]},
        "maybe": {"type": "string", "nullable": True},
        "tags": {"type": "array", "items": _TEXT, "x-kubernetes-list-type": "set"},
        "matrix": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
        "limits": {"type": "object", "additionalProperties": {"type": "integer"}},
        "parts": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            "items": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": _TEXT, "weight": {"type": "integer"}, "until": {"type": "string", "format": "date-time"}},
            },
        },
        "by": {"type": "object", "additionalProperties": {"type": "object", "properties": {"rank": {"type": "integer"}}}},
        "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        "half": {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {"known": _TEXT}},
        "any": {"x-kubernetes-preserve-unknown-fields": True},
        "anys": {"type": "array", "items": {"x-kubernetes-preserve-unknown-fields": True}},
        "empty": {"type": "object"},
        "namespace": _TEXT,
        "in": _TEXT,
        "dash-ed": _TEXT,
        "dotted.name": _TEXT,
        "under__scored": _TEXT,
        "template": {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True},
        "child": {
            "type": "object",
            "x-kubernetes-embedded-resource": True,
            "properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer"}}}, "metadata": {"type": "object"}},
        },
    },
}
_KINDS: Final[Sequence[tuple[str, JSONObject, Sequence[str]]]] = (
    ("Widget", {"type": "object", "properties": {"spec": _ODD, "status": {"type": "object"}}}, ("v1", "v1beta1")),
    ("Rule", {"type": "object", "properties": {"spec": SCHEMA}}, ("v1",)),
    ("Bare", {"type": "object", "x-kubernetes-preserve-unknown-fields": True}, ("v1",)),
    ("Plain", {"type": "object", "properties": {"metadata": {"type": "object", "properties": {"name": _TEXT}}, "size": _TEXT}}, ("v1",)),
    # A resource with the name of a built-in one: a rule of the core group matches both.
    ("Pod", {"type": "object", "properties": {"spec": {"type": "object", "properties": {"shape": _TEXT}}}}, ("v1",)),
)


def _crd(kind: str, schema: JSONObject, versions: Sequence[str]) -> JSONObject:
    served = [
        {"name": name, "served": True, "storage": not number, "schema": {"openAPIV3Schema": schema}} for number, name in enumerate(versions)
    ]
    plural = f"{kind.lower()}s"
    names = {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": f"{kind}List"}
    spec: JSONObject = {"group": GROUP, "scope": "Namespaced", "names": names, "versions": served}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{GROUP}"},
        "spec": spec,
    }


#: The definitions of the kinds with odd schemas.
OWN: Final = tuple(_crd(*kind) for kind in _KINDS)


def definitions() -> list[JSONObject]:
    """The CustomResourceDefinitions."""
    found: dict[str, JSONObject] = {crd["metadata"]["name"]: crd for crd in bundled_crds()}
    return [*found.values(), *OWN]


def built_in_kinds() -> list[GroupVersionKind]:
    """The built-in kinds whose types are known."""
    known = built_in_types()
    kinds = (
        GroupVersionKind(group, version, kind)
        for group, kinds in built_in_groups().items()
        for kind, versions in kinds.items()
        for version in versions
    )
    # The controller doesn't have the types of APIServices itself, but asks the server for them.
    return [gvk for gvk in kinds if gvk.kind != "APIService" and known.any_type_of(gvk) is not None]


def resources(crds: Sequence[JSONObject]) -> Iterator[dict[str, Any]]:
    """All served resources, in the form of discovery."""
    for gvk in built_in_kinds():
        yield {"group": gvk.group, "version": gvk.version, "name": plural_of(gvk.kind), "kind": gvk.kind}
    for crd in crds:
        spec = crd["spec"]
        for version in spec["versions"]:
            if version["served"]:
                names = spec["names"]
                yield {"group": spec["group"], "version": version["name"], "name": names["plural"], "kind": names["kind"]}
