"""Settings of a leader or worker are overwritten by the accelerator class.

A class leaves alone what stands at the component itself. Resources, node selector and affinity of its leader and worker it overwrites.
Write the class's own figures there, or leave the class out.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/base.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.predictions.accelerators import ClassChoice
from weighbridge.policies.families.ome.rulebook import Said, Serving, Violation, services
from weighbridge.policies.families.ome.rules._examples import CLASS_READS
from weighbridge.policies.families.ome.subject.components import ROLES
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import Path


@services.warning(
    reads=CLASS_READS,
    good="accepts-a-leader-that-leaves-its-gpus-to-the-class",
    bad="warns-of-resources-of-a-leader-under-a-class",
)
def check(serving: Serving) -> Said:
    if serving.is_virtual:
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


def _overwritten(choice: ClassChoice, path: Path) -> Violation:
    return Violation(path, f"AcceleratorClass {choice.name} overwrites what stands here", hint="leave it out, or leave the class out")
