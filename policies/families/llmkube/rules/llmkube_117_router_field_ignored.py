"""A router sets a field that its data plane ignores.

LLMKube's own proxy doesn't authenticate: `policy.auth` has an effect only with `dataPlane: Gateway`, so the router is
open to everyone. The proxy also ignores `gatewayRef`, gets another node port than `endpoint.nodePort`, and doesn't read
`latencySLOMs`, so a rule with no other condition matches every request.

Source: LLMKube v0.9.19, internal/controller/router_config_builder.go; internal/controller/router_service_builder.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, items, part, proxies


@proxies.warning(topic="Routers: data planes", good="accepts-a-router-for-a-gateway", bad="warns-of-what-the-proxy-does-not-do")
def check(router: Given) -> Said:
    spec = router.spec
    if part(spec, "policy", "auth"):
        said = "isn't enforced by the proxy, so everyone may use the router"
        yield Violation(("spec", "policy", "auth"), said, hint="use dataPlane: Gateway")
    if spec.get("gatewayRef") is not None:
        yield Violation(("spec", "gatewayRef"), "has no effect with dataPlane: Proxy", hint="use dataPlane: Gateway, or remove it")
    if part(spec, "endpoint").get("nodePort") is not None:
        yield Violation(("spec", "endpoint", "nodePort"), "has no effect; the API server picks a port", hint="remove it")
    for index, rule in enumerate(items(spec, "rules")):
        match = part(rule, "match")
        if match.get("latencySLOMs") is not None:
            alone = "" if len(match) > 1 else ", and without another condition the rule matches every request"
            yield Violation(("spec", "rules", index, "match", "latencySLOMs"), f"has no effect{alone}", hint="match by something else")
