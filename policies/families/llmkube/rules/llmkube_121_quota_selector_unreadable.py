"""A GPUQuota's selector can't be evaluated, so that it limits nothing.

The CRD takes any operator and any labels. The webhook passes over a quota whose selector Kubernetes doesn't understand,
and its usage isn't counted either.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_quota_webhook.go; measured.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.findings import Finding, Severity
from policies.request import Request
from policies.selectors import OPERATORS, selector_problems


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for path, problem in selector_problems(spec_of(request.object).get("selector")):
        yield RULE.finding(
            ("spec", "selector", *path),
            f"{problem}; the quota limits nothing",
            expected=", ".join(OPERATORS) if path[-1] == "operator" else "",
        )


RULE = Rule(
    id="LLMKUBE-121",
    name="quota-selector-unreadable",
    severity=Severity.ERROR,
    kinds=("GPUQuota",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/inferenceservice_quota_webhook.go",
    is_about_failure=True,
    check=_check,
    good="gpuCount: 4\nselector: {matchExpressions: [{key: team, operator: In, values: [search]}]}",
    bad="gpuCount: 4\nselector: {matchExpressions: [{key: team, operator: Equals, values: [search]}]}",
)
