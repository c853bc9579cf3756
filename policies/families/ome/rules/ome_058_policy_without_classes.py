"""A service wants an accelerator class by policy, and its runtime lists none.

OME chooses among the classes of `acceleratorRequirements.acceleratorClasses` of the runtime. Where these are none, policy and constraints
have no effect. Name a runtime that lists classes, or leave the policy out.

Source: OME v0.1.5 pkg/acceleratorclassselector/selector.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import Said, Serving, Violation, services
from weighbridge.policies.families.ome.rules._examples import RUNTIME_READS
from weighbridge.policies.families.ome.subject.service_spec import ACCELERATED, has_component
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import Path


@services.warning(
    reads=RUNTIME_READS,
    good="accepts-a-class-that-is-there",
    bad="warns-of-a-policy-over-no-classes",
)
def check(serving: Serving) -> Said:
    if serving.is_virtual:
        return

    runtime = serving.runtime
    if runtime is None or runtime.classes:
        return
    places: list[Path] = [("acceleratorSelector",)]
    places += [(component, "acceleratorOverride") for component in ACCELERATED if has_component(serving.service, component)]
    for place in places:
        policy = text(part(serving.spec, *map(str, place)), "policy")
        if policy:
            yield Violation(
                ("spec", *place, "policy"),
                f"{policy} has nothing to choose from: {runtime.title} lists no accelerator classes",
                found=policy,
                hint="name a runtime that lists classes, or leave the policy out",
            )
