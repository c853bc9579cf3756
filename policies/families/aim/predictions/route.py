"""A service's route: whether it gets one, through which gateway, under which path.

The service's fields win over the merged config's; its gateway is taken whole.

Source: kaiwo dbca1b55, internal/controller/aim/routingconfig/resolve.go; aim-engine v0.2.1, internal/aimservice/httproute.go.
"""

from __future__ import annotations

from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.families.aim.predictions.json_path import PathTemplateError, UnreadPathError
from weighbridge.policies.families.aim.predictions.path_template import rendered
from weighbridge.policies.families.aim.predictions.workload import Work
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.durations import duration_text, nanoseconds
from weighbridge.policies.ground.fields import part, text, text_map
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass

_NO_GATEWAY = "routing.gatewayRef must be specified via AIMService or runtime config when routing is enabled"


@dataclass(frozen=True, slots=True)
class Route:
    """A route; without one `path` is empty. `problem` is what is wrong with the template, even if the operator goes on."""

    path: str = ""
    gateway: JSONObject | None = None
    template: str = ""
    problem: str = ""
    failure: str = ""
    reason: str = ""
    state: str = ""
    condition: str = ""
    runs_all_the_same: bool = False


def route(service: JSONObject, config: JSONObject, dialect: Dialect) -> Route:
    """The route of a service, with the merged spec of its runtime configs."""
    own, merged = part(spec_of(service), "routing"), part(config, "routing")
    enabled = own.get("enabled") if own.get("enabled") is not None else merged.get("enabled")
    if enabled is not True:
        return Route()
    gateway = part(own, "gatewayRef") or part(merged, "gatewayRef")
    if not gateway:
        reason, condition = ("GatewayNotConfigured", "HTTPRouteReady") if dialect.is_aim_engine else ("RouteFailed", "RoutingReady")
        # aim-engine applies no objects at all, kaiwo all but the route.
        goes_on = not dialect.is_aim_engine
        return Route(failure=_NO_GATEWAY, reason=reason, state="Failed", condition=condition, runs_all_the_same=goes_on)
    # aim-engine counts an empty template of the service as its own.
    is_own = "pathTemplate" in own if dialect.is_aim_engine else bool(text(own, "pathTemplate"))
    template = text(own if is_own else merged, "pathTemplate")
    if gateway and not dialect.is_aim_engine:
        gateway = {"namespace": namespace_of(service), **gateway}
    default = f"/{namespace_of(service)}/{text(metadata_of(service), 'uid') or '<uid>'}"
    if not template:
        return Route(default, gateway)
    try:
        return Route(rendered(template, service, dialect), gateway, template)
    except UnreadPathError as error:
        return Route(gateway=gateway, template=template, problem=str(error))
    except PathTemplateError as error:
        if dialect.is_aim_engine:
            return Route(default, gateway, template, problem=str(error))
        failure = f'failed to evaluate route template "{template}": {error}'
        return Route("", gateway, template, str(error), failure, "PathTemplateInvalid", "Degraded", "Ready", runs_all_the_same=True)


def http_route(work: Work, route: Route) -> JSONObject:
    """The HTTPRoute."""
    namespace, name = namespace_of(work.service), work.name if work.dialect.is_aim_engine else name_of(work.service)
    config = part(work.config, "routing")
    annotations = text_map(config, "annotations")
    if not work.dialect.is_aim_engine:
        annotations |= text_map(work.spec, "routing", "annotations")
    metadata: JSONObject = {"name": name, "namespace": namespace}
    if annotations:
        metadata["annotations"] = annotations
    rule: JSONObject = {
        "matches": [{"path": {"type": "PathPrefix", "value": route.path}}],
        "filters": [{"type": "URLRewrite", "urlRewrite": {"path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/"}}}],
        "backendRefs": [{"kind": "Service", "name": f"{work.name}-predictor", "namespace": namespace, "port": 80}],
    }
    timeout = text(part(work.spec, "routing"), "requestTimeout") or text(config, "requestTimeout")
    length = nanoseconds(timeout)
    if length:
        rule["timeouts"] = {"request": duration_text(length)}
    spec = {"parentRefs": [route.gateway], "rules": [rule]}
    return {"apiVersion": "gateway.networking.k8s.io/v1", "kind": "HTTPRoute", "metadata": metadata, "spec": spec}
