"""Another service of the namespace has the same path at the same gateway.

A path template without the service's name or uid gives several services one path. The operator doesn't check that: it creates both
routes, and the gateway sends all requests to the older one. Put `{.metadata.name}` into the template.

Source: aim-engine v0.2.1, internal/aimservice/httproute.go; kaiwo dbca1b55, internal/controller/aim/shared/route_template.go.
"""

from weighbridge.policies.families.aim.predictions.configuration import DEFAULT, runtime_config
from weighbridge.policies.families.aim.predictions.paths.route import Route, route
from weighbridge.policies.families.aim.predictions.paths.taken_paths import services_at
from weighbridge.policies.families.aim.rulebook import Given, Said, Service, Violation, of_both_groups, reads_of_services, services
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.spelling import listed


@services.warning(
    reads=reads_of_services(*of_both_groups("AIMService")),
    good="accepts-a-path-of-a-label-of-its-own",
    bad="warns-of-a-path-that-another-service-has",
)
def check(service: Service, given: Given) -> Said:
    own = service.asked_route
    if not own.path or not own.template or own.problem or ".metadata.name}" in own.template:
        return
    others = services_at(own.path, service.dialect, service.namespace, given.facts, given.config)
    peers = sorted({name_of(other) for other in others if name_of(other) != given.name and _has_path(other, own, service, given)})
    if peers:
        yield Violation(
            ("spec", "routing", "pathTemplate"),
            f"{own.path} is also the path of AIMService {listed(peers)}",
            found=own.template,
            hint="put {.metadata.name} into the template",
        )


def _has_path(other: JSONObject, wanted: Route, service: Service, given: Given) -> bool:
    """Whether another service of the namespace has the same path at the same gateway."""
    name = text(spec_of(other), "runtimeConfigName") or DEFAULT
    config = service.config
    if name != config.name:
        config = runtime_config(service.dialect, name, service.namespace, given.facts, given.config)
    found = route(other, config.spec, service.dialect)
    return found.path == wanted.path and text(found.gateway, "name") == text(wanted.gateway, "name") and not found.problem
