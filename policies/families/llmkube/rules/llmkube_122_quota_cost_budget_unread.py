"""A GPUQuota names a cost budget, which nothing reads.

`costBudgetRef` is for a kind that doesn't exist yet; the webhook treats the budget as never used up.

Source: LLMKube v0.9.19, internal/webhook/quota/decision.go; measured.
"""

from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, quotas, text


@quotas.note(topic="GPUQuotas", good="accepts-a-quota-for-a-namespace", bad="notes-a-cost-budget")
def check(quota: Given) -> Said:
    named = text(quota.spec, "costBudgetRef")
    if named:
        yield Violation(("spec", "costBudgetRef"), "has no effect, since upstream has no cost budgets yet", found=named, hint="remove it")
