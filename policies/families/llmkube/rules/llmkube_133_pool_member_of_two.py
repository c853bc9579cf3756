"""A service is a member of two pools.

Each pool sets the replicas of its members by itself, one to 1 and the other to 0, without end.

Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.pool_members import member_names, pools_with
from weighbridge.policies.families.llmkube.subject.references import GROUP
from weighbridge.policies.ground.objects import name_of


@objects.warning(
    kinds=("ModelPool",),
    reads=("ModelPool",),
    good="accepts-a-pool",
    bad="warns-of-a-member-of-two-pools",
)
def check(given: Given) -> Said:
    namespace, own = given.namespace, given.name
    for index, name in enumerate(member_names(given.object)):
        others = [name_of(pool) for pool in pools_with(given.facts, namespace, name) if name_of(pool) != own] if name else []
        if others:
            yield Violation(
                ("spec", "members", index, "inferenceServiceRef", "name"),
                f'"{name}" is a member of ModelPool "{others[-1]}" too, and both set its replicas',
                found=name,
                hint="remove the service from one of the pools",
            )
    if not given.facts.objects.knows_all(GROUP, "ModelPool"):
        yield NotChecked("not all ModelPools of the cluster are known")
