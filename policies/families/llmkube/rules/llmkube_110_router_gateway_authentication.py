"""A router's authentication would lock everyone out, or let everyone in.

With `dataPlane: Gateway` the gateway matches a team's allowlist against a verified claim. That needs `policy.auth.jwt`,
and each team must be named once and without spaces around it. Upstream's webhook refuses the router otherwise.

Source: LLMKube v0.9.19, internal/controller/modelrouter_gateway_controller.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, Path, Said, routers
from weighbridge.policies.families.llmkube.rules._routers import objected
from weighbridge.policies.families.llmkube.upstream.router_spec import Topic
from weighbridge.policies.families.llmkube.upstream.router_webhook import WEBHOOK


@routers.error(
    topic="Routers: data planes",
    about=FAILURE,
    mirrors=WEBHOOK,
    good="accepts-allowlists-with-a-claim",
    bad="refuses-allowlists-without-a-claim",
)
def check(router: Given) -> Said:
    yield from objected(router, Topic.GATEWAY_AUTH, Topic.GATEWAY_ALLOWLIST, hint=_hint)


def _hint(path: Path) -> str:
    if path[-1] == "team":
        return "name each team once and without spaces"
    return "write the missing fields of jwt" if path[-1] == "jwt" else "set policy.auth.jwt, or remove the allowlists"
