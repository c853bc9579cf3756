"""A pool's default is none of its members.

`default` is the member that runs while no request names one. Another name is ignored silently, so that
the pool stays cold.

Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.pool_members import member_names
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.spelling import listed, similar


@objects.warning(
    kinds=("ModelPool",),
    good="refuses-a-swap-budget-in-words",
    bad="warns-of-a-default-that-is-no-member",
)
def check(given: Given) -> Said:
    default, members = text(given.spec, "default"), member_names(given.object)
    if default and default not in members:
        yield Violation(
            ("spec", "default"),
            f'"{default}" is not a member, so no member is kept warm',
            found=default,
            expected=listed(members),
            nearest=similar(default, members),
        )
