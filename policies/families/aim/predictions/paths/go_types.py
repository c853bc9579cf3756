"""The Go structures of an AIMService, field by field, as the JSONPaths of path templates walk through them and as Go prints them.

Source: kaiwo dbca1b55, apis/aim/v1alpha1; aim-engine v0.2.1, api/v1alpha1; apimachinery, meta/v1/types.go; Gateway API, apis/v1.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.records import dataclass, replace

#: Kinds of types. Of `opaque` neither the fields nor the printed form is known here.
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

    `prints` is whether a pointer to it has a method that prints it. Else Go prints the address.
    """

    kind: str
    fields: tuple[tuple[str, Go], ...] = ()
    item: Go | None = None
    is_pointer: bool = False
    prints: bool = False


def _struct(*fields: tuple[str, Go]) -> Go:
    return Go(STRUCT, fields)


def _texts(*names: str) -> tuple[tuple[str, Go], ...]:
    return tuple((name, _TEXT) for name in names)


def _pointer(to: Go) -> Go:
    return replace(to, is_pointer=True)


def _list(item: Go) -> Go:
    return Go(LIST, item=item)


_TEXT: Final = Go(TEXT)
_FLAG: Final = Go(FLAG)
_NUMBER: Final = Go(NUMBER)
_OPAQUE: Final = Go(OPAQUE, prints=True)
_MAP: Final = Go(MAP, item=_TEXT)
_DURATION: Final = Go(DURATION, prints=True)
_QUANTITY: Final = Go(QUANTITY, prints=True)
#: A variable; what it refers to prints itself.
_VARIABLE: Final = _struct(*_texts("name", "value"), ("valueFrom", _pointer(_OPAQUE)))
_ENV: Final = _list(_VARIABLE)
_SECRETS: Final = _list(_struct(("name", _TEXT)))
_RESOURCES: Final = _pointer(
    replace(
        _struct(
            ("limits", Go(MAP, item=_QUANTITY)),
            ("requests", Go(MAP, item=_QUANTITY)),
            ("claims", _list(_struct(*_texts("name", "request")))),
        ),
        prints=True,
    )
)
_GATEWAY: Final = _struct(
    *((name, _pointer(_TEXT)) for name in ("group", "kind", "namespace")),
    ("name", _TEXT),
    ("sectionName", _pointer(_TEXT)),
    ("port", _pointer(_NUMBER)),
)
_SCALING: Final = _pointer(
    _struct(
        (
            "metrics",
            _list(
                _struct(
                    ("type", _TEXT),
                    (
                        "podmetric",
                        _pointer(
                            _struct(
                                (
                                    "metric",
                                    _pointer(
                                        _struct(
                                            *_texts("backend", "serverAddress"),
                                            ("metricNames", _list(_TEXT)),
                                            *_texts("query", "operationOverTime"),
                                        )
                                    ),
                                ),
                                (
                                    "target",
                                    _pointer(_struct(*_texts("type", "value", "averageValue"), ("averageUtilization", _pointer(_NUMBER)))),
                                ),
                            )
                        ),
                    ),
                )
            ),
        )
    )
)
_METADATA: Final = _struct(
    *_texts("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion"),
    ("generation", _NUMBER),
    ("creationTimestamp", _OPAQUE),
    ("deletionTimestamp", _pointer(_OPAQUE)),
    ("deletionGracePeriodSeconds", _pointer(_NUMBER)),
    ("labels", _MAP),
    ("annotations", _MAP),
    ("ownerReferences", _list(_OPAQUE)),
    ("finalizers", _list(_TEXT)),
    ("managedFields", _list(_OPAQUE)),
)
_REFERENCE: Final = _struct(*_texts("name", "namespace", "scope", "kind", "uid"))


def _routing(path_template: Go, *last: tuple[str, Go]) -> tuple[str, Go]:
    first = ("enabled", _pointer(_FLAG)), ("gatewayRef", _pointer(_GATEWAY)), ("pathTemplate", path_template)
    return "routing", _pointer(_struct(*first, *last))


