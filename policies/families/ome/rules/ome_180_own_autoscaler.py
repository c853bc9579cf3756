"""An autoscaler of one's own acts on a Deployment that OME scales itself.

OME makes a HorizontalPodAutoscaler or a ScaledObject for the Deployment of each component. With a second one neither scales, since both
choose the same pods, or they undo each other's work. OME itself leaves the live number of replicas alone. Set the annotation
`ome.io/autoscalerClass: external`, with which OME makes none.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/autoscaler/autoscaler_reconciler.go and
reconcilers/deployment/deployment_reconciler.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.foreign_autoscalers import READ, Target, foreign_autoscalers
from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import text_map

_CLASS: Final = "ome.io/autoscalerClass"
_COMPONENTS: Final = ("engine", "decoder", "router")


@objects.warning(
    kinds=("InferenceService",),
    reads=READ,
    good="accepts-an-autoscaler-where-ome-makes-none",
    bad="warns-of-a-second-autoscaler",
)
def check(given: Given) -> Said:
    if text_map(given.object, "metadata", "annotations").get(_CLASS) == "external":
        return
    for component in _COMPONENTS:
        if component not in given.spec:
            continue
        name = f"{given.request.name}-{component}"
        for autoscaler in foreign_autoscalers(given.facts, Target("apps", "Deployment", given.request.namespace, name)):
            yield Violation(
                ("spec", component),
                f'{autoscaler} scales Deployment "{name}", which OME makes an autoscaler for, too',
                found=str(autoscaler),
                expected="one autoscaler",
                hint=f"set the annotation {_CLASS}: external, or remove the {autoscaler.kind}",
            )
