"""A GPUQuota is for a namespace without a name.

The CRD asks for exactly one of `selector` and `namespaceRef`, and takes an empty `namespaceRef` for one. No namespace has
that name, so the quota silently limits nothing.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_quota_webhook.go; measured.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if spec_of(request.object).get("namespaceRef") == "":
        yield RULE.finding(
            ("spec", "namespaceRef"),
            "is empty, so the quota limits no namespace",
            expected="the name of a namespace",
            hint="name the namespace, or replace it by a selector of namespaces' labels",
        )


RULE = Rule(
    id="LLMKUBE-120",
    name="quota-scope-empty",
    severity=Severity.ERROR,
    kinds=("GPUQuota",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/inferenceservice_quota_webhook.go",
    check=_check,
    good="gpuCount: 4\nnamespaceRef: default",
    bad='gpuCount: 4\nnamespaceRef: ""',
)