def _service(spec: Go, *resolved: str) -> Go:
    #: Of the status only the references are known before the service runs.
    status = _struct(*((name, _pointer(_REFERENCE)) for name in resolved))
    return _struct(("", _struct(*_texts("kind", "apiVersion"))), ("metadata", _METADATA), ("spec", spec), ("status", status))


_REPLICAS: Final = tuple((name, _pointer(_NUMBER)) for name in ("replicas", "minReplicas", "maxReplicas"))
_HARDWARE: Final = _struct(
    (
        "gpu",
        _pointer(_struct(("requests", _NUMBER), ("model", _TEXT), ("minVram", _pointer(_QUANTITY)), ("resourceName", _TEXT))),
    ),
    ("cpu", _pointer(_struct(("requests", _QUANTITY), ("limits", _pointer(_QUANTITY))))),
)
_SOURCES: Final = _list(_struct(*_texts("modelId", "sourceUri"), ("size", _pointer(_QUANTITY)), ("env", _ENV)))

#: aim-engine's.
AIM_ENGINE: Final = _service(
    _struct(
        (
            "model",
            _struct(
                ("name", _pointer(_TEXT)),
                ("image", _pointer(_TEXT)),
                ("custom", _pointer(_struct(("baseImage", _TEXT), ("modelSources", _SOURCES), ("hardware", _HARDWARE)))),
            ),
        ),
        ("template", _struct(("name", _TEXT), ("allowUnoptimized", _FLAG))),
        ("caching", _pointer(_struct(("mode", _TEXT)))),
        ("cacheModel", _pointer(_FLAG)),
        *_REPLICAS,
        ("autoScaling", _SCALING),
        ("", _struct(("runtimeConfigName", _TEXT))),
        (
            "",
            _struct(
                ("storage", _pointer(_struct(("defaultStorageClassName", _pointer(_TEXT)), ("pvcHeadroomPercent", _pointer(_NUMBER))))),
                _routing(_pointer(_TEXT), ("requestTimeout", _pointer(_DURATION)), ("annotations", _MAP)),
                ("env", _ENV),
            ),
        ),
        ("resources", _RESOURCES),
        (
            "overrides",
            _pointer(
                _struct(("", _struct(("metric", _pointer(_TEXT)), ("precision", _pointer(_TEXT)), ("hardware", _pointer(_HARDWARE)))))
            ),
        ),
        ("imagePullSecrets", _SECRETS),
        ("serviceAccountName", _TEXT),
    ),
    "resolvedModel",
    "resolvedTemplate",
)
#: kaiwo's.
KAIWO: Final = _service(
    _struct(
        ("model", _struct(("ref", _pointer(_TEXT)), ("image", _pointer(_TEXT)))),
        ("templateRef", _TEXT),
        ("template", _struct(("allowUnoptimized", _FLAG))),
        ("cacheModel", _FLAG),
        *_REPLICAS,
        ("autoScaling", _SCALING),
        ("runtimeConfigName", _TEXT),
        ("resources", _RESOURCES),
        (
            "kvCache",
            _pointer(
                _struct(
                    *_texts("name", "type"),
                    ("image", _pointer(_TEXT)),
                    ("env", _ENV),
                    ("storage", _pointer(_OPAQUE)),
                    ("resources", _RESOURCES),
                    ("lmCacheConfig", _TEXT),
                )
            ),
        ),
        (
            "overrides",
            _pointer(
                _struct(
                    (
                        "",
                        _struct(
                            ("metric", _pointer(_TEXT)),
                            ("precision", _pointer(_TEXT)),
                            ("gpuSelector", _pointer(_struct(("count", _NUMBER), *_texts("model", "resourceName")))),
                        ),
                    )
                )
            ),
        ),
        ("env", _ENV),
        ("imagePullSecrets", _SECRETS),
        ("serviceAccountName", _TEXT),
        (
            "",
            _struct(
                ("defaultStorageClassName", _TEXT),
                ("model", _pointer(_struct(("autoDiscovery", _pointer(_FLAG))))),
                _routing(_TEXT, ("annotations", _MAP), ("requestTimeout", _pointer(_DURATION))),
                ("pvcHeadroomPercent", _pointer(_NUMBER)),
                ("labelPropagation", _pointer(_OPAQUE)),
            ),
        ),
    ),
    "resolvedTemplate",
)
