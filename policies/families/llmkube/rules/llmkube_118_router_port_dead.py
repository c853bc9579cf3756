"""A router's Service sends to a port that its proxy doesn't listen on.

LLMKube's own proxy always listens on 8080 for requests and on 9090 for metrics. The Service listens on `endpoint.port`
and sends to the same port of the proxy. With any other port than 8080 no request arrives, although the router is Ready.

Source: LLMKube v0.9.19, internal/controller/router_service_builder.go;
internal/controller/router_deployment_builder.go; measured.
"""

from weighbridge.policies.families.llmkube.predictions.service.address import PORT, service_port
from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, proxies


@proxies.error(topic="Routers: data planes", good="accepts-a-router-on-the-port-of-its-proxy", bad="refuses-a-router-on-a-port-of-its-own")
def check(router: Given) -> Said:
    port = service_port(router.spec)
    if port != PORT:
        yield Violation(
            ("spec", "endpoint", "port"),
            f"the proxy listens on {PORT}, so a Service with target port {port} reaches nothing",
            found=str(port),
            expected=str(PORT),
            hint="remove the port",
        )
