"""A GPUQuota's selector can't be evaluated, so the quota limits nothing.

The CRD accepts any operator and any labels. If Kubernetes can't read the selector, the webhook skips the quota, and the
controller doesn't count its usage.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_quota_webhook.go; measured.
"""

from weighbridge.policies.facts.selectors import OPERATORS, selector_problems
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, Said, Violation, quotas


@quotas.error(topic="GPUQuotas", about=FAILURE, good="accepts-a-quota-by-labels", bad="refuses-a-selector-that-selects-nothing")
def check(quota: Given) -> Said:
    for path, problem in selector_problems(quota.spec.get("selector")):
        expected = ", ".join(OPERATORS) if path[-1] == "operator" else ""
        yield Violation(("spec", "selector", *path), f"{problem}; the quota limits nothing", expected=expected)
