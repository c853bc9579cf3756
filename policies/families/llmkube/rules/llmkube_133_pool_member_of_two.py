"""A service is a member of two pools.

Each pool sets the replicas of its members. One pool sets the service to 1 and the other to 0, again and again.

Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Given, NotChecked, Said, Violation, name_of, pools
from weighbridge.policies.families.llmkube.subject.pool_members import members, pools_with
from weighbridge.policies.families.llmkube.subject.references import GROUP


@pools.warning(topic="ModelPools", reads=("ModelPool",), good="accepts-a-member-of-one-pool", bad="warns-of-a-member-of-two-pools")
def check(pool: Given) -> Said:
    for path, name in members(pool.object):
        found = pools_with(pool.facts, pool.namespace, name) if name else ()
        others = [name_of(other) for other in found if name_of(other) != pool.name]
        if others:
            said = f'"{name}" is a member of ModelPool "{others[-1]}" too, and both set its replicas'
            yield Violation(path, said, found=name, hint="remove the service from one of the pools")
    if not pool.facts.objects.knows_all(GROUP, "ModelPool"):
        yield NotChecked("not all ModelPools of the cluster are known")
