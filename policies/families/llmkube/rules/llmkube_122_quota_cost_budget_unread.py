"""A GPUQuota names a cost budget, which nothing reads.

`costBudgetRef` is for a kind that doesn't exist yet; the webhook always takes the budget for not used up.

Source: LLMKube v0.9.19, internal/webhook/quota/decision.go; measured.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    named = text(spec_of(request.object), "costBudgetRef")
    if named:
        yield RULE.finding(
            ("spec", "costBudgetRef"), "has no effect, since upstream has no cost budgets yet", found=named, hint="remove it"
        )


RULE = Rule(
    id="LLMKUBE-122",
    name="quota-cost-budget-unread",
    severity=Severity.NOTE,
    kinds=("GPUQuota",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/webhook/quota/decision.go",
    check=_check,
    good="gpuCount: 4\nnamespaceRef: default",
    bad="gpuCount: 4\nnamespaceRef: default\ncostBudgetRef: monthly",
)
