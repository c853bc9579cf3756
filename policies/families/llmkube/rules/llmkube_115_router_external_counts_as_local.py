"""A router's external backend counts as local, so rules for sensitive data may route to it.

The CRD defaults `tier` to local, for external providers too. Upstream keeps sensitive data only from backends of the tier
cloud, so a rule for pii may send it to a provider on the internet. The rule ignores backends whose address is in the
cluster.

Source: LLMKube v0.9.19, config/crd/bases; internal/controller/modelrouter_validation.go; measured.
"""

import ipaddress
from urllib.parse import urlsplit

from weighbridge.policies.families.llmkube.rulebook import Given, JSONObject, Said, Violation, part, routers, text
from weighbridge.policies.families.llmkube.subject.routers import external_backends


@routers.warning(
    topic="Routers: backends, routes and budgets",
    good="accepts-an-external-backend-in-the-cluster",
    bad="warns-of-a-provider-that-counts-as-local",
)
def check(router: Given) -> Said:
    for path, backend in external_backends(router.spec):
        external, tier = part(backend, "external"), text(backend, "tier")
        if tier != "cloud" and _leaves(external):
            yield Violation(
                (*path, "tier"),
                f"is local for {text(external, 'provider')}, so rules for sensitive data may route it there",
                found=tier or "local",
                expected="cloud",
                hint="set tier: cloud for a provider outside the cluster",
            )


def _leaves(external: JSONObject) -> bool:
    """Whether a provider is outside the cluster: LiteLLM if its address is, the others unless their address is inside."""
    url = text(external, "url")
    if not url:
        return text(external, "provider") != "litellm"
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    try:
        return not ipaddress.ip_address(host).is_private
    except ValueError:
        return "." in host and not host.endswith((".svc", ".local", ".internal")) and ".svc." not in host
