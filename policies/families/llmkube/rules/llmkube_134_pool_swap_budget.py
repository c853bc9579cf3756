"""A pool's swapBudget isn't a duration, which stops the operator for all pools of the cluster.

The CRD accepts any text, and no webhook checks it. The operator can't decode such a pool, and so can't decode the list
of all pools. Until the pool is corrected or deleted, the operator reconciles no ModelPool in any namespace.

Source: LLMKube v0.9.19, api/v1alpha1/modelpool_types.go; measured.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, Said, Violation, pools, text
from weighbridge.policies.families.llmkube.subject.pool_members import budget_problem


@pools.error(topic="ModelPools", about=FAILURE, good="accepts-a-swap-budget-in-minutes", bad="refuses-a-swap-budget-in-words")
def check(pool: Given) -> Said:
    problem = budget_problem(pool.object)
    if problem:
        yield Violation(
            ("spec", "swapBudget"),
            f"{problem}; the operator then can't read any ModelPool of the cluster",
            found=text(pool.spec, "swapBudget"),
            expected="a number with its unit, such as 300s or 5m",
        )
