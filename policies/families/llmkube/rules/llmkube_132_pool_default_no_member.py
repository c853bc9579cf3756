"""A pool's default isn't one of its members.

`default` is the member that runs while no request names one. The operator silently ignores any other name, so no member
runs by default.

Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, listed, pools, similar, text
from weighbridge.policies.families.llmkube.subject.pool_members import member_names


@pools.warning(topic="ModelPools", good="accepts-a-default-that-is-a-member", bad="warns-of-a-default-that-is-no-member")
def check(pool: Given) -> Said:
    default, names = text(pool.spec, "default"), member_names(pool.object)
    if default and default not in names:
        said = f'"{default}" is not a member, so no member is kept warm'
        yield Violation(("spec", "default"), said, found=default, expected=listed(names), nearest=similar(default, names))
