"""A least version of an architecture leaves out a newer one.

OME compares `minArchitectureVersion` with `computeCapability` as texts, letter by letter, and so takes 10.0 for less than 9.0. Leave the
version out, and name the families or features that are wanted.

Source: OME v0.1.5 pkg/acceleratorclassselector/policies.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.kinds import ACCELERATOR_CLASSES
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import CLASSED, H100
from policies.families.ome.subject.accelerators import read_class
from policies.families.ome.subject.sizes import parse_float
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.is_virtual:
        return

    constraints = part(serving.spec, "acceleratorSelector", "constraints")
    wanted = text(constraints, "minArchitectureVersion")
    least = parse_float(wanted)
    if least is None or serving.runtime is None or not any(choice.policy for choice in serving.classes.values()):
        return
    for name in serving.runtime.classes:
        found = ACCELERATOR_CLASSES.get(facts, "", name)
        version = text(read_class(found).capabilities, "computeCapability") if found is not None else ""
        has = parse_float(version)
        if has is not None and has >= least and version < wanted:
            yield RULE.finding(
                ("spec", "acceleratorSelector", "constraints", "minArchitectureVersion"),
                f"AcceleratorClass {name} is left out: OME compares {version} with {wanted} letter by letter",
                found=wanted,
                hint="leave the version out, and use architectureFamilies or requiredFeatures",
            )


RULE = Rule(
    id="OME-061",
    name="architecture-version-compared-as-text",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/acceleratorclassselector/policies.go",
    reads=("AcceleratorClass", "BaseModel", "ClusterBaseModel", "ClusterServingRuntime", "ServingRuntime"),
    beside=CLASSED.replace("[nvidia-h100]", "[nvidia-h100, nvidia-b200]").replace(
        "memoryGB: 80Gi", 'memoryGB: 80Gi, computeCapability: "9.0"'
    )
    + "---\n"
    + H100.replace("h100", "b200").replace("memoryGB: 80Gi", 'memoryGB: 180Gi, computeCapability: "10.0"'),
    check=_check,
    good="""\
model: {name: llama}
acceleratorSelector: {policy: FirstAvailable, constraints: {architectureFamilies: [hopper]}}
engine: {}
""",
    bad="""\
model: {name: llama}
acceleratorSelector: {policy: FirstAvailable, constraints: {minArchitectureVersion: "9.0"}}
engine: {}
""",
)
