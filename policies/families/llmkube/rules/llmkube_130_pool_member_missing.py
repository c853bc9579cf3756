"""A pool's member is a service that doesn't exist.

Members are InferenceServices of the pool's namespace. While one is missing, the pool is Degraded, and the operator
starts and stops none of the others. The service may come later in the same rollout, so the rule only warns.

Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, REFERENCE, Given, Said, pools
from weighbridge.policies.families.llmkube.subject.pool_members import members
from weighbridge.policies.families.llmkube.subject.references import SERVICES


@pools.warning(
    topic="ModelPools",
    about=REFERENCE | FAILURE,
    reads=("InferenceService",),
    good="accepts-a-pool-of-two-members",
    bad="warns-of-a-missing-pool-member",
)
def check(pool: Given) -> Said:
    # Each reason is reported once.
    yield from dict.fromkeys(_missing(pool))


def _missing(pool: Given) -> Said:
    namespace, hint = pool.namespace, "create the service in the pool's namespace, or correct the name"
    for path, name in members(pool.object):
        if name:
            said = f'namespace "{namespace}" has no InferenceService "{name}"; the operator doesn\'t reconcile the pool until it exists'
            yield from SERVICES.missing(pool, path, name, said, hint=hint, namespace=namespace)
