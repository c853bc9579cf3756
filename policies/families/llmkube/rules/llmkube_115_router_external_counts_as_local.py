"""A router's external backend counts as local, so that rules for sensitive data may lead to it.

Where `tier` isn't written the CRD makes it local, for external providers too. Upstream keeps sensitive data from backends
of tier cloud only, and so lets a rule for pii send it to a provider on the internet. Backends within the cluster, by
their address, are left alone.

Source: LLMKube v0.9.19, config/crd/bases and internal/controller/modelrouter_validation.go; measured.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from urllib.parse import urlsplit

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import items, part, text
from policies.findings import Finding, Severity
from policies.objects import JSONObject
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for index, backend in enumerate(items(spec_of(request.object), "backends")):
        external = part(backend, "external")
        if external and text(backend, "tier") != "cloud" and _leaves(external):
            yield RULE.finding(
                ("spec", "backends", index, "tier"),
                f"is local for {text(external, 'provider')}, so rules for sensitive data may route it there",
                found=text(backend, "tier") or "local",
                expected="cloud",
                hint="set tier: cloud for a provider outside the cluster",
            )


def _leaves(external: JSONObject) -> bool:
    """Whether a provider lies outside the cluster: LiteLLM by its address, the others unless their address is within."""
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


RULE = Rule(
    id="LLMKUBE-115",
    name="router-external-counts-as-local",
    severity=Severity.WARNING,
    kinds=("ModelRouter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelrouter_validation.go",
    check=_check,
    good="backends: [{name: gpt, tier: cloud, external: {provider: openai, model: gpt-4o}}]",
    bad="backends: [{name: gpt, external: {provider: openai, model: gpt-4o}}]",
)
