"""A gateway can't use the address of an external backend.

With `dataPlane: Gateway` the operator writes the host and port of an external backend into the gateway's configuration.
So the backend needs a `url`, even if its provider's address is known to the proxy. The `url` must be absolute, with a
port or with a scheme that has a default port. One backend without it fails the whole router, even if no rule names it.

Source: LLMKube v0.9.19, internal/controller/modelrouter_gateway_controller.go.
"""

from typing import Final

from weighbridge.policies.families.llmkube.predictions.router.backends import PUBLISHED, gateway_address_problem
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, Said, Violation, gateways, part, text
from weighbridge.policies.families.llmkube.subject.routers import external_backends

_UNSET: Final = "isn't set; the gateway is given no other address, so the whole router fails"


@gateways.error(
    topic="Routers: data planes",
    about=FAILURE,
    good="accepts-an-external-backend-for-a-gateway",
    bad="refuses-a-relative-address-on-a-gateway",
)
def check(router: Given) -> Said:
    for path, backend in external_backends(router.spec):
        external = part(backend, "external")
        url, provider = text(external, "url"), text(external, "provider")
        if gateway_address_problem(url):
            yield Violation(
                (*path, "external", "url"),
                "has no host and port for the gateway to connect to" if url.strip() else _UNSET,
                found=url,
                expected=PUBLISHED.get(provider, "an absolute address, such as https://llm.example.com"),
            )
