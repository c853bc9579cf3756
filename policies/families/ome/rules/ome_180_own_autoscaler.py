"""Another autoscaler scales a Deployment that OME scales itself.

OME creates a HorizontalPodAutoscaler or a ScaledObject for the Deployment of each component. With a second autoscaler neither
scales, because both select the same pods, or they undo each other's work. OME itself doesn't change the current number of replicas.
Set the annotation `ome.io/autoscalerClass: external`; OME then creates no autoscaler.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/autoscaler/autoscaler_reconciler.go and
reconcilers/deployment/deployment_reconciler.go.
"""

from weighbridge.policies.families.foreign_autoscalers import READ, ScaleTarget, foreign_autoscalers
from weighbridge.policies.families.ome.kinds import PREFIX
from weighbridge.policies.families.ome.rulebook import Given, Said, Service, Violation, services
from weighbridge.policies.families.ome.subject.components import COMPONENTS


@services.warning(reads=READ, good="accepts-an-autoscaler-where-ome-creates-none", bad="warns-of-a-second-autoscaler")
def check(service: Service, given: Given) -> Said:
    if service.annotation("autoscalerClass") == "external":
        return
    for component in (name for name in COMPONENTS if name in service.written):
        name = f"{given.request.name}-{component}"
        for autoscaler in foreign_autoscalers(given.facts, ScaleTarget("apps", "Deployment", given.request.namespace, name)):
            yield Violation(
                ("spec", component),
                f'{autoscaler} scales Deployment "{name}", for which OME creates an autoscaler too',
                found=str(autoscaler),
                expected="one autoscaler",
                hint=f"set the annotation {PREFIX}autoscalerClass: external, or remove the {autoscaler.kind}",
            )
