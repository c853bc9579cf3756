"""A rule for sensitive data may send it out of the cluster.

A rule that matches a sensitive class (pii and phi, or those of `policy.classification.sensitiveClassifications`) must
fail closed and route only to local backends. Upstream's webhook refuses the router otherwise, with both data planes.

Source: LLMKube v0.9.19, internal/controller/modelrouter_validation.go;
internal/controller/modelrouter_gateway_controller.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, Said, Violation, routers
from weighbridge.policies.families.llmkube.upstream.router_spec import Topic
from weighbridge.policies.families.llmkube.upstream.router_webhook import WEBHOOK, objections

_HINTS = {"failClosed": "set failClosed: true, so that no other backend answers when the local ones fail"}


@routers.error(
    topic="Routers: backends, routes and budgets",
    about=FAILURE,
    mirrors=WEBHOOK,
    good="accepts-other-classes-as-sensitive",
    bad="refuses-sensitive-data-that-may-leave",
)
def check(router: Given) -> Said:
    # With the data plane Gateway upstream objects to the same rules a second time.
    for objection in objections(router.object, Topic.SENSITIVE):
        hint = _HINTS.get(str(objection.path[-1]), "route sensitive data to backends of tier local only")
        yield Violation(objection.path, objection.detail, hint=hint)
