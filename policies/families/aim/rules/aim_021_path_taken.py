"""Another service of the namespace has the same path at the same gateway.

A path template without the service's name or uid gives several services one path. The operator doesn't check that: it creates both
routes, and the gateway sends all requests to the older one. Put `{.metadata.name}` into the template.

Source: aim-engine v0.2.1, internal/aimservice/httproute.go; kaiwo dbca1b55, internal/controller/aim/shared/route_template.go.
"""

from collections.abc import Mapping, Sequence

from weighbridge.policies.families.aim.predictions.configuration import DEFAULT, runtime_config
from weighbridge.policies.families.aim.predictions.paths.route import Route
from weighbridge.policies.families.aim.predictions.paths.route import route as route_of
from weighbridge.policies.families.aim.predictions.paths.taken_paths import once_a_run, services_at
from weighbridge.policies.families.aim.rulebook import Given, Said, Service, Violation, of_both_groups, reads_of_services, services
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.memory import Memory
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
    own_name, holders = given.name, _holders(own, service, given).get(text(own.gateway, "name"), ())
    if peers := [name for name in holders if name != own_name]:
        yield Violation(
            ("spec", "routing", "pathTemplate"),
            f"{own.path} is also the path of AIMService {listed(peers)}",
            found=own.template,
            hint="put {.metadata.name} into the template",
        )


def _holders(wanted: Route, service: Service, given: Given) -> Mapping[str, Sequence[str]]:
    """The names of the services of the namespace that have a path, by their gateways. They are the same for all of these services."""

    def work_out() -> Mapping[str, Sequence[str]]:
        found: dict[str, set[str]] = {}
        for other in services_at(wanted.path, service.dialect, service.namespace, given.facts, given.config):
            route = _route(other, service, given)
            if route.path == wanted.path and not route.problem:
                found.setdefault(text(route.gateway, "name"), set()).add(name_of(other))
        return {gateway: sorted(names) for gateway, names in found.items()}

    by_path = once_a_run(given.facts, given.config, (_holders, given.group, service.namespace), Memory)
    return by_path.once(wanted.path, work_out)


def _route(other: JSONObject, service: Service, given: Given) -> Route:
    """The route of another service of the namespace."""
    name = text(spec_of(other), "runtimeConfigName") or DEFAULT
    config = service.config
    if name != config.name:
        config = runtime_config(service.dialect, name, service.namespace, given.facts, given.config)
    return route_of(other, config.spec, service.dialect)
