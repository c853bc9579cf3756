"""A pool's swapBudget is not a duration, which stops the operator for all pools of the cluster.

The CRD takes any text and no webhook reads it. The operator can't decode such a pool, and with it the whole list of
pools: until it is mended or gone, no ModelPool in any namespace is reconciled.

Source: LLMKube v0.9.19, api/v1alpha1/modelpool_types.go; measured.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.subject.pooling import budget_problem
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    problem = budget_problem(request.object)
    if problem:
        yield RULE.finding(
            ("spec", "swapBudget"),
            f"{problem}; the operator then can't read any ModelPool of the cluster",
            found=text(spec_of(request.object), "swapBudget"),
            expected="a number with its unit, such as 300s or 5m",
        )


RULE = Rule(
    id="LLMKUBE-134",
    name="pool-swap-budget",
    severity=Severity.ERROR,
    kinds=("ModelPool",),
    since="0.1.0",
    source="LLMKube v0.9.19 api/v1alpha1/modelpool_types.go",
    is_about_failure=True,
    check=_check,
    good="members: [{inferenceServiceRef: {name: llama}}]\nswapBudget: 5m",
    bad="members: [{inferenceServiceRef: {name: llama}}]\nswapBudget: 5 minutes",
)
