"""The kinds, namespaces, parameters and stored objects with which generated policies are tried."""

from __future__ import annotations

from typing import Any, Final

from weighbridge.policies.ground.objects import JSONObject

GROUP: Final = "policies.test"
_PART: Final[JSONObject] = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string"}, "weight": {"type": "integer"}, "args": {"type": "array", "items": {"type": "string"}}},
}
_SPEC: Final[JSONObject] = {
    "type": "object",
    "properties": {
        "size": {"type": "integer", "minimum": -5},
        "title": {"type": "string", "default": "untitled"},
        "enabled": {"type": "boolean", "default": True},
        "ratio": {"type": "number"},
        "memory": {"type": "string"},
        "until": {"type": "string", "format": "date-time"},
        "tags": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
        "parts": {"type": "array", "items": _PART, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]},
        "limits": {"type": "object", "additionalProperties": {"type": "integer"}},
        "port": {"x-kubernetes-int-or-string": True},
        "namespace": {"type": "string"},
        "dash-ed": {"type": "string"},
        "maybe": {"type": "string", "nullable": True},
        "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
    },
}
_SCHEMA: Final[JSONObject] = {
    "type": "object",
    "properties": {
        "spec": _SPEC,
        "status": {"type": "object", "properties": {"ready": {"type": "integer"}, "phase": {"type": "string"}}},
        "limit": {"type": "integer"},
        "words": {"type": "array", "items": {"type": "string"}},
        "mode": {"type": "string", "default": "strict"},
    },
}


def _crd(kind: str, scope: str, versions: tuple[str, ...]) -> JSONObject:
    plural = f"{kind.lower()}s"
    scale = {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.ready"}
    served: list[JSONObject] = [
        {
            "name": name,
            "served": True,
            "storage": number == 0,
            "schema": {"openAPIV3Schema": _SCHEMA},
            "subresources": {"status": {}, "scale": scale},
        }
        for number, name in enumerate(versions)
    ]
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{GROUP}"},
        "spec": {"group": GROUP, "scope": scope, "names": {"plural": plural, "kind": kind}, "versions": served},
    }


#: Objects are widgets and, in no namespace, gadgets. Parameters are limits and, in no namespace, ceilings.
CRDS: Final = (
    _crd("Widget", "Namespaced", ("v1", "v1beta1")),
    _crd("Gadget", "Cluster", ("v1",)),
    _crd("Limit", "Namespaced", ("v1", "v2")),
    _crd("Ceiling", "Cluster", ("v1",)),
)
NAMESPACES: Final[dict[str, dict[str, str]]] = {"team-a": {"env": "prod", "team": "a"}, "team-b": {"env": "lab"}, "plain": {}}
#: The kinds of parameters, each with a version that isn't the stored one.
PARAM_KINDS: Final = (("v1", "ConfigMap"), (f"{GROUP}/v1", "Limit"), (f"{GROUP}/v2", "Limit"), (f"{GROUP}/v1", "Ceiling"))


def named(kind: str, name: str, namespace: str = "", version: str = "v1", **rest: Any) -> JSONObject:
    """An object of the group."""
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
    labels = rest.pop("labels", None)
    return {
        "apiVersion": f"{GROUP}/{version}",
        "kind": kind,
        "metadata": metadata | ({"labels": labels} if labels else {}),
        **rest,
    }


def parameters() -> list[JSONObject]:
    """The parameters: in some namespaces and without one, with different labels."""
    found = [named("Ceiling", name, limit=limit, labels={"tier": tier}) for name, limit, tier in (("low", 2, "x"), ("high", 90, "x"))]
    for namespace, limit in (("team-a", 3), ("team-b", 40)):
        found += [named("Limit", "limits", namespace, limit=limit, words=["red", "blue"], labels={"tier": "x"})]
    found.append(named("Limit", "more", "team-a", "v2", limit=7, mode="lax", labels={"tier": "y"}))
    found.append(named("Limit", "empty", "team-b", labels={"tier": "y"}))
    return found


def settings() -> list[JSONObject]:
    """ConfigMaps, which serve as parameters too."""
    return [
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings", "namespace": name}, "data": data}
        for name, data in (("team-a", {"prefix": "a-", "most": "4"}), ("team-b", {"prefix": "b-"}))
    ]
