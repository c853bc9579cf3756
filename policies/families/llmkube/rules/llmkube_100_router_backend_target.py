"""A router's backend has no target, or two.

A backend is either an InferenceService of the router's namespace (`inferenceServiceRef`) or an external provider
(`external`). The CRD allows neither and both; upstream's webhook refuses them.

Source: LLMKube v0.9.19, internal/controller/modelrouter_validation.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, Said, routers
from weighbridge.policies.families.llmkube.rules._routers import objected
from weighbridge.policies.families.llmkube.upstream.router_spec import Topic
from weighbridge.policies.families.llmkube.upstream.router_webhook import WEBHOOK


@routers.error(
    topic="Routers: backends, routes and budgets",
    about=FAILURE,
    mirrors=WEBHOOK,
    good="accepts-backends-of-one-target-each",
    bad="refuses-a-router-backend-without-a-target",
)
def check(router: Given) -> Said:
    yield from objected(router, Topic.TARGET, hint="split what has both into two backends")
