"""A service chooses an accelerator class by policy, but its runtime lists no class.

OME chooses among the classes of `acceleratorRequirements.acceleratorClasses` of the runtime. Without a class in this list, policy and
constraints have no effect. Name a runtime that lists classes, or leave the policy out.

Source: OME v0.1.5, pkg/acceleratorclassselector/selector.go.
"""

from weighbridge.policies.families.ome.rulebook import Said, Service, Violation, deployed, part, text
from weighbridge.policies.families.ome.subject.service_spec import ACCELERATED


@deployed.warning(good="accepts-a-class-that-is-there", bad="warns-of-a-policy-over-no-classes")
def check(service: Service) -> Said:
    runtime = service.runtime
    if runtime is None or runtime.classes:
        return
    overrides = [(component, "acceleratorOverride") for component in ACCELERATED if service.has(component)]
    for place in (("acceleratorSelector",), *overrides):
        policy = text(part(service.spec, *place), "policy")
        if policy:
            yield Violation(
                ("spec", *place, "policy"),
                f"{policy} has nothing to choose from: {runtime.title} lists no accelerator classes",
                found=policy,
                hint="name a runtime that lists classes, or leave the policy out",
            )
