"""Settings of a leader or worker are overwritten by the accelerator class.

A class leaves alone what stands at the component itself. Resources, node selector and affinity of its leader and worker it overwrites.
Write the class's own figures there, or leave the class out.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/base.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.accelerators import ClassChoice
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import CLASS_READS, CLASSED
from policies.families.ome.subject.components import ROLES
from policies.fields import part
from policies.findings import Finding, Severity
from policies.objects import Path
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.is_virtual:
        return

    for component, choice in serving.classes.items():
        accelerator = choice.accelerator
        if accelerator is None:
            continue
        for role in ROLES:
            own = part(serving.spec, component, role)
            if set(part(own, "runner", "resources", "limits")) & set(accelerator.resources) and not part(
                serving.spec, component, "runner", "resources"
            ):
                yield _overwritten(choice, ("spec", component, role, "runner", "resources"))
            if set(part(own, "nodeSelector")) & set(accelerator.node_selector) and not set(
                part(serving.spec, component, "nodeSelector")
            ) & set(accelerator.node_selector):
                yield _overwritten(choice, ("spec", component, role, "nodeSelector"))
            if (
                own.get("affinity")
                and part(accelerator.spec, "discovery").get("affinity")
                and not part(serving.spec, component, "affinity")
            ):
                yield _overwritten(choice, ("spec", component, role, "affinity"))


def _overwritten(choice: ClassChoice, path: Path) -> Finding:
    return RULE.finding(path, f"AcceleratorClass {choice.name} overwrites what stands here", hint="leave it out, or leave the class out")


RULE = Rule(
    id="OME-055",
    name="leader-settings-overwritten",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/base.go",
    reads=CLASS_READS,
    beside=CLASSED,
    check=_check,
    good="""\
model: {name: llama}
acceleratorSelector: {acceleratorClass: nvidia-h100}
engine: {nodeSelector: {zone: a}}
""",
    bad="""\
model: {name: llama}
acceleratorSelector: {acceleratorClass: nvidia-h100}
engine:
  leader: {nodeSelector: {nvidia.com/gpu.product: other}}
  worker: {size: 1, runner: {name: ome-container, image: "sglang:1"}}
""",
)
