"""A budget counts something that a gateway can't count.

With `dataPlane: Gateway` budgets count tokens, for the router or for a team. Budgets in dollars or for single rules
need LLMKube's own proxy. Upstream's webhook refuses the router.

Source: LLMKube v0.9.19, internal/controller/modelrouter_gateway_controller.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, Said, routers
from weighbridge.policies.families.llmkube.rules._routers import objected
from weighbridge.policies.families.llmkube.upstream.router_spec import Topic
from weighbridge.policies.families.llmkube.upstream.router_webhook import WEBHOOK


@routers.error(
    topic="Routers: data planes",
    about=FAILURE,
    mirrors=WEBHOOK,
    good="accepts-router-timeouts-at-the-bounds",
    bad="refuses-dollars-on-a-gateway",
)
def check(router: Given) -> Said:
    yield from objected(router, Topic.GATEWAY_BUDGET, hint="set maxTokens for scope router or team, or use dataPlane: Proxy")
