"""The credentials of a router's external backend aren't there.

`credentialsSecretRef` names a Secret of the router's namespace with a key that the provider decides: OPENAI_API_KEY,
ANTHROPIC_API_KEY, LITELLM_MASTER_KEY, AWS_ACCESS_KEY_ID or GOOGLE_APPLICATION_CREDENTIALS. Without it the backend
answers nothing. Secrets are never read from a cluster, so this speaks only of those given beside the router.

Source: LLMKube v0.9.19, internal/controller/router_config_builder.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.resolve.router.backends import credentials_problem
from policies.fields import items, part
from policies.findings import Finding, Severity, Unchecked
from policies.objects import namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    namespace = request.namespace or namespace_of(request.object)
    for index, backend in enumerate(items(spec_of(request.object), "backends")):
        problem, unknown = credentials_problem(part(backend, "external"), namespace, facts)
        if unknown:
            yield RULE.unchecked(unknown)
        if problem:
            path = ("spec", "backends", index, "external", "credentialsSecretRef", "name")
            yield RULE.finding(path, problem, hint="put the provider's key into a Secret of the router's namespace")


RULE = Rule(
    id="LLMKUBE-114",
    name="router-credentials",
    severity=Severity.WARNING,
    kinds=("ModelRouter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/router_config_builder.go",
    check=_check,
    good="backends: [{name: cloud, tier: cloud, external: {provider: openai, model: m, credentialsSecretRef: {name: openai}}}]",
    bad="backends: [{name: cloud, tier: cloud, external: {provider: anthropic, model: m, credentialsSecretRef: {name: openai}}}]",
    beside="""\
apiVersion: v1
kind: Secret
metadata: {name: openai, namespace: default}
stringData: {OPENAI_API_KEY: example}
""",
)
