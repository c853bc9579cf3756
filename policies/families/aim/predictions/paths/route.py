"""A service's route: whether it gets one, through which gateway, under which path.

The service's fields win over the merged config's, and its gateway replaces the config's as a whole. A path may have parts of the service's
status, once that is written.

Source: kaiwo dbca1b55, internal/controller/aim/routingconfig/resolve.go and shared/httproute.go; aim-engine v0.2.1,
internal/aimservice/httproute.go and httproute_template.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.families.aim.predictions.labels import label_value, labels_of_child, propagated
from weighbridge.policies.families.aim.predictions.names import hashed, joined
from weighbridge.policies.families.aim.predictions.paths.json_path import ChangingPathError, PathTemplateError, UnreadPathError
from weighbridge.policies.families.aim.predictions.paths.path_template import rendered
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.durations import duration_text, nanoseconds
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.field_errors import ErrorType, FieldError
from weighbridge.policies.ground.fields import part, text, text_map
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.pods.validation.template import annotation_errors, label_errors

#: The durations that an HTTPRoute accepts (Gateway API, GEP-2257).
_GATEWAY_DURATION_TEXT: Final = "([0-9]{1,5}(h|m|s|ms)){1,4}"
_GATEWAY_DURATION: Final = expression(_GATEWAY_DURATION_TEXT, re.ASCII)
_NO_LABELS: Final[Mapping[str, str]] = {}
_NO_GATEWAY = "routing.gatewayRef must be specified via AIMService or runtime config when routing is enabled"


@dataclass(frozen=True, slots=True)
class Route:
    """A route; without one `path` is empty.

    `problem` says what is wrong with the template, even if the operator goes on. `unknown` says why the path isn't known; with `changes`
    the path changes during the life of the service.
    """

    path: str = ""
    gateway: JSONObject | None = None
    template: str = ""
    problem: str = ""
    unknown: str = ""
    changes: bool = False
    failure: str = ""
    reason: str = ""
    state: str = ""
    condition: str = ""


def route(service: JSONObject, config: JSONObject, dialect: Dialect, status: JSONObject | None = None) -> Route:
    """The route of a service, by the merged spec of its runtime configs and what is known of its status."""
    own, merged = part(spec_of(service), "routing"), part(config, "routing")
    enabled = own.get("enabled") if own.get("enabled") is not None else merged.get("enabled")
    if enabled is not True:
        return Route()
    gateway = part(own, "gatewayRef") or part(merged, "gatewayRef")
    if not gateway:
        reason, condition = ("GatewayNotConfigured", "HTTPRouteReady") if dialect.is_aim_engine else ("RouteFailed", "RoutingReady")
        return Route(failure=_NO_GATEWAY, reason=reason, state="Failed", condition=condition)
    # For aim-engine an empty template of the service wins over the config's.
    is_own = own.get("pathTemplate") is not None if dialect.is_aim_engine else bool(text(own, "pathTemplate"))
    template = text(own if is_own else merged, "pathTemplate")
    if not dialect.is_aim_engine:
        gateway = {"namespace": namespace_of(service), **gateway}
    default = f"/{namespace_of(service)}/{text(metadata_of(service), 'uid') or '<uid>'}"
    if not template:
        return Route(default, gateway)
    try:
        return Route(rendered(template, {**service, "status": {**part(service, "status"), **(status or {})}}, dialect), gateway, template)
    except UnreadPathError as error:
        return Route(gateway=gateway, template=template, unknown=str(error), changes=isinstance(error, ChangingPathError))
    except PathTemplateError as error:
        if dialect.is_aim_engine:
            return Route(default, gateway, template, problem=str(error))
        failure = f'failed to evaluate route template "{template}": {error}'
        return Route("", gateway, template, str(error), failure=failure, reason="PathTemplateInvalid", state="Degraded", condition="Ready")


def http_route(
    service: JSONObject, config: JSONObject, dialect: Dialect, runtime: str, found: Route, labels: Mapping[str, str] = _NO_LABELS
) -> JSONObject:
    """The HTTPRoute; `runtime` is the name of the InferenceService that it leads to, `labels` are kaiwo's own."""
    namespace = namespace_of(service)
    annotations = _annotations(service, config, dialect)
    if dialect.is_aim_engine:
        name = name_of(service)
        own = {f"{dialect.group}/service": label_value(name), "app.kubernetes.io/component": "routing"}
        own |= {"app.kubernetes.io/managed-by": "aim-engine"}
        labels = labels_of_child(service, config, dialect, own, {f"{dialect.group}/service.name": name})
    else:
        labels = {**propagated(service, config, dialect), **labels}
    metadata: JSONObject = {"name": route_name(service, dialect), "namespace": namespace}
    if labels:
        metadata["labels"] = labels
    if annotations:
        metadata["annotations"] = annotations
    rule: JSONObject = {
        "matches": [{"path": {"type": "PathPrefix", "value": found.path}}],
        "filters": [{"type": "URLRewrite", "urlRewrite": {"path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/"}}}],
        "backendRefs": [{"kind": "Service", "name": f"{runtime}-predictor", "namespace": namespace, "port": 80}],
    }
    if (timeout := _timeout(service, config)) is not None:
        # Zero is written as well, and means no timeout.
        rule["timeouts"] = {"request": timeout}
    spec = {"parentRefs": [found.gateway], "rules": [rule]}
    return {"apiVersion": "gateway.networking.k8s.io/v1", "kind": "HTTPRoute", "metadata": metadata, "spec": spec}


def route_name(service: JSONObject, dialect: Dialect) -> str:
    """The name of a service's HTTPRoute; it may be longer than the name of the InferenceService, which becomes a part of a host name."""
    return joined(name_of(service), suffix=hashed(namespace_of(service))) if dialect.is_aim_engine else name_of(service)


def route_errors(service: JSONObject, config: JSONObject, dialect: Dialect) -> Iterator[FieldError]:
    """The API server's errors on the HTTPRoute of a service: on its annotations, and on a timeout that Go prints in another form."""
    if dialect.is_aim_engine:
        yield from label_errors({f"{dialect.group}/service.name": name_of(service)}, "metadata.labels")
    yield from annotation_errors(_annotations(service, config, dialect), "metadata.annotations")
    timeout = _timeout(service, config)
    if timeout is not None and not _GATEWAY_DURATION.fullmatch(timeout):
        where = "spec.rules[0].timeouts.request"
        yield FieldError(ErrorType.INVALID, where, timeout, f"{where} in body should match '^{_GATEWAY_DURATION_TEXT}$'")


def _timeout(service: JSONObject, config: JSONObject) -> str | None:
    length = nanoseconds(text(part(spec_of(service), "routing"), "requestTimeout") or text(part(config, "routing"), "requestTimeout"))
    return duration_text(length) if length is not None else None


def _annotations(service: JSONObject, config: JSONObject, dialect: Dialect) -> dict[str, str]:
    """The annotations of a route; aim-engine doesn't read those of the service."""
    of_config = text_map(part(config, "routing"), "annotations")
    return of_config if dialect.is_aim_engine else of_config | text_map(spec_of(service), "routing", "annotations")
