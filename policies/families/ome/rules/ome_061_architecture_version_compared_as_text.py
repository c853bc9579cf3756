"""A minimum version of an architecture excludes a newer version.

OME compares `minArchitectureVersion` with `computeCapability` as texts, character by character, so 10.0 counts as less than 9.0. Remove
the version, and name the families or features that you want.

Source: OME v0.1.5, pkg/acceleratorclassselector/policy_helpers.go.
"""

from weighbridge.policies.families.ome.kinds import ACCELERATOR_CLASSES
from weighbridge.policies.families.ome.rulebook import Said, Service, Violation, deployed, part, text
from weighbridge.policies.families.ome.subject.accelerators import read_class
from weighbridge.policies.families.ome.subject.sizes import parse_float


@deployed.warning(
    reads=(
        "AcceleratorClass",
        "BaseModel",
        "ClusterBaseModel",
        "ClusterServingRuntime",
        "ConfigMap/inferenceservice-config",
        "ServingRuntime",
    ),
    good="accepts-architectures-of-families",
    bad="warns-of-a-newer-architecture-that-is-left-out",
)
def check(service: Service) -> Said:
    wanted = text(part(service.spec, "acceleratorSelector", "constraints"), "minArchitectureVersion")
    least = parse_float(wanted)
    if least is None or service.runtime is None or not any(choice.policy for choice in service.classes.values()):
        return
    for name in service.runtime.classes:
        found = ACCELERATOR_CLASSES.get(service.facts, "", name)
        version = text(read_class(found).capabilities, "computeCapability") if found is not None else ""
        has = parse_float(version)
        if has is not None and has >= least and version < wanted:
            yield Violation(
                ("spec", "acceleratorSelector", "constraints", "minArchitectureVersion"),
                f"AcceleratorClass {name} is excluded: OME compares {version} with {wanted} as text",
                found=wanted,
                hint="remove the version, and use architectureFamilies or requiredFeatures",
            )
