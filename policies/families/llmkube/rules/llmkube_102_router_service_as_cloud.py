"""A router's backend is a service of this cluster, but its tier is cloud.

`tier` decides where sensitive data may go. A service is always local; upstream's webhook refuses any other tier.

Source: LLMKube v0.9.19, internal/controller/modelrouter_validation.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, Said, Violation, routers
from weighbridge.policies.families.llmkube.upstream.router_spec import Topic
from weighbridge.policies.families.llmkube.upstream.router_webhook import WEBHOOK, objections


@routers.error(
    topic="Routers: backends, routes and budgets",
    about=FAILURE,
    mirrors=WEBHOOK,
    good="accepts-a-service-as-local",
    bad="refuses-a-service-as-cloud",
)
def check(router: Given) -> Said:
    for objection in objections(router.object, Topic.TIER):
        yield Violation(objection.path, objection.detail, found="cloud", expected="local")
