"""A component's autoscaler has a target below 1.

OME writes `scaleTarget` as the target of a HorizontalPodAutoscaler, and the API server refuses a target below 1. The controller
retries for ever, and only its log has the reason. Write 1 or more.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/hpa.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Service, Violation, services


@services.error(about=FAILURE, good="accepts-a-target-of-zero-that-an-annotation-overrides", bad="refuses-a-target-of-zero")
def check(service: Service) -> Said:
    if not service.has_pod_autoscaler or service.annotation("targetUtilizationPercentage"):
        return
    for name, component in service.components():
        found = component.get("scaleTarget")
        if type(found) is int and found < 1:
            message = f"the API server refuses an autoscaler with a target of {found}"
            yield Violation(("spec", name, "scaleTarget"), message, found=str(found), expected="1 or more")
