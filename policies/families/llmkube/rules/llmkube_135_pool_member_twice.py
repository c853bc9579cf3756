"""A pool lists a member twice, or a member without a name.

The pool's status lists members by name. If a member is listed twice, the API server refuses every status that the
operator writes, and nothing else records the progress of a swap. The operator skips a member without a name.

Source: LLMKube v0.9.19, config/crd/bases; internal/controller/modelpool_controller.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, Said, Violation, pools
from weighbridge.policies.families.llmkube.subject.pool_members import members


@pools.error(topic="ModelPools", about=FAILURE, good="accepts-a-pool-of-two-members", bad="refuses-a-pool-member-twice")
def check(pool: Given) -> Said:
    seen: set[str] = set()
    for path, name in members(pool.object):
        if not name:
            yield Violation(path, "is empty; it must name a service", expected="the name of an InferenceService")
        elif name in seen:
            message = f"\"{name}\" is listed already; the pool's status can't hold it twice"
            yield Violation(path, message, found=name, hint="remove this entry")
        seen.add(name)
