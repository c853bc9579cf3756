"""A pool's nodeSelector is written down and not used.

Nothing hands it on to the members: each goes where its own service says. Members that end on different nodes share no
GPU, and the pool makes them take turns all the same.

Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go; measured.
"""

from __future__ import annotations

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.rulebook import Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.pool_members import member_names
from weighbridge.policies.families.llmkube.subject.references import SERVICES
from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.spelling import listed


@objects.warning(
    kinds=("ModelPool",),
    reads=("InferenceService",),
    good="accepts-a-pool",
    bad="warns-of-a-node-selector-of-a-pool",
)
def check(given: Given) -> Said:
    namespace = given.namespace
    wanted = text_map(given.spec, "nodeSelector")
    if not wanted:
        return
    members = [name for name in member_names(given.object) if name]
    without = []
    for name in members:
        own = text_map(spec_of(SERVICES.get(given.facts, namespace, name)), "nodeSelector")
        if any(own.get(key) != value for key, value in wanted.items()):
            without.append(name)
    if any(SERVICES.is_missing(given.facts, namespace, name) is None for name in without):
        yield NotChecked(SERVICES.unknown)
    elif without:
        yield Violation(
            ("spec", "nodeSelector"),
            f"isn't applied to the members; {listed(without)} may run on other nodes",
            hint="set the same nodeSelector in each member",
        )
