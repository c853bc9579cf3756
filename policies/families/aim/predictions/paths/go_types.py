"""The Go structures of an AIMService, field by field, as the JSONPaths of path templates walk through them and as Go prints them.

Source: kaiwo dbca1b55, apis/aim/v1alpha1; aim-engine v0.2.1, api/v1alpha1; apimachinery, meta/v1/types.go; Gateway API, apis/v1.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from weighbridge.policies.ground.records import dataclass, replace

#: Kinds of types. For `opaque` types neither the fields nor the printed form is known here.
TEXT: Final = "text"
FLAG: Final = "flag"
NUMBER: Final = "number"
LIST: Final = "list"
MAP: Final = "map"
STRUCT: Final = "struct"
DURATION: Final = "duration"
QUANTITY: Final = "quantity"
OPAQUE: Final = "opaque"


@dataclass(frozen=True, slots=True)
class Go:
    """A type: for a structure its fields in order, where an empty name is an embedded structure; for a list or a map the type of an item.

    `prints` is whether a pointer to it has a method for printing; without one Go prints the address.
    """

    kind: str
    fields: tuple[tuple[str, Go], ...] = ()
    item: Go | None = None
    is_pointer: bool = False
    prints: bool = False


#: The notation of a type: its kind, a list with the type of its items, or a structure. The name of a pointer begins with `*`, that of an
#: embedded structure with `+`.
_Shape: TypeAlias = "Go | str | list[_Shape] | dict[str, _Shape]"


def _read(shape: _Shape, *, is_pointer: bool = False) -> Go:
    if isinstance(shape, Go):
        return replace(shape, is_pointer=is_pointer)
    if isinstance(shape, str):
        return Go(shape, is_pointer=is_pointer, prints=shape in (DURATION, QUANTITY, OPAQUE))
    if isinstance(shape, list):
        return Go(LIST, item=_read(shape[0]), is_pointer=is_pointer)
    fields = ((name, _read(of, is_pointer=name.startswith("*"))) for name, of in shape.items())
    return Go(STRUCT, tuple(("" if name.startswith("+") else name.lstrip("*"), of) for name, of in fields), is_pointer=is_pointer)


_MAP: Final = Go(MAP, item=Go(TEXT))
_AMOUNTS: Final = Go(MAP, item=_read(QUANTITY))
#: A reference of a variable has its own method for printing.
_ENV: Final[_Shape] = [{"name": TEXT, "value": TEXT, "*valueFrom": OPAQUE}]
_SECRETS: Final[_Shape] = [{"name": TEXT}]
_RESOURCES: Final = replace(_read({"limits": _AMOUNTS, "requests": _AMOUNTS, "claims": [{"name": TEXT, "request": TEXT}]}), prints=True)
_GATEWAY: Final[_Shape] = {"*group": TEXT, "*kind": TEXT, "*namespace": TEXT, "name": TEXT, "*sectionName": TEXT, "*port": NUMBER}
_METRIC: Final[_Shape] = {"backend": TEXT, "serverAddress": TEXT, "metricNames": [TEXT], "query": TEXT, "operationOverTime": TEXT}
_TARGET: Final[_Shape] = {"type": TEXT, "value": TEXT, "averageValue": TEXT, "*averageUtilization": NUMBER}
_SCALING: Final[_Shape] = {"metrics": [{"type": TEXT, "*podmetric": {"*metric": _METRIC, "*target": _TARGET}}]}
_METADATA: Final[_Shape] = {
    **dict.fromkeys(("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion"), TEXT),
    "generation": NUMBER,
    "creationTimestamp": OPAQUE,
    "*deletionTimestamp": OPAQUE,
    "*deletionGracePeriodSeconds": NUMBER,
    "labels": _MAP,
    "annotations": _MAP,
    "ownerReferences": [OPAQUE],
    "finalizers": [TEXT],
    "managedFields": [OPAQUE],
}
_REFERENCE: Final[_Shape] = dict.fromkeys(("name", "namespace", "scope", "kind", "uid"), TEXT)
_REPLICAS: Final[dict[str, _Shape]] = dict.fromkeys(("*replicas", "*minReplicas", "*maxReplicas"), NUMBER)
_HARDWARE: Final[_Shape] = {
    "*gpu": {"requests": NUMBER, "model": TEXT, "*minVram": QUANTITY, "resourceName": TEXT},
    "*cpu": {"requests": QUANTITY, "*limits": QUANTITY},
}
_SOURCES: Final[_Shape] = [{"modelId": TEXT, "sourceUri": TEXT, "*size": QUANTITY, "env": _ENV}]


def _service(spec: _Shape, *resolved: str) -> Go:
    # Only the references in the status are known before the service runs.
    status: _Shape = dict.fromkeys((f"*{name}" for name in resolved), _REFERENCE)
    return _read({"+TypeMeta": {"kind": TEXT, "apiVersion": TEXT}, "metadata": _METADATA, "spec": spec, "status": status})


#: aim-engine's.
AIM_ENGINE: Final = _service(
    {
        "model": {"*name": TEXT, "*image": TEXT, "*custom": {"baseImage": TEXT, "modelSources": _SOURCES, "hardware": _HARDWARE}},
        "template": {"name": TEXT, "allowUnoptimized": FLAG},
        "*caching": {"mode": TEXT},
        "*cacheModel": FLAG,
        **_REPLICAS,
        "*autoScaling": _SCALING,
        "+RuntimeConfigRef": {"runtimeConfigName": TEXT},
        "+AIMServiceRuntimeConfig": {
            "*storage": {"*defaultStorageClassName": TEXT, "*pvcHeadroomPercent": NUMBER},
            "*routing": {
                "*enabled": FLAG,
                "*gatewayRef": _GATEWAY,
                "*pathTemplate": TEXT,
                "*requestTimeout": DURATION,
                "annotations": _MAP,
            },
            "env": _ENV,
        },
        "*resources": _RESOURCES,
        "*overrides": {"+AIMRuntimeParameters": {"*metric": TEXT, "*precision": TEXT, "*hardware": _HARDWARE}},
        "imagePullSecrets": _SECRETS,
        "serviceAccountName": TEXT,
    },
    "resolvedModel",
    "resolvedTemplate",
)
_SELECTOR: Final[_Shape] = {"count": NUMBER, "model": TEXT, "resourceName": TEXT}
#: kaiwo's.
KAIWO: Final = _service(
    {
        "model": {"*ref": TEXT, "*image": TEXT},
        "templateRef": TEXT,
        "template": {"allowUnoptimized": FLAG},
        "cacheModel": FLAG,
        **_REPLICAS,
        "*autoScaling": _SCALING,
        "runtimeConfigName": TEXT,
        "*resources": _RESOURCES,
        "*kvCache": {
            "name": TEXT,
            "type": TEXT,
            "*image": TEXT,
            "env": _ENV,
            "*storage": OPAQUE,
            "*resources": _RESOURCES,
            "lmCacheConfig": TEXT,
        },
        "*overrides": {"+AIMRuntimeParameters": {"*metric": TEXT, "*precision": TEXT, "*gpuSelector": _SELECTOR}},
        "env": _ENV,
        "imagePullSecrets": _SECRETS,
        "serviceAccountName": TEXT,
        "+AIMRuntimeConfigCommon": {
            "defaultStorageClassName": TEXT,
            "*model": {"*autoDiscovery": FLAG},
            "*routing": {
                "*enabled": FLAG,
                "*gatewayRef": _GATEWAY,
                "pathTemplate": TEXT,
                "annotations": _MAP,
                "*requestTimeout": DURATION,
            },
            "*pvcHeadroomPercent": NUMBER,
            "*labelPropagation": OPAQUE,
        },
    },
    "resolvedTemplate",
)
