"""Something else also scales a pool's member.

The pool sets its members' replicas to 1 or 0. With `autoscaling` an HPA scales the same Deployment. With more than one
replica the pool's next reconcile sets the number back to 1.

Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, part, pools, spec_of, whole
from weighbridge.policies.families.llmkube.subject.pool_members import members
from weighbridge.policies.families.llmkube.subject.references import SERVICES


@pools.warning(
    topic="ModelPools", reads=("InferenceService",), good="accepts-a-pool-on-its-members-nodes", bad="warns-of-a-pool-member-that-is-scaled"
)
def check(pool: Given) -> Said:
    for path, name in members(pool.object):
        spec = spec_of(SERVICES.get(pool.facts, pool.namespace, name))
        replicas = whole(spec, "replicas", 1)
        if part(spec, "autoscaling"):
            yield Violation(path, f'"{name}" has autoscaling, and the pool sets its replicas too', found=name, hint="remove autoscaling")
        elif replicas > 1:
            message = f'"{name}" requests {replicas} replicas, but the pool gives it at most 1'
            yield Violation(path, message, found=name, hint="set its replicas to 1")
