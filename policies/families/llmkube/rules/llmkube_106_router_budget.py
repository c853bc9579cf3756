"""A router's budget has no cap, or caps a rule that doesn't exist.

A budget needs `maxTokens` or `maxUSD`. A budget with the scope rule needs the name of a rule of this router. Upstream's
webhook refuses the router.

Source: LLMKube v0.9.19, internal/controller/modelrouter_validation.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, Path, Said, routers
from weighbridge.policies.families.llmkube.rules._routers import objected
from weighbridge.policies.families.llmkube.upstream.router_spec import Topic
from weighbridge.policies.families.llmkube.upstream.router_webhook import WEBHOOK


@routers.error(
    topic="Routers: backends, routes and budgets",
    about=FAILURE,
    mirrors=WEBHOOK,
    good="accepts-budgets-with-caps",
    bad="refuses-a-budget-without-a-cap",
)
def check(router: Given) -> Said:
    yield from objected(router, Topic.BUDGET, hint=_hint)


def _hint(path: Path) -> str:
    return "name a rule of this router" if path[-1] == "ruleName" else "set maxTokens or maxUSD"
