"""A component's least number of replicas is greater than its greatest.

OME doesn't refuse it: the autoscaler's greatest number becomes the least one, so the service never scales. Where only `minReplicas` is
given OME's webhook fills in 3 for the greatest, and 2 for a router. Raise `maxReplicas`.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/hpa.
"""

from weighbridge.policies.families.ome.rulebook import Said, Service, Violation, services, whole
from weighbridge.policies.families.ome.subject.stored import MAX_REPLICAS


@services.warning(good="accepts-a-budget-of-one-kind", bad="warns-of-a-least-number-above-the-default")
def check(service: Service) -> Said:
    for name, component in service.components():
        least, most = whole(component, "minReplicas"), whole(component, "maxReplicas") or MAX_REPLICAS[name]
        if least > most:
            message = f"minReplicas is {least} and maxReplicas {most}, so that the service never scales"
            yield Violation(("spec", name, "maxReplicas"), message, found=str(most), expected=f"{least} or more")
