"""A pool's nodeSelector is stored, but not used.

The operator doesn't pass it to the members: each member is scheduled by the fields of its own service. Members on
different nodes share no GPU, but the pool makes them take turns all the same.

Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go; measured.
"""

from weighbridge.policies.families.llmkube.rulebook import Given, NotChecked, Said, Violation, listed, pools, spec_of, text_map
from weighbridge.policies.families.llmkube.subject.pool_members import member_names
from weighbridge.policies.families.llmkube.subject.references import SERVICES


@pools.warning(
    topic="ModelPools", reads=("InferenceService",), good="accepts-a-pool-of-two-members", bad="warns-of-a-node-selector-of-a-pool"
)
def check(pool: Given) -> Said:
    wanted, without = text_map(pool.spec, "nodeSelector").items(), []
    for name in filter(None, member_names(pool.object)):
        own = text_map(spec_of(SERVICES.get(pool.facts, pool.namespace, name)), "nodeSelector")
        if not wanted <= own.items():
            without.append(name)
    if any(SERVICES.is_missing(pool.facts, pool.namespace, name) is None for name in without):
        yield NotChecked(SERVICES.unknown)
    elif without:
        said = f"isn't applied to the members; {listed(without)} may run on other nodes"
        yield Violation(("spec", "nodeSelector"), said, hint="set the same nodeSelector in each member")
