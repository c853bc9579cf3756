"""A pool's member runs on metal, where no pool can hold it back.

A Model on accelerator metal is served by a host's agent and not by a pod, so that there is no GPU to wait for. Upstream
marks the pool Degraded and scales no member.

Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.pool_members import is_metal, member_names
from weighbridge.policies.families.llmkube.subject.references import MODELS, SERVICES
from weighbridge.policies.ground.fields import text


@objects.error(
    kinds=("ModelPool",),
    about=FAILURE,
    reads=("InferenceService", "Model"),
    good="accepts-a-pool-on-its-members-nodes",
    bad="refuses-a-pool-member-on-metal",
)
def check(given: Given) -> Said:
    namespace = given.namespace
    for index, name in enumerate(member_names(given.object)):
        service = SERVICES.get(given.facts, namespace, name)
        if service is None:
            continue
        model = text(spec_of(service), "modelRef")
        if is_metal(service, namespace, given.facts, given.config):
            yield Violation(
                ("spec", "members", index, "inferenceServiceRef", "name"),
                f'Model "{model}" of "{name}" has accelerator metal, so the pool is Degraded and the operator scales none of its members',
                found=name,
                hint="remove the service from the pool",
            )
        elif MODELS.is_missing(given.facts, namespace, model) is None:
            yield NotChecked(f'Model "{model}" isn\'t known')
