"""A rule uses a feature that a gateway doesn't have, but LLMKube's own proxy has.

With `dataPlane: Gateway` rules match by model name and headers, and route with primary-fallback or weighted. Task
complexity, capabilities, latency, name patterns, the classifier and shadow routes need the proxy. Upstream's webhook
refuses the router.

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
    good="accepts-names-of-models-on-a-gateway",
    bad="refuses-a-pattern-on-a-gateway",
)
def check(router: Given) -> Said:
    yield from objected(router, Topic.GATEWAY_MATCH, hint="match by models and headers, or use dataPlane: Proxy")
