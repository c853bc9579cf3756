"""Two backends of a router have the same name.

Routes name backends, so the second would replace the first. Upstream's webhook refuses the router.

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
    good="accepts-two-backends-of-different-names",
    bad="refuses-a-router-backend-named-twice",
)
def check(router: Given) -> Said:
    yield from objected(router, Topic.NAME, hint="give each backend its own name")
