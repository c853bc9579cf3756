"""A route names a backend that the router doesn't have.

`defaultRoute` and the routes of rules must name backends of the router. Upstream's webhook refuses any other name.

Source: LLMKube v0.9.19, internal/controller/modelrouter_validation.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, Said, Similar, Violation, items, lookup, routers, text
from weighbridge.policies.families.llmkube.upstream.router_spec import Topic
from weighbridge.policies.families.llmkube.upstream.router_webhook import WEBHOOK, objections


@routers.error(
    topic="Routers: backends, routes and budgets",
    about=FAILURE,
    mirrors=WEBHOOK,
    good="accepts-routes-to-a-backend",
    bad="refuses-a-route-to-nowhere",
)
def check(router: Given) -> Said:
    names = [text(backend, "name") for backend in items(router.spec, "backends")]
    near = Similar(names)
    for objection in objections(router.object, Topic.ROUTE):
        named = lookup(router.object, objection.path)
        found = named if isinstance(named, str) else ""
        nearest = near.to(found) or ", ".join(names[:3])
        yield Violation(objection.path, objection.detail, found=found, nearest=nearest)
