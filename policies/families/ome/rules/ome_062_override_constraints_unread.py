"""Constraints are written where OME doesn't read them.

It reads the constraints of a policy only from `spec.acceleratorSelector.constraints`, also for a component with its own policy. Write
them there.

Source: OME v0.1.5, pkg/acceleratorclassselector/selector.go.
"""

from weighbridge.policies.families.ome.rulebook import Said, Service, Violation, part, services
from weighbridge.policies.families.ome.subject.service_spec import ACCELERATED


@services.warning(good="accepts-constraints-of-the-service", bad="warns-of-constraints-of-a-component")
def check(service: Service) -> Said:
    for component in ACCELERATED:
        if part(service.written, component, "acceleratorOverride", "constraints"):
            yield Violation(
                ("spec", component, "acceleratorOverride", "constraints"),
                "OME doesn't read constraints here",
                hint="write them into spec.acceleratorSelector.constraints, which apply to all components",
            )
