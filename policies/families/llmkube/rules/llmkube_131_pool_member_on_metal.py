"""A pool's member runs on Metal, where the pool can't stop it.

A host's agent serves a Model with accelerator metal, without a pod, so there is no GPU to wait for. Upstream marks the
pool Degraded and scales no member.

Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, NotChecked, Said, Violation, pools, spec_of, text
from weighbridge.policies.families.llmkube.subject.pool_members import is_metal, members
from weighbridge.policies.families.llmkube.subject.references import MODELS, SERVICES


@pools.error(
    topic="ModelPools",
    about=FAILURE,
    reads=("InferenceService", "Model"),
    good="accepts-a-pool-on-its-members-nodes",
    bad="refuses-a-pool-member-on-metal",
)
def check(pool: Given) -> Said:
    for path, name in members(pool.object):
        service = SERVICES.get(pool.facts, pool.namespace, name)
        if service is None:
            continue
        model = text(spec_of(service), "modelRef")
        if is_metal(service, pool.namespace, pool.facts, pool.config):
            said = f'Model "{model}" of "{name}" has accelerator metal, so the pool is Degraded and the operator scales none of its members'
            yield Violation(path, said, found=name, hint="remove the service from the pool")
        elif MODELS.is_missing(pool.facts, pool.namespace, model) is None:
            yield NotChecked(f'Model "{model}" isn\'t known')
