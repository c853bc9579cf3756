"""Another service of the namespace has the same path at the same gateway.

A path template without the service's name or uid gives several services one path. Nothing upstream looks for that: both routes are made,
and the gateway sends all requests to the one that is older. Let the template hold `{.metadata.name}`.

Source: aim-engine v0.2.1 internal/aimservice/httproute.go; kaiwo dbca1b55 internal/controller/aim/shared/route_template.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.predictions.configuration import DEFAULT, runtime_config
from weighbridge.policies.families.aim.predictions.route import Route, route
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, services
from weighbridge.policies.families.aim.rules._examples import SERVICE_READS
from weighbridge.policies.families.aim.subject.service import Serving
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.ground.spelling import listed


@services.warning(
    reads=tuple(sorted((*SERVICE_READS, "AIMService", "AIMService.aim.silogen.ai"))),
    good="accepts-a-path-of-a-label-of-its-own",
    bad="warns-of-a-path-that-another-service-has",
)
def check(serving: Serving, given: Given) -> Said:
    own = route(serving.service, serving.config.spec, serving.dialect)
    if not own.path or not own.template or own.problem or ".metadata.name}" in own.template:
        return
    peers = [
        name_of(other)
        for other in _others(given.request, given.facts, serving.namespace)
        if _same(other, own, serving, given.facts, given.config)
    ]
    if peers:
        yield Violation(
            ("spec", "routing", "pathTemplate"),
            f"{own.path} is also the path of AIMService {listed(sorted(peers))}",
            found=own.template,
            hint="put {.metadata.name} into the template",
        )


def _others(request: Request, facts: Facts, namespace: str) -> Iterator[JSONObject]:
    for other in facts.objects.list(request.gvk.group, "AIMService", namespace):
        if name_of(other) != name_of(request.object):
            yield other


def _same(other: JSONObject, own: Route, serving: Serving, facts: Facts, config: Configuration) -> bool:
    name = text(spec_of(other), "runtimeConfigName") or DEFAULT
    same = name == serving.config.name
    configs = serving.config if same else runtime_config(serving.dialect, name, serving.namespace, facts, config)
    found = route(other, configs.spec, serving.dialect)
    return found.path == own.path and text(found.gateway, "name") == text(own.gateway, "name") and not found.problem
